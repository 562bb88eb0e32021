/** Compiles shapes to checks: each both tests a value and reports what is wrong with it. */

import { describeValue } from '../core/require.ts'
import { INSTANT, quote } from './messages.ts'
import { type Fields, isFields, isPlain, isTimestamp } from './predicates.ts'
import { type Changes, type Check, fault, invalidFormat, isFull, mismatch, type Report } from './report.ts'
import type { Shape, ShapeFields } from './shape.ts'

/**
 * Compiles a shape.
 *
 * @param isExact - Whether objects have only the fields that are declared. One without any is a value, which may have
 * all. Such a check only tests: it reports no issues.
 */
export function compile(shape: Shape, isExact = false): Check {
  if (typeof shape === 'string') return simpleChecks[shape]
  switch (shape[0]) {
    case 'int':
    case 'number':
      return numberCheck(shape[0] === 'int', shape[1], shape[2])
    case 'of':
      return choiceCheck(shape.slice(1))
    case 'like':
      return (value, report) =>
        typeof value !== 'string'
          ? mismatch(report, 'a string', value)
          : shape[1].test(value) || invalidFormat(report, `text that matches ${shape[1]}`, value)
    case 'list':
      return listCheck(shape[1] === 'any' ? undefined : compile(shape[1], isExact), shape[2] ?? 0)
    case 'fields':
      return fieldsCheck(shape[1], isExact)
    case 'only':
      return shape[2](fieldsCheck(shape[1], isExact), shape[1])
    case 'or':
      return shape[2](shape[1].map((option) => compile(option, isExact)))
    case 'by':
      return taggedCheck(shape[1], shape[2], isExact)
    case 'maybe': {
      // A field that is `null` is left out by its object.
      const check = compile(shape[1], isExact)
      return (value, report) => value === undefined || check(value, report)
    }
    case 'nullable': {
      const check = compile(shape[1], isExact)
      return (value, report) => value === null || check(value, report)
    }
  }
}

const isText: Check = (value, report) => typeof value === 'string' || mismatch(report, 'a string', value)

/** Unlike an item of a list, a field of any value must have one. */
const isPresent: Check = (value, report) => value !== undefined || mismatch(report, 'a value', value)

const simpleChecks: Readonly<Record<Extract<Shape, string>, Check>> = {
  any: () => true,
  text: isText,
  id: (value, report) =>
    isText(value, report) &&
    (value !== '' || fault(report, 'out-of-range', 'Expected a non-empty string, got "".')),
  boolean: (value, report) => typeof value === 'boolean' || mismatch(report, 'a boolean', value),
  null: (value, report) => value === null || mismatch(report, 'null', value),
  instant: (value, report) =>
    isTimestamp(value) || (isText(value, report) && invalidFormat(report, INSTANT, value)),
}

function numberCheck(isInteger: boolean, min: number, max: number): Check {
  return (value, report) => {
    if (isInteger ? !Number.isInteger(value) : !Number.isFinite(value))
      return mismatch(report, isInteger ? 'an integer' : 'a number', value)
    if ((value as number) >= min && (value as number) <= max) return true
    const bound = (value as number) < min ? `at least ${min}` : `at most ${max}`
    return fault(report, 'out-of-range', `Expected ${bound}, got ${value}.`)
  }
}

function choiceCheck(values: readonly unknown[]): Check {
  return (value, report) => {
    if (values.includes(value)) return true
    if (report === undefined) return false
    report.hasMismatch = true
    const expected = values.map(quote).join(' or ')
    return value === undefined
      ? fault(report, 'missing', `Missing: expected ${expected}.`)
      : fault(report, 'invalid-value', `Expected ${expected}, got ${describeValue(value)}.`)
  }
}

function listCheck(check: Check | undefined, min: number): Check {
  return (value, report) => {
    if (!Array.isArray(value)) return mismatch(report, 'an array', value)
    let isFit =
      value.length >= min ||
      fault(report, 'out-of-range', `Expected an array of at least ${min}, got ${value.length}.`)
    if (check === undefined) return isFit
    let kept: unknown[] = value
    // By index: `every` skips holes.
    for (let i = 0; i < value.length && (isFit || !isFull(report)); i++) {
      const item: unknown = value[i]
      isFit = (report === undefined ? check(item) : checkAt(i, check, item, report)) && isFit
      if (report === undefined || Object.is(report.value, item)) continue
      if (kept === value) kept = value.slice()
      kept[i] = report.value
    }
    if (report !== undefined) report.value = kept
    return isFit
  }
}

