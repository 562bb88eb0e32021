/** The state of `fromLooopy`. */

import { type BoundedMap, boundedSet, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { StepBuilder } from '../../../core/step-builder.ts'
import { FNV_OFFSET_BASIS } from '../../../encoding/fnv1a.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'

export interface FromLooopyState {
  /** The inferences that have been reported: each is reported once. */
  readonly reported: readonly string[]
  /** The tasks, by {@link taskKey}. */
  readonly tasks: BoundedMap<Readonly<LooopyTask>>
}

/** What a task may have open. */
export type Open = 'texts' | 'calls' | 'inputs' | 'authentications' | 'writes' | 'subtasks'

/** What is known of a task. */
export interface LooopyTask extends Record<Open, readonly number[]> {
  /** The index of the next delta. */
  delta: number
  /** Their hash. */
  text: number
  /** Whether there were texts with a `contentId`. */
  hasNamedText: boolean
  /** The index of the next chunk of each open write. */
  chunks: readonly number[]
  /** The index of the next thought. */
  thought: number
  /** The kind of the event that completed the task, or `failed`; `null` while it runs. */
  end: string | null
}

export const initialState: FromLooopyState = { reported: [], tasks: emptyBoundedMap }

/** The workspace of one step. */
export type LooopyBuilder = StepBuilder<FromLooopyState, ContextAnyEvent>

/** A task before its first event. The items that are open are hashes of their ids. */
export const newTask: Readonly<LooopyTask> = {
  delta: 0,
  text: FNV_OFFSET_BASIS,
  hasNamedText: false,
  thought: 0,
  end: null,
  texts: [],
  calls: [],
  inputs: [],
  authentications: [],
  writes: [],
  chunks: [],
  subtasks: [],
}

/** The key of a task. */
export function taskKey({ contextId, taskId }: { contextId: unknown; taskId: unknown }): string {
  return JSON.stringify([contextId, taskId])
}

/** Stores a task. */
export function setTask(builder: LooopyBuilder, key: string, task: LooopyTask): void {
  const { map, hasEvicted } = boundedSet(builder.state.tasks, key, task)
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
