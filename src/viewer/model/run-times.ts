/** How long tools run, as `agentwire inspect` reports it. */
import type { ToolCompleteEvent } from '../../events/tool.ts'
import { runTimeOf, timeOf } from '../../inspect/index.ts'
import type { RecordedEvent } from './recorded-event.ts'
import type { Row } from './row.ts'
import { textOf } from './row-fields.ts'

/** Measures the calls of tools. */
export class RunTimes {
  readonly #startedAt = new WeakMap<Row, number | undefined>()

  /** Adds an event of a call. */
  add(row: Row, event: RecordedEvent): void {
    if (event.kind === 'tool-start') {
      this.#startedAt.set(row, timeOf(textOf(event.timestamp)))
      delete row.ranMs
    }
    if (event.kind !== 'tool-complete') return
    const complete = event as ToolCompleteEvent
    const ranMs = runTimeOf(complete, this.#startedAt.get(row), timeOf(textOf(event.timestamp)))
    if (Number.isFinite(ranMs)) row.ranMs = ranMs as number
  }
}
