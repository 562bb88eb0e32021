/** The session protocol as real servers implement it: the same fields, all of them optional. */
import type { JsonValue } from '../../../core/json-value.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { localInstant } from '../../../validation/formats.ts'
import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { union } from '../../../validation/union.ts'
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

const textOrBag: Shape = ['or', ['text', ['fields', {}]], union]
const anyContent: Shape = ['nullable', textOrBag]
const anyId: Shape = ['or', ['text', ['number']], union]

/** The fields of events in lenient mode, as far as they were needed. */
const lenientFields = new WeakMap<ShapeFields, ShapeFields>()

/** The fields of an event in lenient mode, derived from those in strict mode. */
export function lenientFieldsOf(fields: ShapeFields): ShapeFields {
  const known = lenientFields.get(fields)
  if (known !== undefined) return known
  const loose = loosenFields(fields)
  lenientFields.set(fields, loose)
  return loose
}

function loosenFields(fields: ShapeFields): ShapeFields {
  const loose = Object.entries(fields).map(([name, shape]): [string, Shape] => [
    name,
    name === 'event' ? shape : ['maybe', loosen(shape, name)],
  ])
  return Object.fromEntries(loose)
}

function loosen(shape: Shape, key = ''): Shape {
  if (key === 'id' || key === 'task_id') return anyId
  if (key === 'signed_state') return textOrBag
  switch (shape) {
    case 'text':
    case 'id':
      return key === 'content' ? anyContent : 'text'
    case 'null':
      return anyContent
    case 'instant':
      return ['like', localInstant]
  }
  switch (shape[0]) {
    case 'maybe':
    case 'nullable':
      return loosen(shape[1], key)
    case 'fields':
      return ['fields', loosenFields(shape[1])]
    case 'list': {
      const item = loosen(shape[1])
      return ['list', key === 'tasks' ? ['or', [item, anyId], union] : item]
    }
    case 'of':
      return 'text'
    default:
      return shape
  }
}
