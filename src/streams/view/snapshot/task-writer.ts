/** Writing the events of one task of a view: with its context, with labels, with times that their readers may know. */

import type { AnyEvent, ContextAnyEvent } from '../../../events/event.ts'
import type { Audience } from '../../access/audience.ts'
import { labelOf } from '../audience-label.ts'
import type { TaskView } from '../view.ts'

/** An event without its timestamp. */
export type Untimed = AnyEvent extends infer E ? (E extends AnyEvent ? Omit<E, 'timestamp'> : never) : never

/** The field that states the model response of a part, if it is known. */
export function iterationOf({ iteration }: { readonly iteration?: number | undefined }): {
  iteration?: number
} {
  return iteration === undefined ? {} : { iteration }
}

/** What the first event of a part determines. */
interface Beginning {
  readonly at: string
  readonly audience?: readonly Audience[] | undefined
}

/** Appends the events of one task to a list. */
export class TaskWriter {
  readonly task: TaskView
  readonly #events: ContextAnyEvent[]
  /** The latest time that everyone has been shown. */
  #publicTime: string | null = null
  #hasPath = false
  #isPathShort: boolean | undefined

  constructor(task: TaskView, events: ContextAnyEvent[]) {
    this.task = task
    this.#events = events
  }

  /**
   * Returns a function that writes the events of one part. The first of them has the timestamp of the part. When the
   * others came is not known: they have the same one, or that of a later event which everyone sees.
   */
  part({ at, audience }: Beginning): (event: Untimed) => void {
    let isFirst = true
    return (event) => {
      this.write(event, audience, isFirst ? at : this.after(at))
      isFirst = false
    }
  }

  /** The latest time that everyone has been shown; `at` if that is later or there is none. */
  after(at: string = EPOCH): string {
    return laterOf(at, this.#publicTime)
  }

  /**
   * Writes an event.
   *
   * @param audience - Who may see it. `undefined`: it gets no label.
   * @param timestamp - The time of an event that all readers of this one see: others must not learn of it.
   */
  write(event: Untimed, audience: readonly Audience[] | undefined, timestamp: string): void {
    const { contextId, taskId, parentTaskId, path } = this.task
    const { kind, ...fields } = labelled(event, audience) as Untimed & Record<string, unknown>
    const written = {
      kind,
      contextId,
      taskId,
      ...(parentTaskId === null ? {} : { parentTaskId }),
      ...(path !== undefined && this.#statesPath(path) ? { path: [...path] } : {}),
      ...fields,
      timestamp,
    } as unknown as ContextAnyEvent
    if (parentTaskId === null && !RESTRICTED.has(kind) && labelOf(written) === undefined) {
      this.#publicTime = laterOf(timestamp, this.#publicTime)
    }
    this.#events.push(written)
  }

  /** Whether an event states the path of the task: the first one does; if the path is short, each does. */
  #statesPath(path: readonly string[]): boolean {
    this.#isPathShort ??= path.join().length <= MAX_PATH_LENGTH
    const isFirst = !this.#hasPath
    this.#hasPath = true
    return isFirst || this.#isPathShort
  }
}

/** A longer path, in characters, is stated once: in each of many events, it would make the list quadratic. */
const MAX_PATH_LENGTH = 256

/** The timestamp of an event if there is no time that all its readers have been shown. */
const EPOCH = '1970-01-01T00:00:00Z'

/** The kinds that some viewers are not shown. Of subtasks, these may be any. */
const RESTRICTED: ReadonlySet<string> = new Set([
  'thought-delta',
  'thought-stream',
  'tool-arguments-delta',
  'auth-completed',
  'custom',
])

/** An event with a label. */
function labelled(event: Untimed, audience: readonly Audience[] | undefined): object {
  if (audience === undefined) return event
  const { metadata } = event as { readonly metadata?: object }
  return { ...event, metadata: { ...metadata, audience: [...audience] } }
}

/** The later of two timestamps. */
export function laterOf(a: string, b: string | null): string {
  return b !== null && isLater(b, a) ? b : a
}

/** Whether a timestamp is later than another. */
export function isLater(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b)
}
