/** The one walker over shapes: what is wrong with a value, and the value without nulls. */

import type { Issue, IssueCode } from '../core/decode-result.ts'
import { describeValue } from '../core/require.ts'
import { toPointer } from '../encoding/pointer.ts'
import { INSTANT, quote, typeOf } from './messages.ts'
import { type Fields, isFields, isTimestamp } from './predicates.ts'
import type { Shape, ShapeFields } from './shape.ts'

/** More issues do not help a reader, and a hostile value may have millions. */
export const MAX_ISSUES = 32

/** The number of unexpected fields that a message names. */
const MAX_NAMES = 4

/** How a value is read. */
export interface WalkOptions {
  /** Whether `null` on an optional field counts as absent, as other languages write it. Defaults to `true`. */
  readonly nullIsAbsent?: boolean
}

/**
 * What is wrong with a value, at most 32 issues; empty if nothing is. Visits no more of the value than it takes to
 * find that many, and never reads inherited fields.
 */
export function issuesOf(shape: Shape, value: unknown, { nullIsAbsent = true }: WalkOptions = {}): Issue[] {
  const walker = new Walker(MAX_ISSUES, nullIsAbsent)
  walker.visit(shape, value)
  return walker.issues
}

/**
 * Collects issues on a depth-first walk, in the order of the shape. With a limit of 0 it is a probe, which stops at
 * the first fault and only notes that there is one.
 */
class Walker {
  readonly issues: Issue[] = []
  #isFaulty = false
  #ignoresOthers = false
  #probe: Walker | undefined
  /** Whether the value is of another type, not only out of bounds. */
  hasMismatch = false
  readonly #limit: number
  readonly #nullIsAbsent: boolean
  readonly #path: (string | number)[]

  constructor(limit: number, nullIsAbsent: boolean, path: readonly (string | number)[] = []) {
    this.#limit = limit
    this.#nullIsAbsent = nullIsAbsent
    this.#path = [...path]
  }

