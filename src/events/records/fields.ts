/** Zod building blocks for the fields of events. */
import * as z from 'zod/mini'

/** An identifier: any non-empty string. */
export const id: z.ZodMiniString = z.string().check(z.minLength(1))

/** An integer from 0 to 2^53-1, which every language can represent exactly. */
export const count: z.ZodMiniNumberFormat = z.int().check(z.minimum(0))

/** An integer from 1 to 2^53-1. */
export const ordinal: z.ZodMiniNumberFormat = z.int().check(z.minimum(1))

/** A number from 0 to 1. */
export const fraction: z.ZodMiniNumber = z.number().check(z.minimum(0), z.maximum(1))

/** An RFC 3339 date-time with time zone (`Z` or an offset). */
export const timestamp: z.iso.ZodMiniISODateTime = z.iso.datetime({ offset: true })

/** An object whose members are not validated: they are assumed to be JSON. */
export const anyObject: z.ZodMiniType<Record<string, unknown>> = z.looseObject({})

/**
 * An optional field. The value `undefined` counts as omitted, as it does for `JSON.stringify`.
 */
export function maybe<S extends z.core.$ZodType>(schema: S): z.ZodMiniExactOptional<S> {
  return z.optional(schema) as unknown as z.ZodMiniExactOptional<S>
}

/** An optional field that may be `null`. */
export function maybeNull<S extends z.core.$ZodType>(
  schema: S,
): z.ZodMiniExactOptional<z.ZodMiniNullable<S>> {
  return maybe(z.nullable(schema))
}

type OpenObject<Shape extends z.core.$ZodShape> = z.ZodMiniObject<Shape, z.core.$strip>

/** An object that keeps unknown fields: a newer peer may send some. */
export function open<Shape extends z.core.$ZodShape>(shape: Shape): OpenObject<Shape> {
  return z.looseObject(shape) as unknown as OpenObject<Shape>
}

/** A metadata object: well-known keys are validated if present, other keys are not. */
export function metadata<Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$catchall<z.ZodMiniUnknown>> {
  return z.catchall(z.object(shape), z.unknown())
}

/** The options of discriminated unions, by the literal of their field `tag`. */
export function byTag(
  tag: string,
  unions: readonly z.core.$ZodType[],
): Readonly<Record<string, z.core.$ZodType>> {
  const options = unions.flatMap((union) => (union as z.ZodMiniDiscriminatedUnion)._zod.def.options)
  return Object.fromEntries(
    options.map((option) => {
      const { shape } = (option as z.ZodMiniObject<Record<string, z.ZodMiniLiteral<string>>>)._zod.def
      return [shape[tag]?._zod.def.values[0] ?? '', option as z.core.$ZodType]
    }),
  )
}
