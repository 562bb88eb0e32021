/** The sources of the schemas of one vocabulary. */
import type * as z from 'zod/mini'
import type { DecodeResult } from '../../src/core/decode-result.ts'

/** One vocabulary in one version: `schemas/<name>/<version>/`. */
export interface Dialect {
  readonly name: string
  readonly version: string
  /** Name of the union of all events. */
  readonly title: string
  readonly description: string
  /** The discriminant of events. */
  readonly tag: string
  /** The schema of each event by its tag. */
  readonly schemas: Readonly<Record<string, z.core.$ZodType>>
  /** The schema of an event with an unknown tag. */
  readonly envelope: z.core.$ZodType
  /** The declaration of the union type: the source of names and descriptions. */
  readonly type: { readonly file: string; readonly name: string }
  /** Descriptions of fields that the types do not describe, as `Type.field` or `*.field`. */
  readonly descriptions: Readonly<Record<string, string>>
  /** The decoder that must accept the same values as the schemas. */
  readonly decode: (value: unknown) => DecodeResult<unknown, unknown>
}
