/** The contracts of the library: machines, steps, diagnostics and decode results. */

export type { DecodeResult, Issue, IssueCode, UnknownEvent } from './decode-result.ts'
export {
  type IterateOptions,
  iterate,
  iterateBatches,
  type TransformOptions,
  transform,
} from './iterate.ts'
export type { JsonValue } from './json-value.ts'
export {
  type Diagnostic,
  type Machine,
  pipe,
  type Runner,
  type RunOptions,
  run,
  type Step,
} from './machine.ts'
export type { MachineState } from './machine-state.ts'
export type { Source } from './source.ts'
