/** The session protocol as real servers speak it: the same fields, none of which need be there. */
import * as z from 'zod/mini'
import type { Metadata } from '../../events/fields.ts'
import type { JsonValue, Schema } from '../../schema.ts'
import { bag } from './envelope.ts'
import type { SessionEvent } from './event.ts'

/**
 * An event as the lenient profile reads it. What is there is of the documented type, but for these:
 *
 * - any field may be left out, also `session_id`, `step_id` and metadata as a whole
 * - ids of plan tasks may be numbers, and a task may be given by its id alone
 * - a timestamp may lack the zone
 * - where one of several words is documented, there may be another
 * - where content is a text or none, there may be an object, and a text where there is none
 */
export type LenientSessionEvent = LenientOf<SessionEvent>

/** The event of a type as the lenient profile reads it. */
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

const looseSchemas = new WeakMap<Schema<unknown>, Schema<unknown>>()

/** What the content of an event is validated by where there is some. */
export function contentSchemaOf(schema: Schema<unknown>): z.core.$ZodTypes {
  let content = (schema as z.ZodMiniObject)._zod.def.shape.content as z.core.$ZodTypes
  for (;;) {
    const { def } = content._zod
    if (def.type !== 'optional' && def.type !== 'nullable') return content
    content = def.innerType as z.core.$ZodTypes
  }
}

/** The validator of {@link LenientOf} an event, from the event's own. */
export function lenientSchemaOf(schema: Schema<unknown>): Schema<unknown> {
  const known = looseSchemas.get(schema)
  if (known !== undefined) return known
  const loose = loosen(schema)
  looseSchemas.set(schema, loose)
  return loose
}

const textOrObject = z.nullable(z.union([z.string(), bag]))

function loosen(schema: z.core.$ZodType, key = ''): z.ZodMiniType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (key === 'event') return schema as z.ZodMiniType
  if (key === 'id' || key === 'task_id') return z.union([z.string(), z.number()])
  if (key === 'signed_state') return z.union([z.string(), bag])
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
      return z.array(key === 'tasks' ? z.union([item, z.string(), z.number()]) : item)
    }
    case 'string':
      if ('format' in def && def.format === 'datetime') return z.iso.datetime({ offset: true, local: true })
      return key === 'content' ? textOrObject : z.string()
    case 'null':
      return textOrObject
    case 'enum':
    case 'literal':
      return z.string()
    default:
      return schema as z.ZodMiniType
  }
}
