/** What the fields of events are made of. Zod building blocks shared by the noun files. */
import * as z from 'zod/mini'
import type { JsonValue } from '../core/schema.ts'

/**
 * An open bag of additional information. The well-known keys are listed where it is used; others
 * are the producer's own and pass through untouched.
 */
export interface Metadata {
  [key: string]: JsonValue | undefined
}

/**
 * A JSON Schema, kept as it is and never interpreted.
 *
 * @see https://json-schema.org
 */
export type JsonSchema = Record<string, unknown>

/** An identifier: any string but the empty one. */
export const id: z.ZodMiniString = z.string().check(z.minLength(1))

/** A whole number from 0 to 2^53-1, so that every language reads it exactly. */
export const count: z.ZodMiniNumberFormat = z.int().check(z.minimum(0))

/** A whole number from 1 to 2^53-1. */
export const ordinal: z.ZodMiniNumberFormat = z.int().check(z.minimum(1))

/** A number from 0 to 1. */
export const fraction: z.ZodMiniNumber = z.number().check(z.minimum(0), z.maximum(1))

/** An instant, as RFC 3339 profiles ISO 8601: date, time and zone (`Z` or an offset). */
export const timestamp: z.iso.ZodMiniISODateTime = z.iso.datetime({ offset: true })

/** An object whose members are not looked at. Values are trusted to be JSON and never walked. */
export const anyObject: z.ZodMiniType<Record<string, unknown>> = z.looseObject({})

const jsonValue = z.unknown() as z.ZodMiniType<JsonValue | undefined>

/**
 * A field that may be absent. A field that is present with the value `undefined` counts as absent,
 * as it does for `JSON.stringify`.
 */
export function maybe<S extends z.core.$ZodType>(schema: S): z.ZodMiniExactOptional<S> {
  return z.optional(schema) as unknown as z.ZodMiniExactOptional<S>
}

type OpenObject<Shape extends z.core.$ZodShape> = z.ZodMiniObject<Shape, z.core.$strip>

/** An object that keeps fields it does not know: a newer peer may send some. */
export function open<Shape extends z.core.$ZodShape>(shape: Shape): OpenObject<Shape> {
  return z.looseObject(shape) as unknown as OpenObject<Shape>
}

/** A metadata bag: well-known keys are checked where present, all others pass. */
export function metadata<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$catchall<typeof jsonValue>> {
  return z.catchall(z.object(shape), jsonValue)
}
