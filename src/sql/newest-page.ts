/** Pages of the newest tasks, from their events alone. */
import { pause } from '../core/timer.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { contextKey } from '../streams/context-key.ts'
import { EARLIEST } from '../streams/forgotten.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import type { SizedEvent } from '../streams/log/read-page.ts'
import type { NewestPage } from '../streams/serve/newest-page.ts'
import { createViewStore } from '../streams/view/fold/view-store.ts'
import { type PageLimits, pageOf } from '../streams/view/snapshot/history-page.ts'

/** Which tasks. */
export interface NewestOptions {
  /** How many events are looked at, from the end of the stream backwards: each task that has one of them. */
  readonly events: number
  /** The id of a task: from its last event, which is one of them. Omitted: from the end of the stream. */
  readonly before?: string | undefined
  /** Whether to add all tasks that may not have ended. */
  readonly withOpen?: boolean | undefined
}

/** Tasks, and all that are linked with them: as parents, subtasks, or writers of the same artifact. */
export interface NewestTasks {
  readonly epoch: string
  /** The last event that is included. */
  readonly through: number
  /** The first `seq` that was looked at. Other tasks may have events before it, unless it is the first of the log. */
  readonly since: number
  readonly isAll: boolean
  /** All events of the tasks, in order, some at a time. */
  readonly pages: AsyncIterable<readonly NumberedEvent[]>
}

export interface NumberedEvent extends SizedEvent {
  readonly seq: number
}

/** How many events are looked at first: those of a task or two, by which it is known how many more it takes. */
const FIRST_EVENTS = 64

/**
 * The page that the view of a whole log has, from the events of its tasks alone: those of the newest tasks, and of more until the page
 * is full. `undefined`: that of this log and this reader takes all events.
 */
export async function newestPage(
  newest: (options: NewestOptions) => Promise<NewestTasks | undefined>,
  filter: ReadFilter | undefined,
  limits: PageLimits,
  firstEvents: number = FIRST_EVENTS,
): Promise<NewestPage | undefined> {
  const { before, withOpen } = limits
  if (withOpen && !showsEnds(filter)) return undefined
  for (let events = firstEvents; ; ) {
    const found = await newest({ before, withOpen, events })
    if (found === undefined) return undefined
    const { epoch, through, since, isAll, pages } = found
    const store = createViewStore()
    const old = new Set<string>()
    let read = 0
    for await (const page of pages) {
      read += page.length
      const shown = page.flatMap(({ seq, event }) => {
        const seen = filter === undefined ? event : filter.apply(event)
        if (seen !== undefined && seq < since) for (const key of begun(seen)) old.add(key)
        return seen ?? []
      })
      store.push(shown)
      await pause(0)
    }
    const isOld = ({ contextId, taskId }: TaskName): boolean => old.has(contextKey(contextId, taskId))
    const page = pageOf(store.getSnapshot(), limits, isAll ? undefined : isOld)
    if (typeof page === 'object') return { page, at: { epoch, through } }
    // What it takes at this rate, and one task more.
    events = Math.ceil(Math.max(events * 2, read * Math.min(1.25 / page, 16)))
  }
}

/** Whether a reader sees how tasks end: of other tasks, those that have not ended are not known without it. */
function showsEnds(filter: ReadFilter | undefined): boolean {
  if (filter === undefined) return true
  const task = { contextId: 'c', taskId: 't', timestamp: EARLIEST }
  return [task, { ...task, parentTaskId: 'p' }].every(
    (ids) =>
      filter.apply({ kind: 'task-complete', ...ids }) &&
      filter.apply({ kind: 'task-status', ...ids, status: 'completed' }),
  )
}

/** The tasks that have begun with an event, or before it. */
function begun(event: ContextAnyEvent): string[] {
  const { contextId, taskId } = event
  const ids = event.kind === 'subtask-created' ? [taskId, event.subtaskId] : [taskId]
  return ids.map((id) => contextKey(contextId, id))
}
