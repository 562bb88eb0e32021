/** A recording: its events with their times, rows, views and problems. It grows while it is read. */

import type { Usage } from '../../events/usage.ts'
import { LossCounts } from './loss-counts.ts'
import { type NewProblem, ProblemList } from './problem-list.ts'
import { RawLines } from './raw-lines.ts'
import type { RecordedEvent } from './recorded-event.ts'
import type { Row } from './row.ts'
import { isFailure } from './row-fields.ts'
import { Timeline } from './timeline.ts'
import { ViewHistory } from './view-history.ts'

/** The kinds of events that state tokens. */
const counted: ReadonlySet<string> = new Set(['content-complete', 'task-status', 'task-complete'])

export class Recording {
  readonly events: RecordedEvent[] = []
  /** The line of each event, from 1. 0 if unknown. */
  readonly lines: number[] = []
  /** What came. `undefined` if it has no lines of text. */
  raw: RawLines | undefined = new RawLines()
  /** The time of each event, in milliseconds since the first one. Never decreases. */
  readonly times: number[] = []
  readonly timeline: Timeline = new Timeline()
  readonly history: ViewHistory = new ViewHistory(this.events)
  readonly problems: ProblemList = new ProblemList(this)
  /** What of the recording is not in its events, as reading it reported. */
  readonly losses: LossCounts = new LossCounts()
  /** Indexes of the events that state that something has failed. */
  readonly failures: Set<number> = new Set()
  /** Number of events by kind. */
  readonly kinds: Map<string, number> = new Map()
  /** Tokens, as the tasks state them at their ends, or else as each text does. */
  readonly tokens: { input: number; output: number } = { input: 0, output: 0 }
  readonly #textTokens = new Map<string, { input: number; output: number }>()
  #startMs: number | undefined

  /** Adds an event. `line` is its line in the recording, from 1. */
  add(event: RecordedEvent, line = 0): void {
    const ms = this.#timeOf(event)
    if (isFailure(event)) this.failures.add(this.events.length)
    this.events.push(event)
    this.lines.push(line)
    this.times.push(ms)
    this.kinds.set(event.kind, (this.kinds.get(event.kind) ?? 0) + 1)
    this.#count(event, this.timeline.add(event, ms))
    this.problems.settle()
  }

  /** Adds a problem; see {@link ProblemList.add}. */
  report(problem: NewProblem, isOfLine?: boolean): void {
    this.problems.add(problem, isOfLine)
  }

  /** What came of an event. Empty if it is not known. */
  rawOf(index: number): string {
    const { lines, raw } = this
    const line = lines[index] ?? 0
    return line === 0
      ? ''
      : (raw?.textAt(
          line,
          lines.find((other, i) => i > index && other > line),
        ) ?? '')
  }

  /** Number of tasks. */
  get tasks(): number {
    return this.timeline.tasks
  }

  /** Whether the times of the events differ. */
  get hasTimes(): boolean {
    return (this.times.at(-1) ?? 0) > 0
  }

  /** Adds the tokens of an event. What a task states replaces what its texts stated. */
  #count(event: RecordedEvent, row: Row): void {
    if (!counted.has(event.kind)) return
    const { metadata = {} } = event as { readonly metadata?: { readonly usage?: unknown } }
    const { usage } = metadata
    if (usage === undefined) return
    const { input, output } = tokensOf(usage)
    row.tokens = { input, output }
    const key = `${event.contextId}\n${event.taskId}`
    const before = this.#textTokens.get(key) ?? { input: 0, output: 0 }
    const isTotal = event.kind === 'task-complete'
    this.tokens.input += input - (isTotal ? before.input : 0)
    this.tokens.output += output - (isTotal ? before.output : 0)
    this.#textTokens.set(key, { input: before.input + input, output: before.output + output })
  }

  #timeOf(event: RecordedEvent): number {
    const before = this.times.at(-1) ?? 0
    const ms = typeof event.timestamp === 'string' ? Date.parse(event.timestamp) : Number.NaN
    if (Number.isNaN(ms)) return before
    this.#startMs ??= ms
    return Math.max(before, ms - this.#startMs)
  }
}

/** The tokens of a list of usages. Anything else has none. */
function tokensOf(usage: unknown): { readonly input: number; readonly output: number } {
  const list: readonly Partial<Usage>[] = Array.isArray(usage) ? usage : []
  const sum = (field: 'inputTokens' | 'outputTokens'): number =>
    list.reduce((total, each) => total + (typeof each?.[field] === 'number' ? each[field] : 0), 0)
  return { input: sum('inputTokens'), output: sum('outputTokens') }
}
