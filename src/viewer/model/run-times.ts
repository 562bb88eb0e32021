/** How long tools run, as `turnstream inspect` reports it. */
import type { ToolCompleteEvent } from '../../events/tool.ts'
import { runTimeOf, UNKNOWN_TIME } from '../../inspect/index.ts'
import type { RecordedEvent } from './recorded-event.ts'
import type { Row } from './row.ts'
import { textOf } from './row-fields.ts'

/** Measures the calls of tools. */
export class RunTimes {
  readonly #startedAt = new WeakMap<Row, number | undefined>()

  /** Adds an event of a call. */
  add(row: Row, event: RecordedEvent): void {
    if (event.kind === 'tool-start') {
      this.#startedAt.set(row, timeOf(event))
      delete row.ranMs
    }
    if (event.kind !== 'tool-complete') return
    const complete = event as ToolCompleteEvent
    const ranMs = runTimeOf(complete, this.#startedAt.get(row), timeOf(event))
    if (Number.isFinite(ranMs)) row.ranMs = ranMs as number
  }
}

/** The time of an event in milliseconds; `undefined` if the recording states none. */
function timeOf(event: RecordedEvent): number | undefined {
  const timestamp = textOf(event.timestamp)
  const time = timestamp === UNKNOWN_TIME ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(time) ? undefined : time
}
