/** Validators and the interfaces they validate. */

import type * as z from 'zod/mini'
import type { JsonValue } from './json-value.ts'

/**
 * A validator for `T`. It validates and never transforms.
 *
 * Every schema of the library is a zod 4 schema (`zod/mini`) with `safeParse`, and therefore also a
 * Standard Schema (`~standard`). The type names only the output, so that it stays readable however large
 * `T` is.
 *
 * @see https://standardschema.dev
 */
export type Schema<T> = z.ZodMiniType<T>

/** The fields of the schema of `T`, for schemas that spread them. */
export type FieldsOf<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? z.ZodMiniExactOptional<z.ZodMiniType<T[K]>>
    : z.ZodMiniType<T[K]>
}

/**
 * Ties a zod schema to the interface it validates.
 *
 * Compiles only if both describe exactly the same type. `satisfies z.ZodMiniType<T>` is not enough: it
 * accepts a schema that lacks an optional field or a member of an enum.
 *
 * @example
 * ```ts
 * const pointSchema: Schema<Point> = schemaOf<Point>()(z.object({ x: z.number(), y: z.number() }))
 * ```
 */
export function schemaOf<T>(): <S extends z.core.$ZodType>(schema: ExactSchema<S, T>) => Schema<T> {
  return (schema) => schema as unknown as Schema<T>
}

/** The schema itself if it describes exactly `T`, otherwise a type that shows both. */
export type ExactSchema<S, T> = Same<z.output<S>, T> extends true ? S : SchemaMismatch<z.output<S>, T>

/** Never instantiated: appears in the compiler's message. */
interface SchemaMismatch<Actual, Expected> {
  schemaDescribes: Actual
  butTheTypeIs: Expected
}

type Same<A, B> =
  (<G>() => G extends Flat<A> ? 1 : 2) extends <G>() => G extends Flat<B> ? 1 : 2 ? true : false

/**
 * Resolves intersections and `extends`, so that only the members are compared. Stops at
 * {@link JsonValue}, which is recursive.
 */
type Flat<T> = [JsonValue] extends [T] ? T : T extends object ? { [K in keyof T]: Flat<T[K]> } : T
