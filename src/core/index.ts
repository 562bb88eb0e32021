/** What everything is made of: machines, steps, diagnostics, decode results and schemas. */

export type { DecodeResult, Issue, IssueCode, UnknownEvent } from './decoded.ts'
export {
  type Diagnostic,
  type IterateOptions,
  iterate,
  iterateBatches,
  type Machine,
  pipe,
  type Runner,
  type RunOptions,
  run,
  type Source,
  type Step,
  type TransformOptions,
  transform,
} from './machine.ts'
export type { MachineState } from './machine-state.ts'
export type { JsonValue, Schema } from './schema.ts'
