/** What the schemas of one vocabulary are written from. */
import type * as z from 'zod/mini'
import type { DecodeResult } from '../../src/core/decoded.ts'

/** One vocabulary in one version: `schemas/<name>/<version>/`. */
export interface Dialect {
  readonly name: string
  readonly version: string
  /** What the union of all events is called. */
  readonly title: string
  readonly description: string
  /** The field that tells events apart. */
  readonly tag: string
  /** The validator of each event by its tag. */
  readonly schemas: Readonly<Record<string, z.core.$ZodType>>
  /** What an event of an unknown tag must have. */
  readonly envelope: z.core.$ZodType
  /** Where the union is declared as a type: names and descriptions come from there. */
  readonly type: { readonly file: string; readonly name: string }
  /** Descriptions of what the types themselves do not describe, as `Type.field` or `*.field`. */
  readonly descriptions: Readonly<Record<string, string>>
  /** The decoder whose verdict the schemas must share. */
  readonly decode: (value: unknown) => DecodeResult<unknown, unknown>
}
