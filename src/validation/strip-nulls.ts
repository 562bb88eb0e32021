/** Treats `null` on an optional field as missing: serializers of other languages write it. */
import type * as z from 'zod/mini'
import { type Fields, isFields } from './predicates.ts'

/**
 * The value without the optional fields that are `null`: the value itself if there are none, otherwise a
 * copy of the objects that change. Nullable fields and unknown fields keep their `null`.
 */
export function stripNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return stripNulls(def.innerType, value)
    case 'object':
      return isFields(value) ? stripNullFields(def.shape, value) : value
    case 'array': {
      if (!Array.isArray(value)) return value
      const items = value.map((item: unknown) => stripNulls(def.element, item))
      return items.some((item, i) => item !== value[i]) ? items : value
    }
    case 'union':
      for (const option of def.options) {
        const stripped = stripNulls(option, value)
        if (stripped !== value && (option as z.ZodMiniType).safeParse(stripped).success) return stripped
      }
      return value
    default:
      return value
  }
}

function stripNullFields(shape: z.core.$ZodShape, value: Fields): unknown {
  let copy: Record<string, unknown> | undefined
  for (const [key, field] of Object.entries(shape)) {
    if (!Object.hasOwn(value, key)) continue
    const inner = value[key]
    if (inner === null && isOmittedByNull(field)) {
      copy ??= { ...value }
      delete copy[key]
    } else {
      const stripped = stripNulls(field, inner)
      if (stripped === inner) continue
      copy ??= { ...value }
      copy[key] = stripped
    }
  }
  return copy ?? value
}

/** Whether a field is optional and not nullable. */
function isOmittedByNull(field: z.core.$ZodType): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod
  return def.type === 'optional' && !(def.innerType as z.ZodMiniType).safeParse(null).success
}
