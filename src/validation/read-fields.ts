/** Reading fields of values that nothing is known about. */
import { type Fields, isFields } from './predicates.ts'

const none: Fields = {}

/** A value with its fields; without any if it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : none
}

/** A text; empty if it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A field that is a text and not empty. */
export function textIn(value: unknown, name: string): string | undefined {
  const found = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** The items of a field that is a list of objects. */
export function objectsIn(value: unknown, name: string): readonly Fields[] {
  const found = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return Array.isArray(found) ? found.filter(isFields) : []
}
