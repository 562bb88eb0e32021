/**
 * The property that every exported machine must have: its state is plain JSON, it mutates nothing, and what it reports
 * stands alone.
 *
 * Each area has a `machine-law.test.ts` with one line per machine.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Diagnostic, Machine, Step } from '../../src/core/machine.ts'
import { runs } from './runs.ts'

/** Runs a machine over inputs; `between` is applied to the state after each input. */
function runAll<State, In, Out, End>(
  machine: Machine<State, In, Out, End>,
  inputs: readonly In[],
  reason: End | undefined,
  between: (state: State) => State,
): { out: readonly Out[]; diagnostics: readonly Diagnostic[]; state: State } {
  const out: Out[] = []
  const diagnostics: Diagnostic[] = []
  let state = between(machine.initial)
  const apply = (step: Step<State, Out>): void => {
    out.push(...step.out)
    diagnostics.push(...(step.diagnostics ?? []))
    state = between(step.state)
  }
  for (const input of inputs) apply(machine.step(state, input))
  apply(machine.end(state, reason))
  return { out, diagnostics, state }
}

function deepFreeze<T>(value: T): T {
  // A non-empty typed array cannot be frozen; the comparison with the copy covers it.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** The value with `0` for each `-0`, as `JSON.stringify` writes it. A machine can read the text `-0`. */
function withoutNegativeZero<T>(value: T): T {
  if (typeof value === 'number') return (value + 0) as T
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(withoutNegativeZero) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutNegativeZero(each)]),
  ) as T
}

function hasUndefined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined
  return !ArrayBuffer.isView(value) && Object.values(value).some(hasUndefined)
}

/** Whether a diagnostic stands alone: its code is one of a family, `lossy:<what>`, and its message is a sentence. */
export function standsAlone({ code, message, path }: Diagnostic): boolean {
  // A field may have an empty name.
  const isNamed = !/^[a-z-]+:$/.test(code) || path?.endsWith('/') === true
  return isNamed && /^[a-z]+(-[a-z]+)*(:.*)?$/s.test(code) && /^\S.*\w.*\.$/s.test(message)
}

/** Checks one machine over generated inputs: frozen and JSON-serialized states give the same results. */
export function expectMachineLaw<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  input: fc.Arbitrary<In>,
  options: { reason?: fc.Arbitrary<End | undefined>; runs?: number } = {},
): void {
  const reason: fc.Arbitrary<End | undefined> = options.reason ?? fc.constant(undefined)
  fc.assert(
    fc.property(fc.array(input, { maxLength: 12 }), reason, (inputs, end) => {
      const before = structuredClone(inputs)
      const plain = runAll(machine, inputs, end, (state) => state)
      const frozen = runAll(machine, deepFreeze(structuredClone(inputs)), end, deepFreeze)
      const stored = runAll(machine, inputs, end, throughJson)
      expect(frozen).toEqual(plain)
      expect(withoutNegativeZero(stored)).toEqual(withoutNegativeZero(plain))
      expect(inputs).toEqual(before)
      // A field that is missing is not there, instead of `undefined`. Values of the input are passed on as they are.
      const { out, diagnostics } = withoutNegativeZero(plain)
      if (!hasUndefined(inputs)) {
        expect({ out, diagnostics }).toStrictEqual(throughJson({ out, diagnostics }))
      }
      expect(plain.diagnostics.filter((diagnostic) => !standsAlone(diagnostic))).toEqual([])
    }),
    { numRuns: runs(options.runs ?? 200) },
  )
}
