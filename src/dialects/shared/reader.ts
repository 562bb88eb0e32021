/** The machine of a reader. */

import { foreignForm, isRaw } from '../../core/apis.ts'
import { asJsonMessage, type JsonMessage } from '../../core/json-message.ts'
import type { Diagnostic, Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { splitField, withField } from './beside.ts'
import { type LabelRules, withOwnLabels } from './labels.ts'
import { unicodeEvents } from './unicode.ts'

/** What another API has sent. */
interface Foreign {
  /** What it was: each is reported once. */
  readonly forms: readonly string[]
  /** Whether nothing else was sent, so that what cannot be read is of that API, too. */
  readonly isAll: boolean
}

const FOREIGN = '~foreign'

/**
 * Makes a reader of the values of a protocol one that reads messages of `jsonDecoder` as well, and whose events are Unicode and have
 * labels of its own.
 *
 * @param names - Of the protocol, as `apiOf` has them; the first is shown.
 */
export function reader<Name extends string, State extends object, In extends object, Out extends object>(
  names: readonly [shown: string, ...string[]],
  machine: Machine<State, In, Out>,
  labels: LabelRules = {},
): Machine<MachineState<Name>, In | JsonMessage, Out> {
  const reading: Machine<State, In | JsonMessage, Out> = {
    ...machine,
    step(state, input) {
      const message = asJsonMessage(input)
      return machine.step(state, (message === undefined ? input : message.value) as In)
    },
  }
  return opaque(unicodeEvents(withOwnLabels(named(names, reading), labels)))
}

/** Names what another API sends, and bytes and text that are not decoded: each once, as the rest of the stream is the same. */
export function named<State extends object, In, Out>(
  names: readonly [shown: string, ...string[]],
  machine: Machine<State, In, Out>,
): Machine<State, In, Out> {
  return {
    initial: machine.initial,
    step(state, input) {
      const [own, known] = splitField<State, Foreign>(state, FOREIGN)
      const step = machine.step(own, input)
      const report = step.out.length === 0 ? step.diagnostics?.at(-1) : undefined
      const form = report === undefined ? 'own' : formOf(asJsonMessage(input)?.value ?? input, names)
      if (form === 'own' || form === '') {
        if (known === undefined) return step
        if (form === '' && known.isAll) return { state, out: [] }
        return { ...step, state: withField(step.state, FOREIGN, { ...known, isAll: false }) }
      }
      const { forms, isAll } = known ?? { forms: [], isAll: !isRaw(form) && isEqual(own, machine.initial) }
      if (forms.some((other) => other === form || (isRaw(other) && isRaw(form)))) return { state, out: [] }
      const hint = isRaw(form) ? '; jsonDecoder reads a body' : ''
      const message = `Expected an event of ${names[0]}, got ${form}${hint}.`
      const next = withField(own, FOREIGN, { forms: [...forms, form], isAll })
      return { state: next, out: [], diagnostics: [{ ...report, message } as Diagnostic] }
    },
    end: (state) => machine.end(splitField(state, FOREIGN)[0]),
  }
}

function formOf(value: unknown, names: readonly string[]): string {
  try {
    return foreignForm(value, names)
  } catch {
    // A value with a getter or proxy that throws.
    return ''
  }
}

function isEqual(state: object, initial: object): boolean {
  return JSON.stringify(state) === JSON.stringify(initial)
}
