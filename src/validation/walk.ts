/** The one walker over shapes: what is wrong with a value, and the value without nulls. */

import type { Issue, IssueCode } from '../core/decode-result.ts'
import { describeValue } from '../core/require.ts'
import { toPointer } from '../encoding/pointer.ts'
import { INSTANT, quote, typeOf } from './messages.ts'
import { type Fields, isFields, isTimestamp } from './predicates.ts'
import type { Shape, ShapeFields } from './shape.ts'

/** More issues do not help a reader, and a hostile value may have millions. */
const MAX_ISSUES = 32

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

/** Whether a value fits, with `null` on an optional field as absent. */
export function fits(shape: Shape, value: unknown): boolean {
  const walker = new Walker(1, true)
  walker.visit(shape, value)
  return walker.issues.length === 0
}

/** Collects issues on a depth-first walk, in the order of the shape. */
class Walker {
  readonly issues: Issue[] = []
  /** Whether the value is of another type, not only out of bounds. */
  hasMismatch = false
  readonly #limit: number
  readonly #nullIsAbsent: boolean
  readonly #path: (string | number)[] = []

  constructor(limit: number, nullIsAbsent: boolean) {
    this.#limit = limit
    this.#nullIsAbsent = nullIsAbsent
  }

  get #isFull(): boolean {
    return this.issues.length >= this.#limit
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
      default:
        this.#instant(shape, value)
    }
  }

  #instant(shape: 'instant' | 'local-instant', value: unknown): void {
    if (typeof value !== 'string') this.#mismatch('a string', value)
    else if (!isTimestamp(value) && !(shape === 'local-instant' && isTimestamp(`${value}Z`))) {
      this.#fault('invalid-format', `Expected ${INSTANT}, got ${describeValue(value)}.`)
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
        this.#list(shape[1], value)
        return
      case 'fields':
        if (isFields(value)) this.#fields(shape[1], value)
        else this.#mismatch('an object', value)
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

  #list(item: Shape, value: unknown): void {
    if (!Array.isArray(value)) {
      this.#mismatch('an array', value)
      return
    }
    if (item === 'any') return
    for (let i = 0; i < value.length && !this.#isFull; i++) {
      this.#path.push(i)
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
      this.#path.push(name)
      if (shape === 'any' && !isPresent) this.#mismatch('a value', undefined)
      else this.visit(shape, isPresent ? value[name] : undefined)
      this.#path.pop()
    }
  }

  /** A union fails as one, unless just one option is of the right type: then its faults are reported. */
  #union(options: readonly Shape[], value: unknown): void {
    let close: Walker | undefined
    let closeCount = 0
    for (const option of options) {
      const attempt = new Walker(this.#limit - this.issues.length, this.#nullIsAbsent)
      attempt.#path.push(...this.#path)
      attempt.visit(option, value)
      if (attempt.issues.length === 0) return
      if (attempt.hasMismatch) continue
      close = attempt
      closeCount++
    }
    if (close !== undefined && closeCount === 1) this.issues.push(...close.issues)
    else {
      this.hasMismatch = true
      this.#fault('invalid-value', `Expected one of the allowed forms, got ${typeOf(value)}.`)
    }
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
    if (value === undefined) this.#fault('missing', `Missing: expected ${expected}.`)
    else this.#fault('invalid-type', `Expected ${expected}, got ${typeOf(value)}.`)
  }

  #fault(code: IssueCode, message: string): void {
    if (!this.#isFull) this.issues.push({ code, path: toPointer(this.#path), message })
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
      return stripNullFields(shape[1], value as Fields)
    case 'by': {
      const selected = taggedShape(shape[1], shape[2], value as Fields)
      return selected === undefined ? value : stripNulls(selected, value)
    }
    case 'list':
      return isPlain(shape[1]) ? value : stripNullItems(shape[1], value as readonly unknown[])
    case 'or': {
      const options = shape[1]
      const option = options.find((each) => fits(each, value))
      return option === undefined ? value : stripNulls(option, value)
    }
    default:
      return value
  }
}

function stripNullFields(fields: ShapeFields, value: Fields): Fields {
  let copy: Record<string, unknown> | undefined
  for (const name in fields) {
    const inner = value[name]
    if (inner === undefined || !Object.hasOwn(value, name)) continue
    const shape = fields[name] as Shape
    if (inner === null) {
      if (shape[0] !== 'maybe' || acceptsNull(shape[1] as Shape)) continue
      copy ??= { ...value }
      delete copy[name]
    } else if (typeof inner === 'object') {
      const next = stripNulls(shape, inner)
      if (next === inner) continue
      copy ??= { ...value }
      copy[name] = next
    }
  }
  return copy ?? value
}

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

/** Whether no value of a shape has fields of its own that could be `null`. */
function isPlain(shape: Shape): boolean {
  if (typeof shape === 'string') return true
  switch (shape[0]) {
    case 'fields':
      return Object.keys(shape[1]).length === 0
    case 'list':
    case 'maybe':
    case 'nullable':
      return isPlain(shape[1])
    case 'by':
      return false
    case 'or':
      return shape[1].every(isPlain)
    default:
      return true
  }
}
