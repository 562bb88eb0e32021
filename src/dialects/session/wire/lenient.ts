/** The session protocol as real servers implement it: the same fields, all of them optional. */
import * as z from 'zod/mini'
import type { JsonValue, Schema } from '../../../core/schema.ts'
import type { Metadata } from '../../../events/fields.ts'
import { text, textOrBag } from './envelope.ts'
import type { SessionEvent } from './event.ts'

/**
 * An event in lenient mode. Fields have the documented type, with these exceptions:
 *
 * - any field may be missing, including `session_id`, `step_id` and all metadata
 * - ids of plan tasks may be numbers, and a task may be only its id
 * - a timestamp may lack the zone
 * - a field with a fixed set of values may have any other string
 * - content may be an object instead of a string, and a string instead of `null`
 */
export type LenientSessionEvent = LenientOf<SessionEvent>

/** An event type in lenient mode. */
export type LenientOf<E extends { event: string }> = E extends unknown
  ? { event: E['event'] } & {
      [K in Exclude<keyof E, 'event' | 'content'>]?: Loose<E[K]>
    } & { content?: LooseContent<E extends { content?: infer C } ? C : never> }
  : never

type LooseContent<C> = [NonNullable<C>] extends [never]
  ? string | Record<string, unknown> | null
  : NonNullable<C> extends string
    ? string | Metadata | null
    : Loose<C>

type Loose<T> = [JsonValue] extends [T]
  ? T
  : T extends string
    ? string
    : T extends readonly (infer I)[]
      ? Loose<I>[]
      : T extends object
        ? { [K in keyof T]?: LooseField<K, T[K]> }
        : T

type LooseField<K, T> = K extends 'id' | 'task_id'
  ? string | number
  : K extends 'signed_state'
    ? string | Record<string, unknown>
    : K extends 'tasks'
      ? (LooseItem<T> | string | number)[]
      : Loose<T>

type LooseItem<T> = T extends readonly (infer I)[] ? Loose<I> : never

/** The schema of the content of an event, without `null` and `undefined`. */
export function contentSchemaOf(schema: Schema<unknown>): z.core.$ZodTypes {
  let content = (schema as z.ZodMiniObject)._zod.def.shape.content as z.core.$ZodTypes
  for (;;) {
    const { def } = content._zod
    if (def.type !== 'optional' && def.type !== 'nullable') return content
    content = def.innerType as z.core.$ZodTypes
  }
}

/** The lenient schema of an event, derived from its strict one. */
export const lenientSchemaOf: (schema: Schema<unknown>) => Schema<unknown> = once((schema) => loosen(schema))

/** Memoizes a function of a schema. */
export function once<T>(make: (schema: Schema<unknown>) => T): (schema: Schema<unknown>) => T {
  const made = new WeakMap<Schema<unknown>, T>()
  return (schema) => {
    const known = made.get(schema)
    if (known !== undefined) return known
    const first = make(schema)
    made.set(schema, first)
    return first
  }
}

const anyContent = z.nullable(textOrBag)
const anyId = z.union([text, z.number()])

function loosen(schema: z.core.$ZodType, key = ''): z.ZodMiniType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (key === 'id' || key === 'task_id') return anyId
  if (key === 'signed_state') return textOrBag
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return loosen(def.innerType, key)
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [
        name,
        name === 'event' ? field : z.optional(loosen(field, name)),
      ])
      return z.looseObject(Object.fromEntries(fields))
    }
    case 'array': {
      const item = loosen(def.element)
      return z.array(key === 'tasks' ? z.union([item, anyId]) : item)
    }
    case 'string':
      if ('format' in def && def.format === 'datetime') return z.iso.datetime({ offset: true, local: true })
      return key === 'content' ? anyContent : text
    case 'null':
      return anyContent
    case 'enum':
    case 'literal':
      return text
    default:
      return schema as z.ZodMiniType
  }
}
