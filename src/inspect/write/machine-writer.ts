/** Running a machine that writes events. */

import type { Machine, Step } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'

/** What one event is written as. */
export type Written = Omit<Step<unknown, unknown>, 'state'>

/** Writes events. */
export interface EventWriter {
  push(event: ContextAnyEvent): Written
  /** Writes what was held back, and the end of what has none. */
  end(): Written
}

/** A machine that writes events. */
export type WriterMachine<State, Out> = Machine<State, ContextAnyEvent, Out, never>

/** Runs a machine. It may continue after its end, as far as its state does. */
export function machineWriter<State, Out>(machine: WriterMachine<State, Out>): EventWriter {
  let state = machine.initial
  const keep = (step: Step<State, Out>): Written => {
    state = step.state
    return step
  }
  return {
    push: (event) => keep(machine.step(state, event)),
    end: () => keep(machine.end(state)),
  }
}
