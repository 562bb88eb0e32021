/** The contracts of the library: machines, steps, diagnostics and decode results. */

export type { DecodeResult, Issue, UnknownEvent } from './decode-result.ts'
export { iterate, iterateBatches, transform } from './iterate.ts'
export type { JsonValue } from './json-value.ts'
export { type Diagnostic, type Machine, pipe, type Runner, run, type Step } from './machine.ts'
export type { MachineState } from './machine-state.ts'
export type { Source } from './source.ts'