  get #isFull(): boolean {
    return this.#limit === 0 ? this.#isFaulty : this.issues.length >= this.#limit
  }

  /** The first option that a value fits. Only for a probe. */
  firstFit(options: readonly Shape[], value: unknown): Shape | undefined {
    for (const option of options) {
      this.#isFaulty = false
      this.visit(option, value)
      if (!this.#isFaulty) return option
    }
    return undefined
  }

  visit(shape: Shape, value: unknown): void {
    if (typeof shape === 'string') this.#simple(shape, value)
    else this.#compound(shape, value)
  }

  #simple(shape: Extract<Shape, string>, value: unknown): void {
    switch (shape) {
      case 'any':
        return
      case 'text':
        if (typeof value !== 'string') this.#mismatch('a string', value)
        return
      case 'id':
        if (typeof value !== 'string') this.#mismatch('a string', value)
        else if (value === '') this.#fault('out-of-range', 'Expected a non-empty string, got "".')
        return
      case 'boolean':
        if (typeof value !== 'boolean') this.#mismatch('a boolean', value)
        return
      case 'null':
        if (value !== null) this.#mismatch('null', value)
        return
      case 'instant':
        if (typeof value !== 'string') this.#mismatch('a string', value)
        else if (!isTimestamp(value)) {
          this.#fault('invalid-format', `Expected ${INSTANT}, got ${describeValue(value)}.`)
        }
    }
  }

  #compound(shape: Exclude<Shape, string>, value: unknown): void {
    switch (shape[0]) {
      case 'int':
      case 'number':
        this.#number(shape, value)
        return
      case 'of':
        if (!shape.slice(1).includes(value)) this.#choice(shape.slice(1), value)
        return
      case 'like':
        if (typeof value !== 'string') this.#mismatch('a string', value)
        else if (!shape[1].test(value)) {
          this.#fault(
            'invalid-format',
            `Expected text that matches ${shape[1]}, got ${describeValue(value)}.`,
          )
        }
        return
      case 'list':
        this.#list(shape, value)
        return
      case 'fields':
      case 'only':
        if (!isFields(value)) this.#mismatch('an object', value)
        else {
          this.#fields(shape[1], value)
          if (shape[0] === 'only' && !this.#isFull && !this.#ignoresOthers) this.#others(shape[1], value)
        }
        return
      case 'or':
        this.#union(shape[1], value)
        return
      case 'by':
        this.#tagged(shape[1], shape[2], value)
        return
      case 'maybe':
        if (value === undefined) return
        if (value === null && this.#nullIsAbsent && !acceptsNull(shape[1])) return
        this.visit(shape[1], value)
        return
      case 'nullable':
        if (value !== null) this.visit(shape[1], value)
    }
  }

  /** Adds a step to the path; a probe reports none. */
  #enter(step: string | number): void {
    if (this.#limit > 0) this.#path.push(step)
  }

  #number([type, min, max]: readonly ['int' | 'number', number, number], value: unknown): void {
    if (
      typeof value !== 'number' ||
      !Number.isFinite(value) ||
      (type === 'int' && !Number.isInteger(value))
    ) {
      this.#mismatch(type === 'int' ? 'an integer' : 'a number', value)
    } else if (value < min || value > max) {
      const bound = value < min ? `at least ${min}` : `at most ${max}`
      this.#fault('out-of-range', `Expected ${bound}, got ${value}.`)
    }
  }

  #choice(values: readonly unknown[], value: unknown): void {
    this.hasMismatch = true
    const expected = values.map(quote).join(' or ')
    if (value === undefined) this.#fault('missing', `Missing: expected ${expected}.`)
    else this.#fault('invalid-value', `Expected ${expected}, got ${describeValue(value)}.`)
  }

  #list([, item, min = 0]: readonly ['list', Shape, number?], value: unknown): void {
    if (!Array.isArray(value)) {
      this.#mismatch('an array', value)
      return
    }
    if (value.length < min) {
      this.#fault('out-of-range', `Expected an array of at least ${min}, got ${value.length}.`)
    }
    if (item === 'any') return
    for (let i = 0; i < value.length && !this.#isFull; i++) {
      this.#enter(i)
      this.visit(item, value[i])
      this.#path.pop()
    }
  }

  #fields(fields: ShapeFields, value: Fields): void {
    for (const name in fields) {
      if (this.#isFull) return
      const shape = fields[name] as Shape
      const isPresent = Object.hasOwn(value, name)
      if (!isPresent && shape[0] === 'maybe') continue
      this.#enter(name)
      if (shape === 'any' && !isPresent) this.#mismatch('a value', undefined)
      else this.visit(shape, isPresent ? value[name] : undefined)
      this.#path.pop()
    }
  }

  /** One fault for all fields that an object must not have. Names a few. */
  #others(fields: ShapeFields, value: Fields): void {
    const names: string[] = []
    for (const name in value) {
      if (Object.hasOwn(fields, name) || !Object.hasOwn(value, name)) continue
      names.push(describeValue(name))
      if (names.length === MAX_NAMES) break
    }
    if (names.length === 0) return
    this.#fault('invalid-value', `Unexpected field: ${names.join(', ')}.`)
  }

  /** A union fails as one, unless just one option is of the right type: then its faults are reported. */
  #union(options: readonly Shape[], value: unknown): void {
    const isProbe = this.#limit === 0
    this.#probe ??= isProbe ? this : new Walker(0, this.#nullIsAbsent)
    if (this.#probe.firstFit(options, value) !== undefined || isProbe) return
    // Other fields do not make an object one of another type.
    const attempts = options.map((option) => this.#attempt(option, value, true))
    const [close, ...others] = options.filter((_, i) => attempts[i]?.hasMismatch === false)
    if (close !== undefined && others.length === 0) {
      this.issues.push(...this.#attempt(close, value).issues)
      return
    }
    this.hasMismatch = true
    this.#fault('invalid-value', `Expected one of the allowed forms, got ${typeOf(value)}.`)
  }

  /** The value read as one option of a union. */
  #attempt(option: Shape, value: unknown, ignoresOthers = false): Walker {
    const attempt = new Walker(this.#limit - this.issues.length, this.#nullIsAbsent, this.#path)
    attempt.#ignoresOthers = ignoresOthers
    attempt.visit(option, value)
    return attempt
  }

  #tagged(tag: string, shapes: ShapeFields, value: unknown): void {
    if (!isFields(value)) {
      this.#mismatch('an object', value)
      return
    }
    const shape = taggedShape(tag, shapes, value)
    if (shape !== undefined) {
      this.visit(shape, value)
      return
    }
    this.hasMismatch = true
    const actual = Object.hasOwn(value, tag) ? describeValue(value[tag]) : 'nothing'
    this.#path.push(tag)
    this.#fault('invalid-value', `Expected ${Object.keys(shapes).map(quote).join(' or ')}, got ${actual}.`)
    this.#path.pop()
  }

  #mismatch(expected: string, value: unknown): void {
    this.hasMismatch = true
    if (this.#limit === 0) this.#isFaulty = true
    else if (value === undefined) this.#fault('missing', `Missing: expected ${expected}.`)
    else this.#fault('invalid-type', `Expected ${expected}, got ${typeOf(value)}.`)
  }

  #fault(code: IssueCode, message: string): void {
    if (this.#limit === 0) this.#isFaulty = true
    else if (!this.#isFull) this.issues.push({ code, path: toPointer(this.#path), message })
  }
}

/** The shape that the tag of an object selects. */
function taggedShape(tag: string, shapes: ShapeFields, value: Fields): Shape | undefined {
  const name = Object.hasOwn(value, tag) ? value[tag] : undefined
  return typeof name === 'string' && Object.hasOwn(shapes, name) ? shapes[name] : undefined
}

/** Whether `null` is one of the values a shape accepts. */
function acceptsNull(shape: Shape): boolean {
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

/** Finds the options of unions. One for each object of a list would take several times as long. */
let optionFinder: Walker | undefined

/**
 * The value without the optional fields that are `null`: the value itself if there are none, otherwise a copy
 * of just the objects that change. Call it only for values that fit.
 */
export function stripNulls(shape: Shape, value: unknown): unknown {
  if (typeof shape === 'string') return value
  switch (shape[0]) {
    case 'maybe':
    case 'nullable':
      return value === null || value === undefined ? value : stripNulls(shape[1], value)
    case 'fields':
    case 'only':
      return stripNullFields(shape[1], value as Fields)
    case 'by': {
      const selected = taggedShape(shape[1], shape[2], value as Fields)
      return selected === undefined ? value : stripNulls(selected, value)
    }
    case 'list':
      return keepsNulls(shape[1]) ? value : stripNullItems(shape[1], value as readonly unknown[])
    case 'or': {
      if (typeof value !== 'object' || value === null) return value
      optionFinder ??= new Walker(0, true)
      const option = optionFinder.firstFit(shape[1], value)
      return option === undefined ? value : stripNulls(option, value)
    }
    default:
      return value
  }
}

function stripNullFields(fields: ShapeFields, value: Fields): Fields {
  const dropped: string[] = []
  let changes: Record<string, unknown> | undefined
  for (const name in fields) {
    const inner = value[name]
    if (inner === undefined || !Object.hasOwn(value, name)) continue
    const shape = fields[name] as Shape
    if (inner === null) {
      if (isNullable(shape)) dropped.push(name)
    } else if (typeof inner === 'object') {
      const next = stripNulls(shape, inner)
      if (next === inner) continue
      changes ??= {}
      changes[name] = next
    }
  }
  const rest = dropped.length === 0 ? value : without(value, dropped)
  return changes === undefined ? rest : { ...rest, ...changes }
}

/** A value without the optional fields that are `null`, for any value of its other fields; the value if there are none. */
export function withoutNullFields(fields: ShapeFields, value: Fields): Fields {
  const dropped: string[] = []
  for (const name in fields) if (value[name] === null && isNullable(fields[name] as Shape)) dropped.push(name)
  return dropped.length === 0 ? value : without(value, dropped)
}

/** Whether `null` counts as the absence of a field. */
function isNullable(shape: Shape): boolean {
  return shape[0] === 'maybe' && !acceptsNull(shape[1] as Shape)
}

/** A copy without some fields. Faster than deleting them, which makes objects slow. */
function without(value: Fields, names: readonly string[]): Fields {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue
    // An assignment would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { ...own, value: value[key] })
    else copy[key] = value[key]
  }
  return copy
}

const own = { configurable: true, enumerable: true, writable: true }

function stripNullItems(item: Shape, list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const next = stripNulls(item, list[i])
    if (next === list[i]) continue
    copy ??= [...list]
    copy[i] = next
  }
  return copy ?? list
}

/** Whether no value of a shape has fields that could be dropped for being `null`. */
function keepsNulls(shape: Shape): boolean {
  if (typeof shape === 'string') return true
  switch (shape[0]) {
    case 'fields':
    case 'only':
      return Object.keys(shape[1]).length === 0
    case 'list':
    case 'maybe':
    case 'nullable':
      return keepsNulls(shape[1])
    case 'by':
      return false
    case 'or':
      return shape[1].every(keepsNulls)
    default:
      return true
  }
}
