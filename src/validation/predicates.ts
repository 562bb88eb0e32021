/**
 * Building blocks of the generated checks. Each is a fast equivalent of one zod schema; property tests prove
 * that both agree.
 */

export { isTimestamp } from './timestamp.ts'

/** An object with fields of unknown types. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object, and neither `null` nor an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What objects inherit from that literals and `JSON.parse` make. */
const ROOT: unknown = Object.prototype

/**
 * Whether a value is an object that inherits nothing, so that all fields it has are its own. Also `false` for objects
 * of classes and of other realms, whose fields have to be looked at one by one.
 */
export function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === ROOT || prototype === null
}

/** `z.string()` */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** `z.string().check(z.minLength(1))` */
export function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** `z.int().check(z.minimum(0))` */
export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** `z.int().check(z.minimum(1))` */
export function isOrdinal(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1
}

/** `z.int()` within bounds, inclusive. */
export function isIntegerIn(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

/** `z.array(…)` of at least `min` items: by index, because `every` skips holes. */
export function isListOf(value: unknown, isItem: (item: unknown) => boolean, min = 0): boolean {
  if (!Array.isArray(value) || value.length < min) return false
  for (let i = 0; i < value.length; i++) if (!isItem(value[i])) return false
  return true
}
