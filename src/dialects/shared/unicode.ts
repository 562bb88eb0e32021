/** Unicode text at both ends of a mapper: no protocol carries half a surrogate pair. */

import type { Machine, Step } from '../../core/machine.ts'
import {
  droppedHalves,
  type Halves,
  isWhole,
  noHalves,
  type WholeText,
  wholeText,
} from '../../json/whole-text.ts'
import { splitField, withField } from './beside.ts'

/** The halves that wait. */
const HALVES = '~halves'

/**
 * Makes the texts of the events of a reader Unicode: joins pairs that are cut between two deltas. Reports `lossy:<field>`
 * for any other half.
 */
export function unicodeEvents<State, In, Out extends object, End>(
  machine: Machine<State, In, Out, End>,
): Machine<State, In, Out, End> {
  const repair = (step: Step<State, Out>, before: Halves): Step<State, Out> => {
    let halves = before
    if (step.out.every((event) => isWhole(event, halves))) return step
    const diagnostics = [...(step.diagnostics ?? [])]
    const out = step.out.map((event) => {
      const whole: WholeText<Out> = wholeText(event, halves)
      halves = whole.halves
      diagnostics.push(...whole.diagnostics)
      return whole.event
    })
    return { state: withHalves(step.state, halves), out, ...(diagnostics.length > 0 && { diagnostics }) }
  }
  return {
    initial: machine.initial,
    step(state, input) {
      const [inner, halves = noHalves] = splitField<State, Halves>(state, HALVES)
      return keep(repair(machine.step(inner, input), halves), halves)
    },
    end(state, reason) {
      const [inner, halves = noHalves] = splitField<State, Halves>(state, HALVES)
      return withDropped(keep(repair(machine.end(inner, reason), halves), halves))
    },
  }
}

/** {@link wholeText} for the input of a machine. */
export function stepWhole<State, In extends object, Out, End>(
  machine: Machine<State, In, Out, End>,
  state: State,
  input: In,
): Step<State, Out> {
  const [inner, before = noHalves] = splitField<State, Halves>(state, HALVES)
  if (isWhole(input, before)) return machine.step(inner, input)
  const { event, halves, diagnostics } = wholeText(input, before)
  const step = machine.step(inner, event)
  const all = [...diagnostics, ...(step.diagnostics ?? [])]
  return { state: withHalves(step.state, halves), out: step.out, ...(all.length > 0 && { diagnostics: all }) }
}

/** The end of a machine that takes its input from {@link stepWhole}. */
export function endWhole<State, In, Out, End>(
  machine: Machine<State, In, Out, End>,
  state: State,
  reason?: End,
): Step<State, Out> {
  const [inner, halves = noHalves] = splitField<State, Halves>(state, HALVES)
  const step = machine.end(inner, reason)
  return withDropped({ ...step, state: withHalves(step.state, halves) })
}

function withHalves<State>(state: State, halves: Halves): State {
  return withField(state, HALVES, halves === noHalves ? undefined : halves)
}

/** A step without texts leaves what waits as it is. */
function keep<State, Out>(step: Step<State, Out>, before: Halves): Step<State, Out> {
  return step.out.length > 0 || before === noHalves
    ? step
    : { ...step, state: withHalves(step.state, before) }
}

/** Reports what still waits at the end. */
function withDropped<State, Out>(step: Step<State, Out>): Step<State, Out> {
  const [state, halves] = splitField<State, Halves>(step.state, HALVES)
  if (halves === undefined) return step
  return { ...step, state, diagnostics: [...(step.diagnostics ?? []), ...droppedHalves(halves)] }
}
