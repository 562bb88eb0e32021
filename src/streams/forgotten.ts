/** What the retention of a stream has cut: which tasks, for readers that get a snapshot without them. */
import type { Audience } from './access/audience.ts'

/** A task of which a snapshot has nothing. */
export interface ForgottenTask {
  readonly contextId: string
  readonly taskId: string
  /** The task that started it. Omitted for a task of its own. */
  readonly parentTaskId?: string
  /** The names of the agents from the first one to its own. Omitted if unknown. */
  readonly path?: readonly string[]
  /** When it began, as the event of its beginning states. */
  readonly timestamp: string
  /** Who may know of it: the audience label of that event. Omitted: it has none. Never sent to readers. */
  readonly audience?: readonly Audience[]
}

/** The tasks that retention has cut. */
export interface Forgotten {
  /** The tasks, in the order in which they were cut. */
  readonly tasks: readonly ForgottenTask[]
  /** The latest timestamp of the tasks: no one of them began later. Without tasks, that of 1970. */
  readonly before: string
  /** Set if there are earlier ones, of which nothing is known any more. Omitted: these are all. */
  readonly more?: true
}

/**
 * Tasks that are cut, with the time of the latest.
 *
 * @param more - Whether there are earlier ones.
 */
export function forgottenOf(tasks: readonly ForgottenTask[], more: boolean): Forgotten {
  const times = tasks.map(({ timestamp }) => timestamp)
  const before = times.reduce(
    (latest, time) => (Date.parse(time) > Date.parse(latest) ? time : latest),
    EARLIEST,
  )
  return more ? { tasks, before, more } : { tasks, before }
}

/** Stands for the time of a task of which nothing is known. */
export const EARLIEST = '1970-01-01T00:00:00.000Z'
