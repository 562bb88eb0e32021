/** Reading `null` on an optional field as absent: writers in other languages send it. */
import type * as z from 'zod/mini'

/**
 * The value without the optional fields that are `null`. The value itself when there are none;
 * otherwise a copy of just the objects that change. Fields of which `null` is one of the values keep
 * it, and so do fields the schema does not know.
 */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return withoutNulls(def.innerType, value)
    case 'object':
      return isObject(value) ? withoutNullFields(def.shape, value) : value
    case 'array': {
      if (!Array.isArray(value)) return value
      const items = value.map((item: unknown) => withoutNulls(def.element, item))
      return items.some((item, i) => item !== value[i]) ? items : value
    }
    case 'union':
      for (const option of def.options) {
        const fixed = withoutNulls(option, value)
        if (fixed !== value && (option as z.ZodMiniType).safeParse(fixed).success) return fixed
      }
      return value
    default:
      return value
  }
}

function withoutNullFields(shape: z.core.$ZodShape, value: Record<string, unknown>): unknown {
  let copy: Record<string, unknown> | undefined
  for (const [key, field] of Object.entries(shape)) {
    if (!Object.hasOwn(value, key)) continue
    const inner = value[key]
    if (inner === null && isAbsentByNull(field)) {
      copy ??= { ...value }
      delete copy[key]
    } else {
      const fixed = withoutNulls(field, inner)
      if (fixed === inner) continue
      copy ??= { ...value }
      copy[key] = fixed
    }
  }
  return copy ?? value
}

/** Whether a field may be left out, and `null` is none of its values. */
function isAbsentByNull(field: z.core.$ZodType): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod
  return def.type === 'optional' && !(def.innerType as z.ZodMiniType).safeParse(null).success
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
