/** The session protocol as real servers speak it: the same fields, none of which need be there. */
import * as z from 'zod/mini'
import type { JsonValue, Schema } from '../../../core/schema.ts'
import type { Metadata } from '../../../events/fields.ts'
import { text, textOrBag } from './envelope.ts'
import type { SessionEvent } from './event.ts'

/**
 * An event as the lenient mode reads it. What is there is of the documented type, but for these:
 *
 * - any field may be left out, also `session_id`, `step_id` and metadata as a whole
 * - ids of plan tasks may be numbers, and a task may be given by its id alone
 * - a timestamp may lack the zone
 * - where one of several words is documented, there may be another
 * - where content is a text or none, there may be an object, and a text where there is none
 */
export type LenientSessionEvent = LenientOf<SessionEvent>

/** The event of a type as the lenient mode reads it. */
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
export const lenientSchemaOf: (schema: Schema<unknown>) => Schema<unknown> = once((schema) => loosen(schema))

/** What is made of a schema, when it is first asked for. */
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
