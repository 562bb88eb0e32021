/** What reads the values of a dialect as events. */

import type { Diagnostic, Machine } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { RecordedValue } from '../recording/recorded.ts'

/** An event, and where it comes from. */
export interface ReadEvent {
  readonly event: ContextAnyEvent
  readonly line: number
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
  const own = machine({ now: () => at })
  let state = own.initial
  const outputs = (step: ReturnType<typeof own.end>): CoreOutput[] => {
    state = step.state
    const out: CoreOutput[] = []
    for (const diagnostic of step.diagnostics ?? []) out.push({ diagnostic, line })
    for (const event of step.out) out.push({ event, line })
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

/** Whether a recorded time can be one of an event. */
export function isTime(at: number | string): boolean {
  if (typeof at === 'number') return Number.isFinite(at) && at >= 0 && at < 253_402_300_800_000
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(at) && !Number.isNaN(Date.parse(at))
}
