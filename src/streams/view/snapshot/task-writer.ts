/** Writing the events of one task of a view: with its context, with labels, in the order of time. */

import type { AnyEvent, ContextAnyEvent } from '../../../events/event.ts'
import type { Audience } from '../../access/audience.ts'
import type { TaskView } from '../view.ts'

/** An event without its timestamp. */
export type Untimed = AnyEvent extends infer E ? (E extends AnyEvent ? Omit<E, 'timestamp'> : never) : never

/** What the first event of a part determines. */
interface Beginning {
  readonly at: string
  readonly audience?: readonly Audience[] | undefined
}

/** Appends the events of one task to a list. */
export class TaskWriter {
  readonly task: TaskView
  readonly #events: ContextAnyEvent[]
  /** The latest timestamp so far. */
  #time: string | null = null
  #last: Written | undefined
  #hasPath = false
  #isPathShort: boolean | undefined

  constructor(task: TaskView, events: ContextAnyEvent[]) {
    this.task = task
    this.#events = events
  }

  /** Returns a function that writes the events of one part. The first of them has the timestamp of the part. */
  part({ at, audience }: Beginning): (event: Untimed) => void {
    let isFirst = true
    return (event) => {
      this.write(event, audience, isFirst ? at : undefined)
      isFirst = false
    }
  }

  /**
   * Writes an event.
   *
   * @param audience - Who may see it. Omitted: it gets no label.
   * @param at - Its timestamp. Defaults to that of the latest event before it.
   */
  write(event: Untimed, audience?: readonly Audience[], at?: string): void {
    const { contextId, taskId, parentTaskId, path } = this.task
    const timestamp = at ?? this.#time ?? this.task.updatedAt ?? EPOCH
    const { kind, ...fields } = labelled(event, audience) as Untimed & Record<string, unknown>
    const written: Written = {
      kind,
      contextId,
      taskId,
      ...(parentTaskId === null ? {} : { parentTaskId }),
      ...(path !== undefined && this.#statesPath(path) ? { path: [...path] } : {}),
      ...fields,
      timestamp,
    }
    this.#time = laterOf(timestamp, this.#time)
    this.#last = at === undefined || SERIES.has(kind) ? written : undefined
    this.#events.push(written as unknown as ContextAnyEvent)
  }

  /** Whether an event states the path of the task: the first one does; if the path is short, each does. */
  #statesPath(path: readonly string[]): boolean {
    this.#isPathShort ??= path.join().length <= MAX_PATH_LENGTH
    const isFirst = !this.#hasPath
    this.#hasPath = true
    return isFirst || this.#isPathShort
  }

  /** Gives the last event the time of the latest event of the task, unless its time is that of a part. */
  end(): void {
    const last = this.#last
    const { updatedAt } = this.task
    if (last === undefined || updatedAt === null || updatedAt === last.timestamp) return
    if (SERIES.has(last.kind)) last.timestampEnd = updatedAt
    else last.timestamp = updatedAt
  }
}

interface Written {
  readonly kind: string
  timestamp: string
  timestampEnd?: string
  [field: string]: unknown
}

/** A longer path, in characters, is stated once: in each of many events, it would make the list quadratic. */
const MAX_PATH_LENGTH = 256

/** The timestamp of a task without any, in a view that was not made by folding. */
const EPOCH = '1970-01-01T00:00:00Z'

/** The kinds whose events may cover a span of time. */
const SERIES: ReadonlySet<string> = new Set([
  'content-delta',
  'thought-delta',
  'tool-arguments-delta',
  'file-write',
  'dataset-write',
])

/** An event with a label. */
function labelled(event: Untimed, audience: readonly Audience[] | undefined): object {
  if (audience === undefined) return event
  const { metadata } = event as { readonly metadata?: object }
  return { ...event, metadata: { ...metadata, audience: [...audience] } }
}

/** The later of two timestamps. */
export function laterOf(a: string, b: string | null): string {
  return b !== null && Date.parse(b) > Date.parse(a) ? b : a
}
