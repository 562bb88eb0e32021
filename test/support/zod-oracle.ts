/** What zod finds, in the terms of the library: the oracle of checks and walker. */
import fc from 'fast-check'
import type * as z from 'zod/mini'
import type { Schema } from '../../src/core/schema.ts'
import { toPointer } from '../../src/encoding/pointer.ts'
import { type Fields, isFields } from '../../src/validation/predicates.ts'

/** The code and path of the first fault; `undefined` if there is none. Skips a value on which zod throws. */
export function firstFault(
  schema: Schema<unknown>,
  value: unknown,
): { code: string; path: string } | undefined {
  const result = parse(schema, value)
  if (result.success) return undefined
  const [issue] = result.error.issues
  if (issue === undefined) throw new Error('Expected an issue, got none.')
  return { code: codeOf(issue, value), path: toPointer(issue.path) }
}

/** zod throws where it compares the `length` of what is not a string. */
function parse(schema: Schema<unknown>, value: unknown): ReturnType<Schema<unknown>['safeParse']> {
  try {
    return schema.safeParse(value)
  } catch {
    return fc.pre(false) as never
  }
}

function codeOf(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
    case 'invalid_value': {
      if (valueAt(value, issue.path) === undefined) return 'missing'
      return issue.code === 'invalid_type' ? 'invalid-type' : 'invalid-value'
    }
    case 'too_small':
    case 'too_big':
      return 'out-of-range'
    case 'invalid_format':
      return 'invalid-format'
    default:
      return 'invalid-value'
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  )
}

/** The value without the optional fields that are `null`, as the schema tells. */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return withoutNulls(def.innerType, value)
    case 'object':
      return isFields(value) ? withoutNullFields(def.shape, value) : value
    case 'array':
      return Array.isArray(value)
        ? Array.from(value, (item: unknown) => withoutNulls(def.element, item))
        : value
    case 'union': {
      const fit = def.options.find(
        (option) => (option as z.ZodMiniType).safeParse(withoutNulls(option, value)).success,
      )
      return fit === undefined ? value : withoutNulls(fit, value)
    }
    default:
      return value
  }
}

function withoutNullFields(shape: z.core.$ZodShape, value: Fields): Fields {
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (field === undefined) return [[key, inner]]
    return inner === null && isOmittedByNull(field) ? [] : [[key, withoutNulls(field, inner)]]
  })
  return Object.fromEntries(entries)
}

/** Whether a field is optional and not nullable. */
function isOmittedByNull(field: z.core.$ZodType): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod
  return def.type === 'optional' && !(def.innerType as z.ZodMiniType).safeParse(null).success
}
