/** The state of {@link toSessionEvents}. */
import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Asked } from '../../engine/asked.ts'
import { type Items, noItems } from '../../engine/item.ts'

/** The state of a round. */
interface RoundState extends Asked {
  /** The open task, or `null`. */
  readonly taskId: string | null
  /** Whether `solver.start` of the task was sent. */
  readonly isSolving: boolean
  /** Number of partial answers sent for the task. */
  readonly chunks: number
  /** The attempt that `error.retry` stated last; 0 before the first. */
  readonly attempt: number
  /** How often the attempts began anew: what is retried is another step. */
  readonly retries: number
  /** The partial answers of the task, joined; `null` above 16 Mi code units. */
  readonly streamed: string | null
  readonly items: Items
  /** The highest progress of each call: it never goes back. */
  readonly progress: BoundedMap<number>
  /** The index that readers give to the next thought. */
  readonly nextThought: number
  /** The last complete text of the task. */
  readonly text: string
  /** The event that completed the task, held back until a second one or another event arrives. */
  readonly held: ContextAnyEvent | null
}

/** The state of {@link toSessionEvents}. */
export interface ToSessionState extends RoundState {
  /** Whether `system.connected` was sent. */
  readonly isConnected: boolean
  /** The sessions of which `agent.session_created` was sent, by their ids. */
  readonly opened: BoundedMap<true>
  /** The tasks that have ended, by their ids. */
  readonly ended: BoundedMap<true>
}

/** The state of the round between two tasks. */
export const idleRound: RoundState = {
  taskId: null,
  isSolving: false,
  chunks: 0,
  attempt: 0,
  retries: 0,
  streamed: '',
  items: noItems,
  progress: emptyBoundedMap,
  nextThought: 0,
  asked: emptyBoundedMap,
  text: '',
  held: null,
}

/** The state before the first event. */
export const initialState: ToSessionState = {
  ...idleRound,
  isConnected: false,
  opened: emptyBoundedMap,
  ended: emptyBoundedMap,
}
