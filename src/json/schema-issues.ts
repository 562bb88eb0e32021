/** Checks a value with the part of JSON Schema that forms and tool arguments use. */

import type { Issue } from '../core/decode-result.ts'
import { describeValue } from '../core/require.ts'
import { parsePointer, toPointer } from '../encoding/pointer.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { hasType } from './schema-type.ts'
import { isEqualJson, valueAt } from './value.ts'

const MAX_ISSUES = 32
/** The most schemas that are applied to one value, so that hostile ones take bounded time. */
const MAX_STEPS = 10_000
const MAX_DEPTH = 64

/**
 * What is wrong with a value, by a JSON Schema; empty if nothing is. Checks types, enumerations, properties, items,
 * lengths, bounds, `allOf`, `anyOf`, `oneOf`, `not` and local references. Ignores all other keywords, such as `format`
 * and `pattern`. Stops at 32 issues.
 */
export function schemaIssues(schema: unknown, value: unknown): Issue[] {
  const checker = new Checker(schema)
  checker.check(schema, value, [])
  const { issues } = checker
  if (issues.length === 0 && checker.isExhausted) {
    issues.push({ code: 'too-deep', path: '', message: 'Expected a value that takes fewer steps to check.' })
  }
  return issues
}

type Path = readonly (string | number)[]

class Checker {
  readonly issues: Issue[] = []
  /** Whether a part was too deep, or took too long, to be checked. */
  isExhausted = false
  readonly #root: unknown
  #steps = 0
  #depth = 0

  constructor(root: unknown) {
    this.#root = root
  }

  check(schema: unknown, value: unknown, path: Path): void {
    if (this.issues.length >= MAX_ISSUES) return
    if (schema === false) this.#add('invalid-value', path, 'Expected no value here.')
    if (!isFields(schema)) return
    if (this.#depth >= MAX_DEPTH || ++this.#steps > MAX_STEPS) {
      this.isExhausted = true
      this.#add('too-deep', path, 'Expected a value that takes fewer steps to check.')
      return
    }
    this.#depth++
    this.#value(schema, value, path)
    if (typeof value === 'number') this.#number(schema, value, path)
    else if (typeof value === 'string') this.#length(schema, 'Length', [...value].length, path)
    else if (Array.isArray(value)) this.#array(schema, value, path)
    else if (isFields(value)) this.#object(schema, value, path)
    this.#combined(schema, value, path)
    this.#depth--
  }

  #value(schema: Fields, value: unknown, path: Path): void {
    const types = [schema.type].flat().filter((type) => typeof type === 'string')
    if (types.length > 0 && !types.some((type) => hasType(value, type))) {
      this.#add('invalid-type', path, `Expected ${types.join(' or ')}, got ${describeValue(value)}.`)
    }
    const { enum: choices } = schema
    if (Array.isArray(choices) && !choices.some((choice) => isEqualJson(choice, value))) {
      const message = `Expected ${choices.slice(0, 8).map(describeValue).join(' or ')}, got ${describeValue(value)}.`
      this.#add('invalid-value', path, message)
    }
    if ('const' in schema && !isEqualJson(schema.const, value)) {
      const message = `Expected ${describeValue(schema.const)}, got ${describeValue(value)}.`
      this.#add('invalid-value', path, message)
    }
  }

  #number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Fields, value: number, path: Path): void {
    const tests: readonly [bound: unknown, sign: string, isMet: (bound: number) => boolean][] = [
      [minimum, '>=', (bound) => value >= bound],
      [maximum, '<=', (bound) => value <= bound],
      [exclusiveMinimum, '>', (bound) => value > bound],
      [exclusiveMaximum, '<', (bound) => value < bound],
    ]
    for (const [bound, sign, isMet] of tests) {
      if (typeof bound !== 'number' || isMet(bound)) continue
      this.#add('out-of-range', path, `Expected a number ${sign} ${bound}, got ${value}.`)
    }
  }

  #length(schema: Fields, what: 'Length' | 'Items', actual: number, path: Path): void {
    const [min, max] = [schema[`min${what}`], schema[`max${what}`]]
    const unit = what === 'Length' ? 'characters' : 'items'
    if (typeof min === 'number' && actual < min) {
      this.#add('out-of-range', path, `Expected at least ${min} ${unit}, got ${actual}.`)
    }
    if (typeof max === 'number' && actual > max) {
      this.#add('out-of-range', path, `Expected at most ${max} ${unit}, got ${actual}.`)
    }
  }

  #array(schema: Fields, value: readonly unknown[], path: Path): void {
    this.#length(schema, 'Items', value.length, path)
    if (!('items' in schema)) return
    for (const [i, item] of value.entries()) {
      if (this.issues.length >= MAX_ISSUES) return
      this.check(schema.items, item, [...path, i])
    }
  }

  #object(schema: Fields, value: Fields, path: Path): void {
    const properties = isFields(schema.properties) ? schema.properties : {}
    for (const name of Array.isArray(schema.required) ? schema.required : []) {
      if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
      this.#add('missing', [...path, name], 'Expected a value, got none.')
    }
    for (const name of Object.keys(value)) {
      if (this.issues.length >= MAX_ISSUES) return
      const isNamed = Object.hasOwn(properties, name)
      if (isNamed) this.check(properties[name], value[name], [...path, name])
      else if ('additionalProperties' in schema)
        this.check(schema.additionalProperties, value[name], [...path, name])
    }
  }

  #combined(schema: Fields, value: unknown, path: Path): void {
    const listIn = (name: string): readonly unknown[] =>
      Array.isArray(schema[name]) ? (schema[name] as unknown[]) : []
    for (const each of listIn('allOf')) this.check(each, value, path)
    const [any, one] = [listIn('anyOf'), listIn('oneOf')]
    if (any.length > 0 && !any.some((each) => this.#accepts(each, value))) {
      this.#add(
        'invalid-value',
        path,
        'Expected a value that matches one of several schemas, got one that matches none.',
      )
    }
    const count = one.filter((each) => this.#accepts(each, value)).length
    if (one.length > 0 && count !== 1) {
      const message = `Expected a value that matches one of several schemas, got one that matches ${count}.`
      this.#add('invalid-value', path, message)
    }
    if ('not' in schema && this.#accepts(schema.not, value)) {
      this.#add('invalid-value', path, 'Expected a value that does not match the schema of "not".')
    }
    const { $ref: reference } = schema
    if (typeof reference !== 'string') return
    const tokens = reference.startsWith('#') ? parsePointer(reference.slice(1)) : undefined
    const found = tokens === undefined ? undefined : valueAt(this.#root, tokens)
    if (found !== undefined) this.check(found.value, value, path)
  }

  #accepts(schema: unknown, value: unknown): boolean {
    const known = this.issues.length
    this.check(schema, value, [])
    // A value that cannot be checked matches nothing.
    return this.issues.splice(known).length === 0
  }

  #add(code: string, path: Path, message: string): void {
    this.issues.push({ code, path: toPointer(path), message })
  }
}
