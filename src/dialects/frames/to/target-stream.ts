/** The state of a task while it is mapped to a stream of frames. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import { taskIdOf } from '../wire/task-id.ts'

/** One stream of frames, mapped from one task. */
export interface TargetStream {
  readonly kind: string
  readonly id: string
  /** Whether the task maps to a session. Other streams come from frames and map back to them. */
  readonly isSession: boolean
  readonly phase: 'open' | 'ended'
  /** The `seq` of the next frame. */
  readonly seq: number
  /** Whether text was emitted, and whether its last segment is still open. */
  readonly text: 'none' | 'open' | 'complete'
  /** The `contentId` of the open segment; `null` for the text without one. */
  readonly openText: string | null
  /** Whether deltas of another text than the open one were left out. */
  readonly hasWaitingText: boolean
  /** The ids of the calls whose arguments are streamed and that have not started. At most 1024. */
  readonly unstarted: readonly string[]
  /** Running tools with streamed output, at most 1024. */
  readonly streamed: readonly string[]
}

/** The key of a task in the state. The prefix keeps it apart from numbers and members of every object. */
export function targetKey(taskId: string): string {
  return `/${taskId}`
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
  const prefix = taskIdOf(kind, '')
  const short = taskId.startsWith(prefix) && taskId !== prefix ? taskId.slice(prefix.length) : taskId
  const id = isSession ? (sessionId ?? (short === reservedId ? taskId : short)) : short
  return {
    kind,
    id,
    isSession,
    phase: 'open',
    seq: 0,
    text: 'none',
    openText: null,
    hasWaitingText: false,
    unstarted: [],
    streamed: [],
  }
}
