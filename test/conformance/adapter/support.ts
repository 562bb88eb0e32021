/** Shared by the handlers of suites: running machines, and removing what is for people only. */
import { type Machine, run } from '../../../src/core/machine.ts'

/** Gives the output of one suite for the input of a case. */
// biome-ignore lint/suspicious/noExplicitAny: inputs are data, of the shape that conformance/README.md states.
export type Handler = (input: any) => unknown | Promise<unknown>

export type Handlers = Readonly<Record<string, Handler>>

/** Runs a machine over all inputs and its end. Diagnostics are their codes, in order. */
export function through<In, Out, End = undefined>(
  machine: Machine<unknown, In, Out, End>,
  inputs: readonly In[],
  ...end: [End?]
): { out: Out[]; diagnostics: string[] } {
  const diagnostics: string[] = []
  const runner = run(machine as Machine<unknown, In, Out, End | undefined>, {
    onDiagnostic: ({ code }) => diagnostics.push(code),
  })
  const out = inputs.flatMap((input) => [...runner.push(input)])
  out.push(...runner.end(...end))
  return { out, diagnostics }
}

/** A copy of an object with these members only, as far as it has them. */
export function pick(value: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}
