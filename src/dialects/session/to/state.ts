/** The state of {@link toSessionEvents}. */
import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'

/** The state of {@link toSessionEvents}. */
export interface ToSessionState {
  /** The open task, or `null`. */
  readonly taskId: string | null
  /** The task that ended last, or `null`. */
  readonly endedTaskId: string | null
  /** Whether `solver.start` of the task was sent. */
  readonly isSolving: boolean
  /** Number of partial answers sent for the task. */
  readonly chunks: number
  /** The last complete text of the task. */
  readonly text: string
  /** The calls whose arguments are streamed and that have not started, by their ids. */
  readonly unstarted: BoundedMap<true>
  /** The event that completed the task, held back until a second one or another event arrives. */
  readonly held: ContextAnyEvent | null
}

/** The state before the first event, and between two tasks. */
export const idleState: ToSessionState = {
  taskId: null,
  endedTaskId: null,
  isSolving: false,
  chunks: 0,
  text: '',
  unstarted: emptyBoundedMap,
  held: null,
}
