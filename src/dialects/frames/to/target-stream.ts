/** What is remembered of a task while it is said as a stream of frames. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { lossy } from '../wire/diagnostics.ts'
import { taskIdOf } from '../wire/task-id.ts'

/** One stream of frames: a task. */
export interface TargetStream {
  readonly kind: string
  readonly id: string
  /** Whether the task has become a session; other streams come from frames and go back to them. */
  readonly isSession: boolean
  readonly phase: 'open' | 'ended'
  /** The number of the next frame. */
  readonly seq: number
  /** Whether there was text yet, and whether some of it is in a segment that goes on. */
  readonly text: 'none' | 'open' | 'complete'
  /** The running tools whose output was streamed. At most 1024. */
  readonly streamed: readonly string[]
}

/** Where a task is in the state. No name that all objects have begins like this. */
export function targetKey(taskId: string): string {
  return `/${taskId}`
}

/**
 * The stream of a task, before its first event.
 *
 * @param name - What the session is called, if it may be called so. Absent: as the task.
 * @param taken - The name no other session may have.
 */
export function openTarget(
  event: ContextAnyEvent,
  name: string | undefined,
  taken: string,
  diagnostics: Diagnostic[],
): TargetStream {
  const { taskId } = event
  const streamKind = event.kind === 'task-created' ? event.metadata?.streamKind : undefined
  const isSession = typeof streamKind !== 'string' || streamKind === '' || streamKind === 'session'
  const kind = isSession ? 'session' : streamKind
  const prefix = taskIdOf(kind, '')
  const short = taskId.startsWith(prefix) && taskId !== prefix ? taskId.slice(prefix.length) : taskId
  const id = isSession ? (name ?? (short === taken ? taskId : short)) : short
  reportContext(event, taskIdOf(kind, id), isSession, diagnostics)
  return { kind, id, isSession, phase: 'open', seq: 0, text: 'none', streamed: [] }
}

/** Frames know their stream, and nothing around it. Said once for each task. */
function reportContext(
  event: ContextAnyEvent,
  comesBackAs: string,
  isSession: boolean,
  diagnostics: Diagnostic[],
): void {
  const message = 'Frames name their stream and nothing else.'
  diagnostics.push(lossy('contextId', message, event.contextId))
  if (event.taskId !== comesBackAs) diagnostics.push(lossy('taskId', message, event.taskId))
  const { parentTaskId } = event
  // A tool in the background says by itself which session started it.
  if (parentTaskId !== undefined && isSession) diagnostics.push(lossy('parentTaskId', message, parentTaskId))
  if (event.path !== undefined) diagnostics.push(lossy('path', message, event.path))
}
