/** The report as JSON, written while the recording is read: it may hold more events than fit in memory. */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Detection } from '../../inspect/detect/detect.ts'
import type { Report } from '../../inspect/report/report.ts'
import { jsonText } from '../escape.ts'

/** Writes `{ dialect, runnerUp?, events, dialects?, tasks, diagnostics, totals }`, one event a line. */
export class JsonReport {
  #hasEvents = false

  /** The beginning, up to the events. */
  start({ dialect, runnerUp }: Detection): string {
    const fields = { dialect: dialect ?? null, ...(runnerUp !== undefined && { runnerUp }) }
    return `${jsonText(fields, 2).slice(0, -2)},\n  "events": [`
  }

  event(event: ContextAnyEvent): string {
    const separator = this.#hasEvents ? ',' : ''
    this.#hasEvents = true
    return `${separator}\n    ${jsonText(event)}`
  }

  /** The rest, after the last event. */
  end({ dialects, tasks, diagnostics, totals }: Report): string {
    const rest = jsonText({ dialects, tasks, diagnostics, totals }, 2).slice(2)
    return `${this.#hasEvents ? '\n  ' : ''}],\n${rest}\n`
  }
}
