/** What a reader may know of the tasks that retention has cut. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Forgotten, type ForgottenTask, forgottenOf } from '../forgotten.ts'
import type { StreamEvent } from './batch.ts'
import type { ReadFilter } from './read-filter.ts'

/** What one reader may know of the tasks: those whose beginning it may see. `undefined` if that is nothing. */
export function visibleForgotten<E extends StreamEvent>(
  forgotten: Forgotten | undefined,
  filter: ReadFilter<E> | undefined,
): Forgotten | undefined {
  if (forgotten === undefined) return undefined
  const visible = forgotten.tasks.flatMap((task) => {
    if (filter !== undefined && filter.apply(beginOf(task) as StreamEvent as E) === undefined) return []
    const { audience: _, ...sent } = task
    return [sent]
  })
  return visible.length === 0 && forgotten.more !== true
    ? undefined
    : forgottenOf(visible, forgotten.more === true)
}

/** The event by which a filter decides whether its reader may know of a task. */
function beginOf({ audience, path, ...ids }: ForgottenTask): ContextAnyEvent {
  const initiator = ids.parentTaskId === undefined ? 'user' : 'agent'
  return {
    kind: 'task-created',
    ...ids,
    ...(path !== undefined && { path: [...path] }),
    ...(audience !== undefined && { metadata: { audience: [...audience] } }),
    initiator,
  }
}
