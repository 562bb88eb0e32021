/** Compiles shapes to checks: each both tests a value and reports what is wrong with it. */

import { describeValue } from '../core/require.ts'
import { INSTANT, quote } from './messages.ts'
import { type Fields, isFields, isPlain, isTimestamp } from './predicates.ts'
import { type Check, fault, invalidFormat, isFull, mismatch } from './report.ts'
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
      const check = compile(shape[1], isExact)
      const skipsNull = !acceptsNull(shape[1])
      return (value, report) => {
        if (value === undefined) return true
        if (value !== null || !skipsNull || !report || report.options.nullIsAbsent === false) {
          return check(value, report)
        }
        report.omitted.push([...report.path])
        return true
      }
    }
    case 'nullable': {
      const check = compile(shape[1], isExact)
      return (value, report) => value === null || check(value, report)
    }
  }
}

const isText: Check = (value, report) => typeof value === 'string' || mismatch(report, 'a string', value)

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
    if (typeof value !== 'number' || !Number.isFinite(value) || (isInteger && !Number.isInteger(value))) {
      return mismatch(report, isInteger ? 'an integer' : 'a number', value)
    }
    if (value >= min && value <= max) return true
    const bound = value < min ? `at least ${min}` : `at most ${max}`
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
    // By index: `every` skips holes.
    for (let i = 0; i < value.length && (isFit || !isFull(report)); i++) {
      report?.path.push(i)
      isFit = check(value[i], report) && isFit
      report?.path.pop()
    }
    return isFit
  }
}

function fieldsCheck(fields: ShapeFields, isExact: boolean): Check {
  const declared = Object.entries(fields).map(([name, shape]) => ({
    name,
    check: compile(shape, isExact),
    isOptional: shape[0] === 'maybe',
    isAny: shape === 'any',
  }))
  return (value, report) => {
    if (report === undefined ? !isPlain(value) : !isFields(value)) return mismatch(report, 'an object', value)
    const object = value as Fields
    let isFit = true
    let found = 0
    for (const { name, check, isOptional, isAny } of declared) {
      const field = report === undefined || Object.hasOwn(object, name) ? object[name] : undefined
      if (field !== undefined) found++
      else if (isOptional || (isAny && Object.hasOwn(object, name))) continue
      report?.path.push(name)
      isFit =
        (isAny && field === undefined ? mismatch(report, 'a value', field) : check(field, report)) && isFit
      report?.path.pop()
      if (!isFit && isFull(report)) return false
    }
    if (report === undefined) return !isExact || declared.length === 0 || found === countKeys(object)
    if (declared.length > 0) report.options.visit?.(object, fields, report)
    return isFit
  }
}

/** How many fields an object has. Faster than `Object.keys`. */
function countKeys(object: Fields): number {
  let count = 0
  for (const _ in object) count++
  return count
}

function taggedCheck(tag: string, shapes: ShapeFields, isExact: boolean): Check {
  const options = new Map(Object.entries(shapes).map(([name, shape]) => [name, compile(shape, isExact)]))
  return (value, report) => {
    if (!isFields(value)) return mismatch(report, 'an object', value)
    const name = Object.hasOwn(value, tag) ? value[tag] : undefined
    const check = options.get(name as string)
    if (check !== undefined) return check(value, report)
    if (report === undefined) return false
    report.hasMismatch = true
    report.path.push(tag)
    const actual = Object.hasOwn(value, tag) ? describeValue(name) : 'nothing'
    fault(report, 'invalid-value', `Expected ${[...options.keys()].map(quote).join(' or ')}, got ${actual}.`)
    report.path.pop()
    return false
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
