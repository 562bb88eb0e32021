/** The machine of a reader. */

import { foreignForm, isOfApi, isRaw } from '../../core/apis.ts'
import { asJsonMessage, type JsonMessage } from '../../core/json-message.ts'
import type { Diagnostic, Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { jsonText } from '../../json/json-text.ts'
import { isFields } from '../../validation/predicates.ts'
import { splitField, withField } from './beside.ts'
import { type LabelRules, withOwnLabels } from './labels.ts'
import { unicodeEvents } from './unicode.ts'

/** What is no event of the protocol. */
interface Foreign {
  /** What it was: each is reported once. */
  readonly forms: readonly string[]
  /** Whether nothing else was sent, so that what cannot be read is of that API, too. */
  readonly isAll: boolean
}

/** So many forms are reported. */
const MAX_FORMS = 64

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

/**
 * Names what is no event of the protocol: what another API sends, values that are no objects, bytes and text that are not decoded. Each
 * is reported once, as the rest of the stream is the same. Until an event was read, so is what has the same fault.
 */
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
      const value = asJsonMessage(input)?.value ?? input
      const form = report === undefined ? 'own' : formOf(value, names)
      if (form === 'own') {
        if (known === undefined) return step
        return { ...step, state: withField(step.state, FOREIGN, { ...known, isAll: false }) }
      }
      const { forms, isAll } = known ?? { forms: [], isAll: isUntouched(own, machine.initial) }
      const isEvent = form === '' && isFields(value)
      const isRest = isEvent && isAll && forms.some(isOfApi)
      // After events of the protocol, one with a fault is another one.
      if (isEvent && !isRest && !(isAll && isNoEvent(report)))
        return { ...step, state: withField(step.state, FOREIGN, { forms, isAll }) }
      const fault = isEvent
        ? `${report?.code} ${report?.path}`
        : Array.isArray(value)
          ? 'array'
          : typeof value
      const name = isRaw(form) ? 'raw' : form || fault
      if (isRest || forms.includes(name) || forms.length >= MAX_FORMS) return { state, out: [] }
      const hint = isRaw(form) ? '; jsonDecoder reads a body' : ''
      const message = form === '' ? report?.message : `Expected an event of ${names[0]}, got ${form}${hint}.`
      const next = withField(own, FOREIGN, { forms: [...forms, name], isAll })
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

/** Whether an input was reported as none of the protocol. */
function isNoEvent({ code, detail }: Partial<Diagnostic> = {}): boolean {
  return code === 'invalid-event' || (detail as { reason?: unknown } | undefined)?.reason === 'unknown-kind'
}

/** Whether nothing of a state has changed, also if it was stored. */
function isUntouched(state: object, initial: object): boolean {
  return jsonText(state) === jsonText(initial)
}
