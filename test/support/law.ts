/**
 * The law every exported machine obeys: its state is plain JSON, and nothing is mutated.
 *
 * A machine joins by one line in `test/machine-law.test.ts`.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Machine, Step } from '../../src/core/machine.ts'
import { runs } from './runs.ts'

/** Walks a machine over inputs; `between` is what happens to the state between two of them. */
function walk<State, In, Out, End>(
  machine: Machine<State, In, Out, End>,
  inputs: readonly In[],
  how: End | undefined,
  between: (state: State) => State,
): { out: readonly Out[]; diagnostics: readonly unknown[]; state: State } {
  const out: Out[] = []
  const diagnostics: unknown[] = []
  let state = between(machine.initial)
  const take = (step: Step<State, Out>): void => {
    out.push(...step.out)
    diagnostics.push(...(step.diagnostics ?? []))
    state = between(step.state)
  }
  for (const input of inputs) take(machine.step(state, input))
  take(machine.end(state, how))
  return { out, diagnostics, state }
}

function deepFreeze<T>(value: T): T {
  // A filled typed array cannot be frozen; `expectSameInput` compares it instead.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Checks the machine law for one machine over generated inputs. */
export function expectMachineLaw<State, In, Out, End = undefined>(
  machine: Machine<State, In, Out, End>,
  input: fc.Arbitrary<In>,
  options: { how?: fc.Arbitrary<End | undefined>; runs?: number } = {},
): void {
  const how: fc.Arbitrary<End | undefined> = options.how ?? fc.constant(undefined)
  fc.assert(
    fc.property(fc.array(input, { maxLength: 12 }), how, (inputs, end) => {
      const before = structuredClone(inputs)
      const plain = walk(machine, inputs, end, (state) => state)
      const frozen = walk(machine, deepFreeze(structuredClone(inputs)), end, deepFreeze)
      const stored = walk(machine, inputs, end, throughJson)
      expect(frozen).toEqual(plain)
      expect(stored).toEqual(plain)
      expect(inputs).toEqual(before)
    }),
    { numRuns: runs(options.runs ?? 200) },
  )
}
