/** The types of the fields that a reader uses, to report values that it cannot use. */

import { toPointer } from '../../encoding/pointer.ts'
import type { Fields } from './fields.ts'
import type { ModelWriter } from './model-writer.ts'
import { isFirst } from './report.ts'

/** What a reader uses of a value. */
export interface Shape {
  /** Named as `typeOf` does. Empty: any. */
  readonly types: readonly string[]
  /** Of an object. Others are not looked at. */
  readonly fields?: Readonly<Record<string, Shape>>
  /** Of the items of an array. */
  readonly items?: Shape
}

export const text: Shape = { types: ['string'] }
export const number: Shape = { types: ['number'] }
export const flag: Shape = { types: ['boolean'] }
/** As the SDK gives them, or as Base64. */
export const bytes: Shape = { types: ['string', 'bytes'] }

export function object(fields: Readonly<Record<string, Shape>> = {}): Shape {
  return { types: ['object'], fields }
}

export function list(items: Shape): Shape {
  return { types: ['array'], items }
}

/** A value of one of several types. */
export function either(...shapes: readonly Shape[]): Shape {
  const fields = shapes.find((shape) => shape.fields !== undefined)?.fields
  const items = shapes.find((shape) => shape.items !== undefined)?.items
  return {
    types: shapes.flatMap(({ types }) => types),
    ...(fields !== undefined && { fields }),
    ...(items !== undefined && { items }),
  }
}

/** Fields of the same name and type. */
export function all(shape: Shape, names: string): Readonly<Record<string, Shape>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]))
}

const name = either(text, number)

/** An error of a provider or of its SDK. */
export const failure: Shape = either(
  text,
  object({ type: text, code: name, name: text, status: name, statusCode: name }),
)

/** Reports the values that are of another type than the reader uses, each field once. `null` is no value. */
export function reportTypes(writer: ModelWriter, value: unknown, shape: Shape, path: Path = root): void {
  if (value == null) return
  const { types, fields, items } = shape
  const type = typeOf(value)
  if (types.length > 0 && !types.includes(type)) {
    reportValue(writer, types.join(' or '), type, path)
  } else if (type === 'object' && fields !== undefined) {
    for (const name in fields) {
      const member = (value as Fields)[name]
      if (member != null) reportTypes(writer, member, fields[name] as Shape, { of: path, name })
    }
  } else if (type === 'array' && items !== undefined) {
    for (const [i, item] of (value as unknown[]).entries()) {
      reportTypes(writer, item, items, { of: path, name: i })
    }
  }
}

/** Where a value is. A pointer is only made of it for a report. */
interface Path {
  readonly of: Path | null
  readonly name: string | number
}

const root: Path = { of: null, name: '' }

function reportValue(writer: ModelWriter, expected: string, type: string, path: Path): void {
  const names: (string | number)[] = []
  for (let at = path; at.of !== null; at = at.of) names.unshift(at.name)
  const field = names.filter((step) => typeof step === 'string').join('/')
  if (!isFirst(writer, `value ${field}`)) return
  const at = toPointer(names.map(String))
  const message = `Expected ${expected} at ${at}, got ${type}; the value is dropped.`
  writer.diagnostic('invalid-event', message, {
    path: at,
    detail: [{ code: 'invalid-type', path: at, message: `Expected ${expected}, got ${type}.` }],
  })
}

/** The type of a value, as shapes name it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof Uint8Array ? 'bytes' : typeof value
}
