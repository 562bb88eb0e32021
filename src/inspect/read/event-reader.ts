/** What reads the values of a dialect as events. */

import type { Diagnostic, Machine } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { RecordedValue } from '../recording/recorded.ts'

/** An event, and where it comes from. */
export interface ReadEvent {
  readonly event: ContextAnyEvent
  readonly line: number
  /** Whether the recording states no time of it: its timestamp was inferred. Omitted if it states one. */
  readonly isTimeless?: boolean
}

/** What a mapper reports, and where. */
export interface ReadDiagnostic {
  readonly diagnostic: Diagnostic
  readonly line: number
}

/** One output of an {@link EventReader}. */
export type CoreOutput = ReadEvent | ReadDiagnostic

/** Reads recorded values as events of the core vocabulary. */
export interface EventReader {
  /** Reads one value. */
  push(recorded: RecordedValue): CoreOutput[]
  /** Ends the recording. Outputs have the line of the last value. */
  end(): CoreOutput[]
}

/** Counts the responses of a recording: from 1. Readers of formats that name no tasks name them by it. */
export type NextResponse = () => number

/** The time of events whose recording states none. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z'

/** The clock of a recording: the time of the value that is read. */
export interface RecordedClock {
  now(): number | string
}

/**
 * A reader that runs a machine.
 *
 * @param machine - Called with the clock. Takes values, or what `input` makes of them.
 */
export function machineReader<State, In>(
  machine: (clock: RecordedClock) => Machine<State, In, ContextAnyEvent, never>,
  input: (recorded: RecordedValue) => In = ({ value }) => value as In,
): EventReader {
  let line = 0
  let at: number | string = UNKNOWN_TIME
  /** Whether this step asked for the time of a recording that states none. */
  let isAsked = false
  const now = (): number | string => {
    isAsked = at === UNKNOWN_TIME
    return at
  }
  const own = machine({ now })
  let state = own.initial
  const outputs = (step: ReturnType<typeof own.end>): CoreOutput[] => {
    state = step.state
    const out: CoreOutput[] = []
    for (const diagnostic of step.diagnostics ?? []) out.push({ diagnostic, line })
    for (const event of step.out) {
      // Others have the time of an event before.
      const isTimeless = isAsked && event.timestamp === UNKNOWN_TIME
      out.push({ event, line, ...(isTimeless && { isTimeless }) })
    }
    isAsked = false
    return out
  }
  return {
    push(recorded) {
      line = recorded.line
      if (recorded.at !== undefined && isTime(recorded.at)) at = recorded.at
      return outputs(own.step(state, input(recorded)))
    },
    end: () => outputs(own.end(state)),
  }
}

/** The time of an event in milliseconds; `undefined` if the recording states none. */
export function timeOf({ event, isTimeless = false }: ReadEvent): number | undefined {
  const time = isTimeless ? Number.NaN : Date.parse(event.timestamp)
  return Number.isNaN(time) ? undefined : time
}

/** Whether a recorded time can be one of an event. */
export function isTime(at: number | string): boolean {
  if (typeof at === 'number') return Number.isFinite(at) && at >= 0 && at < 253_402_300_800_000
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(at) && !Number.isNaN(Date.parse(at))
}
