/** Compact descriptions of values: what a validator accepts, as data. */

import type { Check } from './report.ts'

/**
 * What a value must be. Written by `npm run gen` from the zod schemas, which stay the source of truth.
 *
 * - `any`: any value that is present
 * - `text`, `id`, `boolean`, `null`: a string, a non-empty string, a boolean, `null`
 * - `instant`: an RFC 3339 date-time with zone
 * - `['int', min, max]`, `['number', min, max]`: a safe integer or finite number, within bounds if there are any, inclusive
 * - `['of', …]`: one of the listed values
 * - `['like', pattern]`: a string that matches
 * - `['list', item, min]`: an array of items, at least `min` of them
 * - `['fields', { name: shape }]`: an object; other fields pass
 * - `['only', { name: shape }, noOthers]`: an object without other fields, with the check of `union.ts`
 * - `['or', [shape, …], union]`: at least one of the shapes, with the check of `union.ts`
 * - `['by', tag, { value: shape }]`: an object, of the shape its tag selects
 * - `['maybe', shape]`: may be absent; `null` counts as absent unless the shape accepts it
 * - `['nullable', shape]`: the shape or `null`
 */
export type Shape =
  | 'any'
  | 'text'
  | 'id'
  | 'boolean'
  | 'null'
  | 'instant'
  | readonly ['int', min?: number, max?: number]
  | readonly ['number', min?: number, max?: number]
  | readonly ['of', ...values: readonly unknown[]]
  | readonly ['like', pattern: TextFormat]
  | readonly ['list', item: Shape, min?: number]
  | readonly ['fields', fields: ShapeFields]
  | readonly ['only', fields: ShapeFields, check: CheckMaker<ShapeFields>]
  | readonly ['or', options: readonly Shape[], check: CheckMaker<readonly Shape[]>]
  | readonly ['by', tag: string, shapes: ShapeFields]
  | readonly ['maybe', shape: Shape]
  | readonly ['nullable', shape: Shape]

/**
 * Makes the check of a shape that few vocabularies have: who needs none does not bundle it. `objectCheck` makes the check of an
 * object with some fields.
 */
export type CheckMaker<T> = (parts: T, objectCheck: (fields: ShapeFields) => Check) => Check

/** The shapes of an object's fields, in the order in which faults are reported. */
export type ShapeFields = Readonly<Record<string, Shape>>

/** A format of strings: a regular expression, or one of `formats.ts`. */
export interface TextFormat {
  /** Whether a string has the format. */
  test(text: string): boolean
  /** What a string is to match, for messages. */
  toString(): string
}
