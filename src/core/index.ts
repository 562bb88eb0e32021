/** What everything is made of: machines, steps, diagnostics, decode results and schemas. */

export type { Decoded, Issue, IssueCode, UnknownEvent } from './decoded.ts'
export {
  type IterateOptions,
  iterate,
  iterateBatches,
  type Machine,
  type Note,
  pipe,
  type Run,
  type RunOptions,
  run,
  type Source,
  type Step,
  type TransformOptions,
  transform,
} from './machine.ts'
export type { JsonValue, Schema } from './schema.ts'
