/** Compiles shapes to checks: each both tests a value and reports what is wrong with it. */

import { describeValue } from '../core/require.ts'
import { type Fields, isFields, isPlain, isTimestamp } from './predicates.ts'
import { type Changes, type Check, fault, isFull, mismatch, type Report } from './report.ts'
import type { CheckMaker, Shape, ShapeFields } from './shape.ts'

/** What a timestamp is to be, in messages. */
const INSTANT = 'an RFC 3339 date-time with time zone, such as 2026-01-31T10:30:00Z'

/**
 * Compiles a shape.
 *
 * @param objectCheck - Makes the check of an object of its fields.
 */
export function compile(shape: Shape, objectCheck: (fields: ShapeFields) => Check = fieldsCheck): Check {
  if (typeof shape === 'string') return simpleChecks[shape]
  switch (shape[0]) {
    case 'int':
      return numberCheck(Number.isInteger, 'an integer', Number.MAX_SAFE_INTEGER, shape)
    case 'number':
      return numberCheck(Number.isFinite, 'a number', Number.MAX_VALUE, shape)
    case 'of':
      return choiceCheck(shape.slice(1))
    case 'like':
      return formatCheck((text) => shape[1].test(text), `text that matches ${shape[1]}`)
    case 'list':
      return listCheck(compile(shape[1], objectCheck), shape[2])
    case 'fields':
      return objectCheck(shape[1])
    case 'only':
    case 'or':
      return (shape[2] as CheckMaker<unknown>)(shape[1], objectCheck)
    case 'by':
      return taggedCheck(shape[1], shape[2], objectCheck)
    case 'maybe':
    case 'nullable': {
      // A field that is `null` is left out by its object.
      const none = shape[0] === 'maybe' ? undefined : null
      const check = compile(shape[1], objectCheck)
      return (value, report) => value === none || check(value, report)
    }
  }
}

const isText: Check = (value, report) => typeof value === 'string' || mismatch(report, 'a string', value)

/** Unlike an item of a list, a field of any value must have one. */
const isPresent: Check = (value, report) => value !== undefined || mismatch(report, 'a value', value)

function formatCheck(hasFormat: (text: string) => boolean, expected: string): Check {
  return (value, report) =>
    isText(value, report) &&
    (hasFormat(value as string) ||
      fault(report, 'invalid-format', `Expected ${expected}, got ${describeValue(value)}.`))
}

const simpleChecks: Readonly<Record<Extract<Shape, string>, Check>> = {
  any: () => true,
  text: isText,
  id: (value, report) =>
    isText(value, report) &&
    (value !== '' || fault(report, 'out-of-range', 'Expected a non-empty string, got "".')),
  boolean: (value, report) => typeof value === 'boolean' || mismatch(report, 'a boolean', value),
  null: (value, report) => value === null || mismatch(report, 'null', value),
  instant: formatCheck(isTimestamp, INSTANT),
}

function numberCheck(
  isNumber: (value: unknown) => boolean,
  expected: string,
  largest: number,
  [, min = -largest, max = largest]: readonly [type: string, min?: number, max?: number],
): Check {
  return (value, report) => {
    if (!isNumber(value)) return mismatch(report, expected, value)
    if ((value as number) >= min && (value as number) <= max) return true
    const bound = (value as number) < min ? `at least ${min}` : `at most ${max}`
    return fault(report, 'out-of-range', `Expected ${bound}, got ${value}.`)
  }
}

function choiceCheck(values: readonly unknown[]): Check {
  const expected = values.map((value) => describeValue(value)).join(' or ')
  return (value, report) => values.includes(value) || mismatch(report, expected, value, 'invalid-value')
}

function listCheck(check: Check, min = 0): Check {
  return (value, report) => {
    if (!Array.isArray(value)) return mismatch(report, 'an array', value)
    let isFit =
      value.length >= min ||
      fault(report, 'out-of-range', `Expected an array of at least ${min}, got ${value.length}.`)
    let kept: unknown[] = value
    // By index: `every` skips holes.
    for (let i = 0; i < value.length && (isFit || !isFull(report)); i++) {
      const item: unknown = value[i]
      isFit = checkAt(i, check, item, report) && isFit
      if (!report || Object.is(report.value, item)) continue
      if (kept === value) kept = value.slice()
      kept[i] = report.value
    }
    if (report) report.value = kept
    return isFit
  }
}

function fieldsCheck(fields: ShapeFields): Check {
  /** The fields that may be absent, and count as absent if they are `null`. */
  const nullable = new Set<string>()
  const declared = Object.entries(fields).map(([name, shape]) => {
    const isOptional = shape[0] === 'maybe'
    const inner = isOptional ? shape[1] : shape
    const check = inner === 'any' ? isPresent : compile(inner)
    if (isOptional && !check(null)) nullable.add(name)
    return { name, check, isOptional, inner }
  })

  return (value, report) => {
    const inheritsNothing = isPlain(value)
    if (!inheritsNothing && (!report || !isFields(value))) return mismatch(report, 'an object', value)
    const object = value as Fields
    let isFit = true
    let hasAbsent = false
    let changes: Changes | undefined
    let left = (report ? Object.getOwnPropertyNames(object) : declared).length
    for (let i = 0; i < declared.length; i++) {
      const { name, check, isOptional, inner } = declared[i] as (typeof declared)[number]
      // Lists of records take least to send: of few fields, no more are looked for.
      if (left === 0 && isOptional) continue
      const field = inheritsNothing || Object.hasOwn(object, name) ? object[name] : undefined
      if (field === undefined && (isOptional || (inner === 'any' && Object.hasOwn(object, name)))) continue
      if (field !== undefined) left--
      // What has no parts stays as it is.
      if (typeof inner === 'string' && check(field)) continue
      if (field === null && report && !report.refusesNulls && nullable.has(name)) {
        hasAbsent = true
        continue
      }
      isFit = checkAt(name, check, field, report) && isFit
      if (!isFit && isFull(report)) return false
      if (!report || Object.is(report.value, field)) continue
      changes ??= {}
      changes[name] = report.value
    }
    if (!report || declared.length === 0) return isFit
    changes = report.hide?.(object, fields, report.path, changes) ?? changes
    report.value = object
    if (!changes && !hasAbsent) return isFit
    // A copy without what is left out.
    let copy: Record<string, unknown> = {}
    for (const name in object) {
      const kept = changes && Object.hasOwn(changes, name) ? changes[name] : object[name]
      if (kept === undefined || (kept === null && nullable.has(name))) continue
      if (!inheritsNothing && !Object.hasOwn(object, name)) continue
      // An assignment to `__proto__` would set the prototype.
      if (name === '__proto__') copy = { ...copy, [name]: kept }
      else copy[name] = kept
    }
    report.value = copy
    return isFit
  }
}

/** Checks a field or an item, whose path is longer. */
function checkAt(key: string | number, check: Check, value: unknown, report: Report | undefined): boolean {
  if (!report) return check(value)
  report.path.push(key)
  report.value = value
  const isFit = check(value, report)
  report.path.pop()
  return isFit
}

function taggedCheck(tag: string, shapes: ShapeFields, objectCheck: (fields: ShapeFields) => Check): Check {
  const options = new Map(Object.entries(shapes).map(([name, shape]) => [name, compile(shape, objectCheck)]))
  const isOption = choiceCheck(Object.keys(shapes))
  return (value, report) => {
    if (!isFields(value)) return mismatch(report, 'an object', value)
    const name = Object.hasOwn(value, tag) ? value[tag] : undefined
    const check = options.get(name as string)
    return check ? check(value, report) : checkAt(tag, isOption, name, report)
  }
}
