/** The state of `fromLooopy`. */

import {
  type BoundedMap,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'

export interface FromLooopyState {
  /** The inferences that have been reported: each is reported once. */
  readonly reported: readonly string[]
  /** What was counted in each task, by context and task. */
  readonly tasks: BoundedMap<TaskCounts>
}

/** What the events of a task do not state themselves. */
export interface TaskCounts {
  /** The index of the next delta. */
  readonly delta: number
  /** The index of the next thought. */
  readonly thought: number
}

export const initialState: FromLooopyState = { reported: [], tasks: emptyBoundedMap }

/** The workspace of one step. */
export type LooopyBuilder = StepBuilder<FromLooopyState, ContextAnyEvent>

const noCounts: TaskCounts = { delta: 0, thought: 0 }

/** The counts of a task. */
export function countsOf({ state }: LooopyBuilder, key: string): TaskCounts {
  return boundedGet(state.tasks, key) ?? noCounts
}

/** Stores the counts of a task. */
export function setCounts(builder: LooopyBuilder, key: string, counts: TaskCounts): void {
  const { map, hasEvicted } = boundedSet(builder.state.tasks, key, counts)
  builder.update({ tasks: map })
  if (hasEvicted) {
    builder.diagnostic('state-evicted', 'More than 4096 tasks: evicted the least recently used ones.')
  }
}

/** Reports an inference unless it has been reported before. */
export function inferOnce(builder: LooopyBuilder, what: string, message: string): void {
  const { reported } = builder.state
  if (reported.includes(what)) return
  builder.update({ reported: [...reported, what] })
  builder.inferred(what, message)
}
