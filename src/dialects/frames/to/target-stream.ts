/** The state of a task while it is mapped to a stream of frames. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { type FrameStream, taskIdOf } from '../wire/stream/frame-stream.ts'

/** A call of a tool that has not ended. */
export interface RunningTool {
  /** When it started, in milliseconds since 1970; `null` if its start is unknown. */
  readonly startedAt: number | null
  /** Whether its output was streamed. */
  readonly hasOutput: boolean
}

/** One stream of frames, mapped from one task. */
export interface TargetStream extends FrameStream {
  /** Whether the task maps to a session. Other streams come from frames and map back to them. */
  readonly isSession: boolean
  readonly phase: 'open' | 'ended'
  /** The `seq` of the next frame. */
  readonly seq: number
  /** Whether text was emitted, and whether its last segment is still open. */
  readonly text: 'none' | 'open' | 'complete'
  /** The index that readers give to the next delta. Where it is 0, a text begins for them. */
  readonly readIndex: number
  /** Whether readers find the open segment as it is: neither joined with another one nor split by a tool. */
  readonly isSegmentWhole: boolean
  /** The `contentId` of the open segment; `null` for the text without one. */
  readonly openText: string | null
  /** The index of its next delta. */
  readonly nextIndex: number
  /** The length of what was sent of it, and the hash; `null` once deltas are missing. */
  readonly sentLength: number
  readonly sentHash: number | null
  /** Whether deltas of another text than the open one were left out. */
  readonly hasWaitingText: boolean
  /** By their ids: whether a call has ended, or is one whose arguments are streamed and that has not started. */
  readonly calls: BoundedMap<boolean>
  /** The running tools, by the ids of their calls. */
  readonly tools: BoundedMap<RunningTool>
}

/**
 * The state of a stream before its first event.
 *
 * @param sessionId - The configured session id, or `undefined` if a stream already has it.
 * @param reservedId - An id that no other session may have.
 */
export function initialTargetStream(
  event: ContextAnyEvent,
  sessionId: string | undefined,
  reservedId: string,
): TargetStream {
  const { taskId } = event
  const streamKind = event.kind === 'task-created' ? event.metadata?.streamKind : undefined
  const isSession = typeof streamKind !== 'string' || streamKind === '' || streamKind === 'session'
  const kind = isSession ? 'session' : streamKind
  const prefix = taskIdOf({ kind, id: '' })
  const short = taskId.startsWith(prefix) && taskId !== prefix ? taskId.slice(prefix.length) : taskId
  const id = isSession ? (sessionId ?? (short === reservedId ? taskId : short)) : short
  return {
    kind,
    id,
    isSession,
    phase: 'open',
    seq: 0,
    text: 'none',
    readIndex: 0,
    isSegmentWhole: true,
    openText: null,
    nextIndex: 0,
    sentLength: 0,
    sentHash: null,
    hasWaitingText: false,
    calls: emptyBoundedMap,
    tools: emptyBoundedMap,
  }
}

/** A copy of a stream. Written out: spreading is slow. */
export function copyTargetStream(stream: TargetStream): TargetStream {
  return {
    kind: stream.kind,
    id: stream.id,
    isSession: stream.isSession,
    phase: stream.phase,
    seq: stream.seq,
    text: stream.text,
    readIndex: stream.readIndex,
    isSegmentWhole: stream.isSegmentWhole,
    openText: stream.openText,
    nextIndex: stream.nextIndex,
    sentLength: stream.sentLength,
    sentHash: stream.sentHash,
    hasWaitingText: stream.hasWaitingText,
    calls: stream.calls,
    tools: stream.tools,
  }
}
