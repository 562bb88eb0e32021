/** The state of a task while it is mapped to a stream of frames. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { type Items, noItems } from '../../engine/item.ts'
import { type FrameStream, taskIdOf } from '../wire/stream/frame-stream.ts'

/** What is known of a call of a tool that has not ended. */
export interface RunningTool {
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number
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
  readonly items: Items
  /** Whether text was emitted. */
  readonly hasText: boolean
  /** The index that readers give to the next delta. Where it is 0, a text begins for them. */
  readonly readIndex: number
  /** Whether readers find the open text as it is: neither joined with another one nor split by a tool. */
  readonly isSegmentWhole: boolean
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
    items: noItems,
    hasText: false,
    readIndex: 0,
    isSegmentWhole: false,
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
    items: stream.items,
    hasText: stream.hasText,
    readIndex: stream.readIndex,
    isSegmentWhole: stream.isSegmentWhole,
    tools: stream.tools,
  }
}