function fieldsCheck(fields: ShapeFields, isExact: boolean): Check {
  const declared = Object.entries(fields).map(([name, shape]) => {
    const isOptional = shape[0] === 'maybe'
    const inner = isOptional ? shape[1] : shape
    return {
      name,
      check: compile(inner, isExact),
      isOptional,
      skipsNull: isOptional && !acceptsNull(inner),
      isAny: inner === 'any',
    }
  })
  const mayBeEmpty = declared.every(({ isOptional }) => isOptional)

  /** Without a report: apart, as it is called for each event. */
  function fits(object: Fields): boolean {
    let found = 0
    for (let i = 0; i < declared.length; i++) {
      const { name, check, isOptional, isAny } = declared[i] as (typeof declared)[number]
      const field = object[name]
      if (field !== undefined) {
        if (!check(field)) return false
        found++
      } else if (!isOptional && !(isAny ? Object.hasOwn(object, name) : check(field))) return false
    }
    return !isExact || declared.length === 0 || found === countKeys(object)
  }

  return (value, report) => {
    const inheritsNothing = isPlain(value)
    if (!inheritsNothing && (report === undefined || !isFields(value)))
      return mismatch(report, 'an object', value)
    const object = value as Fields
    // A list of empty objects takes least to send.
    if (mayBeEmpty && isEmpty(object)) return true
    if (report === undefined) return fits(object)
    const { nullIsAbsent, hide } = report.options
    let isFit = true
    let changes: Changes | undefined
    for (const { name, check, isOptional, skipsNull, isAny } of declared) {
      const field = inheritsNothing || Object.hasOwn(object, name) ? object[name] : undefined
      if (field === undefined && (isOptional || (isAny && Object.hasOwn(object, name)))) continue
      report.value = undefined
      if (field !== null || !skipsNull || nullIsAbsent === false) {
        isFit = checkAt(name, isAny ? isPresent : check, field, report) && isFit
        if (!isFit && isFull(report)) return false
      }
      if (Object.is(report.value, field)) continue
      changes ??= new Map()
      changes.set(name, report.value)
    }
    if (declared.length > 0) changes = hide?.(object, fields, report.path, changes) ?? changes
    report.value = changes === undefined ? object : withChanges(object, changes)
    return isFit
  }
}

/** Checks a field or an item, whose path is longer. */
function checkAt(key: string | number, check: Check, value: unknown, report: Report): boolean {
  report.path.push(key)
  report.value = value
  const isFit = check(value, report)
  report.path.pop()
  return isFit
}

/** A copy of an object with other values of some fields, and without those whose value is `undefined`. */
function withChanges(object: Fields, changes: Changes): Fields {
  // Objects from which fields are deleted are slow.
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    const isChanged = changes.has(name)
    const value = isChanged ? changes.get(name) : object[name]
    if (isChanged && value === undefined) continue
    // Assigned, it would become the prototype.
    if (name === '__proto__')
      Object.defineProperty(kept, name, { value, enumerable: true, configurable: true, writable: true })
    else kept[name] = value
  }
  return kept
}

function isEmpty(object: Fields): boolean {
  for (const _ in object) return false
  return true
}

/** How many fields an object has. Faster than `Object.keys`. */
function countKeys(object: Fields): number {
  let count = 0
  for (const _ in object) count++
  return count
}

function taggedCheck(tag: string, shapes: ShapeFields, isExact: boolean): Check {
  const options = new Map(Object.entries(shapes).map(([name, shape]) => [name, compile(shape, isExact)]))
  const isOption = choiceCheck(Object.keys(shapes))
  return (value, report) => {
    if (!isFields(value)) return mismatch(report, 'an object', value)
    const name = Object.hasOwn(value, tag) ? value[tag] : undefined
    const check = options.get(name as string)
    if (check !== undefined) return check(value, report)
    return report !== undefined && checkAt(tag, isOption, name, report)
  }
}

/** Whether `null` is one of the values a shape accepts. */
export function acceptsNull(shape: Shape): boolean {
  if (typeof shape === 'string') return shape === 'null' || shape === 'any'
  switch (shape[0]) {
    case 'nullable':
      return true
    case 'maybe':
      return acceptsNull(shape[1])
    case 'of':
      return shape.includes(null)
    case 'or':
      return shape[1].some(acceptsNull)
    default:
      return false
  }
}
