/** Partial JSON: the value of JSON text that is still being written. */

import type { Diagnostic, Machine, Step } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { describeValue, requireString } from '../../core/require.ts'
import { Reader } from './reader.ts'
import { initialState, type PartialJson, type State, withValue } from './state.ts'

/** The result of {@link parsePartialJson}. */
export type ParsedPartialJson = PartialJson & {
  readonly verdict: 'complete' | 'incomplete' | 'invalid'
  /** Why the text is not complete JSON, with the position. Empty if it is. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Creates a machine that reads JSON text in pieces of any size, such as the arguments of a tool call while a model
 * writes them. Gives one {@link PartialJson} for each piece, also as fields of its state, and one with a verdict at
 * the end.
 *
 * The value is never repaired: it has only what every continuation of the text keeps, except that a repeated name
 * replaces the member. At the end of complete JSON it is what `JSON.parse` returns. Each character is read once,
 * and only the open arrays and objects are copied. Of an open array it has the first 1024 items, of an open object
 * the first 128 members, of nested ones the first 64 levels; the rest follows when the array or object ends.
 *
 * Diagnostics, with the position in characters from 0:
 * - `invalid-json`: a character that JSON does not allow; everything from there on is ignored
 * - `too-deep`: arrays and objects are nested more than 1000 levels deep
 * - `incomplete-json`: the text ended before the value did
 * - `invalid-type`: a piece was not a string and was ignored
 *
 * @example
 * ```ts
 * const json = run(partialJson())
 * json.push('{"city":"Par') // [{ value: { city: 'Par' }, complete: false, openPath: '/city' }]
 * json.push('is"}') // [{ value: { city: 'Paris' }, complete: true, openPath: null }]
 * ```
 */
export function partialJson(): Machine<MachineState<'partialJson', PartialJson>, string, PartialJson> {
  return opaque<'partialJson', PartialJson, State, string, PartialJson, undefined>(machine)
}

/** Shared by all: it has no options. */
const machine: Machine<State, string, PartialJson> = { initial: initialState, step, end }

/**
 * Reads JSON text that may be cut off.
 *
 * @throws TypeError if `text` is not a string.
 *
 * @example
 * ```ts
 * const { value, verdict } = parsePartialJson('{"a":[1,2') // { a: [1] }, 'incomplete'
 * ```
 */
export function parsePartialJson(text: string): ParsedPartialJson {
  requireString('text', text)
  const read = step(initialState, text)
  const ended = end(read.state)
  const [result] = ended.out as [ParsedPartialJson]
  return { ...result, diagnostics: [...(read.diagnostics ?? []), ...(ended.diagnostics ?? [])] }
}

function step(state: State, text: string): Step<State, PartialJson> {
  if (typeof text !== 'string') {
    const message = `Expected a string, got ${describeValue(text)}.`
    return { state, out: [partialOf(state)], diagnostics: [{ code: 'invalid-type', message }] }
  }
  return readJson(state, text)
}

/** Reads a piece of text; nothing of it is kept but what is open. */
export function readJson(state: State, text: string): Step<State, PartialJson> {
  const reader = new Reader(state, text)
  reader.read()
  return stepOf(reader)
}

function stepOf(reader: Reader): Step<State, PartialJson> {
  const state = reader.state()
  const out = [partialOf(state)]
  const { diagnostic } = reader
  return diagnostic === undefined ? { state, out } : { state, out, diagnostics: [diagnostic] }
}

function end(before: State): Step<State, PartialJson> {
  const reader = new Reader(before, '')
  reader.end()
  const state = reader.state()
  const partial = partialOf(state)
  if (state.mode === 'end') return { state, out: [{ ...partial, verdict: 'complete' }] }
  if (state.mode === 'invalid') return { state, out: [{ ...partial, verdict: 'invalid' }] }
  const { position, openPath } = state
  const message = `Expected ${reader.expected()} at position ${position}, got the end of the text.`
  const path = openPath ?? ''
  const diagnostic = { code: 'incomplete-json', message, path, detail: { position } }
  return { state, out: [{ ...partial, verdict: 'incomplete' }], diagnostics: [diagnostic] }
}

function partialOf({ value, complete, openPath }: State): PartialJson {
  const partial: PartialJson = { complete, openPath }
  return value === undefined ? partial : withValue(partial, value)
}
