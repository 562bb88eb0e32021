/** Reading the values of one format: as events, and against its rules. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { VerifyMode } from '../../rules/rule.ts'
import { eventChecker, loadChecker } from '../check/checker.ts'
import { type Finding, severityOf } from '../check/finding.ts'
import { type Dialect, providerDialects } from '../dialects.ts'
import { type CoreOutput, type NextResponse, timeOf } from '../read/event-reader.ts'
import { toCoreEvents } from '../read/to-core-events.ts'
import type { RecordedFault, RecordedValue } from '../recording/recorded.ts'

/** Where something is: the line, and the place in a HAR file. */
export type Place = Pick<Finding, 'line' | 'entry' | 'bodyLine'>

/** How many values and events of a recording were read. */
export interface Counts {
  values: number
  events: number
}

/** Reads values, and reports what they hold and what is wrong. */
export interface ValueReader {
  push(recorded: RecordedValue): void
  end(): void
}

/**
 * Where findings come from: the rules of the format, or what reading it as events loses, infers and rejects. `rules` of a
 * format without rules of its own are those of the events.
 */
export type FindingSource = 'all' | 'rules' | 'mapping'

/** What a {@link ValueReader} takes. */
export interface ValueReaderOptions {
  readonly mode: VerifyMode
  readonly findings: FindingSource
  readonly next: NextResponse
  /** How many values and events of the recording came before. */
  readonly counts: Readonly<Counts>
  readonly onEvent: (event: ContextAnyEvent, place: Place, timeMs: number | undefined) => void
  readonly onFinding: (finding: Finding) => void
  /** Called for a value that is no valid event, if a broken rule is reported for it instead. */
  readonly onInvalid?: (() => void) | undefined
}

/** Loads the reader of the values of a format. */
export async function valueReader(dialect: Dialect, options: ValueReaderOptions): Promise<ValueReader> {
  const { mode, findings, next, counts, onEvent, onFinding, onInvalid } = options
  const reader = await toCoreEvents(dialect, next)
  const checker = findings === 'mapping' ? undefined : await loadChecker(dialect, mode)
  const events = findings === 'mapping' || checker !== undefined ? undefined : eventChecker(mode)
  let last: Place = { line: 1 }
  /** Whether what checks the rules reports that the value is no valid event. */
  let isReported = false

  let indexes: Pick<Finding, 'valueIndex' | 'eventIndex'> = {}

  function report(finding: Finding): void {
    onFinding({ ...finding, ...indexes, ...(last.entry !== undefined && last) })
  }

  function readOutput(output: CoreOutput): void {
    if ('event' in output) {
      indexes = { ...indexes, eventIndex: counts.events }
      events?.push(output.event, output.line).forEach(report)
      onEvent(output.event, last.entry === undefined ? { line: output.line } : last, timeOf(output))
      return
    }
    const { code, message, path } = output.diagnostic
    // The rules of the dialect have found it already.
    if (checker !== undefined && code === 'invalid-event') {
      if (!isReported) onInvalid?.()
      return
    }
    if (checker !== undefined && findings === 'rules') return
    const severity = checker === undefined ? severityOf(code) : 'info'
    const field = path !== undefined && path !== '' ? { path } : {}
    report({ code, severity, message, line: output.line, ...field })
  }

  return {
    push(recorded) {
      last = placeOf(recorded)
      const broken = checker?.push(recorded.value, recorded.line) ?? []
      isReported = broken.some(({ code }) => code === 'invalid-event')
      const outputs = reader.push(recorded)
      const hasEvent = outputs.some((output) => 'event' in output)
      indexes = { valueIndex: counts.values, ...(hasEvent && { eventIndex: counts.events }) }
      broken.forEach(report)
      outputs.forEach(readOutput)
    },
    end() {
      indexes = {}
      checker?.end().forEach(report)
      reader.end().forEach(readOutput)
      indexes = {}
      // The response of a model is a part of a task: what follows is elsewhere.
      if (!providerDialects.has(dialect)) events?.end().forEach(report)
    },
  }
}

/** Where a value or a fault is. */
export function placeOf({ line, entry, bodyLine }: RecordedValue | RecordedFault): Place {
  return {
    line,
    ...(entry !== undefined && { entry: entry.number }),
    ...(bodyLine !== undefined && { bodyLine }),
  }
}
