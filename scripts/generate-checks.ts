/**
 * Generates fast checks from zod schemas.
 *
 * The schemas stay the source of truth. A construct without an exact equivalent throws, so that it fails
 * the build and is not checked differently.
 */
import type * as z from 'zod/mini'

type Def = z.core.$ZodTypes['_zod']['def']

const ISO_DATE_TIME = 'datetime'

/** Checks of nested objects, in order of appearance and without duplicates. */
class Functions {
  readonly #nameOf = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #sources: string[] = []

  /** Adds a function unless an equal one exists, and returns its name. */
  add(wanted: string, body: string, parameters = 'o: Fields'): string {
    const known = this.#nameOf.get(body)
    if (known !== undefined) return known
    let name = wanted
    for (let i = 2; this.#taken.has(name); i++) name = `${wanted}${i}`
    this.#taken.add(name)
    this.#nameOf.set(body, name)
    this.#sources.push(`function ${name}(${parameters}): boolean {\n  return ${body}\n}`)
    return name
  }

  toString(): string {
    return this.#sources.join('\n\n')
  }
}

/** A kind of object to check. */
export interface CheckSpec {
  /** The value of the tag. */
  readonly tag: string
  readonly schema: z.core.$ZodType
}

/** An exported check of an object, such as an envelope. */
export interface PartSpec {
  readonly name: string
  readonly schema: z.core.$ZodType
  /** Whether the checks of tagged objects that have all these fields call it for them. */
  readonly isShared?: boolean
  /**
   * Whether the checks of tagged objects also contain it, where all objects have the same few hidden classes; the
   * dispatcher takes a parameter for whether to check it.
   */
  readonly isInlined?: boolean
}

/** Generates a module that checks tagged objects and parts of them. */
export function generateChecks(options: {
  /** The name of the tag, such as `kind`. */
  readonly tag: string
  readonly specs: readonly CheckSpec[]
  /** Name of the exported function that dispatches on the tag. */
  readonly dispatcher: string
  /** Further exported checks. Of the shared ones, the first that applies is called. */
  readonly parts: readonly PartSpec[]
  /** Module with the helpers. */
  readonly helpers: string
}): string {
  const functions = new Functions()
  const parts = options.parts.map(({ name, schema }) => {
    const body = objectBody(defOf(schema), name, functions)
    return `export function ${name}(o: Fields): boolean {\n  return ${body}\n}`
  })
  const shared = options.parts.filter(({ isShared }) => isShared)
  const inlined = options.parts.find(({ isInlined }) => isInlined)
  const cases = options.specs.map(({ tag, schema }) => {
    const name = camelCase(tag)
    const checks = objectBody(defOf(schema), name, functions, options.tag, shared)
    if (inlined !== undefined) {
      const both = `${checks} &&\n    (!isWhole || (${objectBody(defOf(inlined.schema), inlined.name, functions)}))`
      return { tag, verdict: `${functions.add(name, both, 'o: Fields, isWhole: boolean')}(o, isWhole)` }
    }
    return { tag, verdict: checks === 'true' ? checks : `${functions.add(name, checks)}(o)` }
  })
  const body = [
    functions.toString(),
    ...parts,
    dispatcher(options.dispatcher, cases, inlined === undefined ? '' : ', isWhole = false'),
  ].join('\n\n')
  const used = HELPERS.filter((name) => body.includes(`${name}(`))
  return [`import { type Fields, ${used.join(', ')} } from '${options.helpers}'`, '', body, ''].join('\n')
}

const HELPERS = [
  'isAmount',
  'isCount',
  'isFields',
  'isFraction',
  'isId',
  'isIntegerIn',
  'isListOf',
  'isNumberIn',
  'isOrdinal',
  'isPlain',
  'isText',
  'isTimestamp',
]

function dispatcher(
  name: string,
  cases: readonly { tag: string; verdict: string }[],
  parameter: string,
): string {
  const byLength = [...groupBy(cases, (c) => c.tag.length)].sort(([a], [b]) => a - b)
  return [
    '/** Whether an event is valid for its tag; `undefined` for an unknown tag. */',
    `export function ${name}(tag: string, o: Fields${parameter}): boolean | undefined {`,
    '  // Parsed JSON strings are not interned: comparing lengths first is faster.',
    '  switch (tag.length) {',
    ...byLength.flatMap(([length, group]) => [
      `    case ${length}:`,
      ...group.map((c) => `      if (tag === ${quote(c.tag)}) return ${c.verdict}`),
      '      return undefined',
    ]),
    '    default:',
    '      return undefined',
    '  }',
    '}',
  ].join('\n')
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function defOf(schema: z.core.$ZodType): Def {
  return (schema as z.core.$ZodTypes)._zod.def
}

/** All fields of an object as one expression over `o`. */
function objectBody(
  def: Def,
  name: string,
  functions: Functions,
  exceptTag?: string,
  shared: readonly PartSpec[] = [],
): string {
  if (def.type !== 'object') throw new Error(`${name}: expected an object, got ${def.type}.`)
  const rest = def.catchall === undefined ? undefined : defOf(def.catchall).type
  if (rest !== 'unknown') throw new Error(`${name}: expected an object that keeps unknown fields.`)
  const part = shared.find(({ schema }) =>
    Object.entries(shapeIn(schema)).every(([key, field]) => def.shape[key] === field),
  )
  const known = part === undefined ? {} : shapeIn(part.schema)
  const fields = Object.entries(def.shape)
    .filter(([key]) => key !== exceptTag && !Object.hasOwn(known, key))
    .map(([key, schema]) => {
      const source = expression(schema, `o.${key}`, `${name}${capital(key)}`, functions)
      // A required field of any value must be there.
      return source === 'true' && schema._zod.optin === undefined ? `'${key}' in o` : source
    })
    .filter((source) => source !== 'true')
  if (part !== undefined) fields.unshift(`${part.name}(o)`)
  return fields.length === 0 ? 'true' : fields.join(' &&\n    ')
}

function shapeIn(schema: z.core.$ZodType): z.core.$ZodShape {
  return (schema as z.ZodMiniObject)._zod.def.shape
}

/** An expression that is true if and only if `schema` accepts the value `at`. */
function expression(schema: z.core.$ZodType, at: string, name: string, functions: Functions): string {
  const def = defOf(schema)
  rejectOtherChecks(def, name)
  switch (def.type) {
    case 'unknown':
      return 'true'
    case 'null':
      return `${at} === null`
    case 'boolean':
      return `typeof ${at} === 'boolean'`
    case 'optional': {
      const inner = expression(def.innerType, at, name, functions)
      return inner === 'true' ? 'true' : `(${at} === undefined || ${inner})`
    }
    case 'nullable': {
      const inner = expression(def.innerType, at, name, functions)
      return inner === 'true' ? 'true' : `(${at} === null || ${inner})`
    }
    case 'literal':
      return oneOf(def.values, at)
    case 'enum':
      return oneOf(Object.values(def.entries), at)
    case 'string':
      return stringExpression(def, at, name)
    case 'number':
      return numberExpression(def, at, name)
    case 'object': {
      const body = objectBody(def, name, functions)
      return body === 'true' ? `isFields(${at})` : `(isPlain(${at}) && ${functions.add(name, body)}(${at}))`
    }
    case 'array': {
      const item = expression(def.element, 'item', `${name}Item`, functions)
      const min = leastLength(def, name)
      if (min > 0) return `isListOf(${at}, (item) => ${item}, ${min})`
      return item === 'true' ? `Array.isArray(${at})` : `isListOf(${at}, (item) => ${item})`
    }
    case 'union': {
      const options = def.options.map((option, i) => expression(option, at, `${name}${i + 1}`, functions))
      return `(${options.join(' || ')})`
    }
    default:
      throw new Error(`${name}: cannot generate a check for ${def.type}.`)
  }
}

function oneOf(values: readonly unknown[], at: string): string {
  const tests = values.map((value) => `${at} === ${typeof value === 'string' ? quote(value) : String(value)}`)
  return tests.length === 1 ? (tests[0] ?? '') : `(${tests.join(' || ')})`
}

function stringExpression(def: Def, at: string, name: string): string {
  if ('format' in def) {
    if (def.format === ISO_DATE_TIME && 'offset' in def && def.offset === true) return `isTimestamp(${at})`
    throw new Error(`${name}: cannot generate a check for the format ${String(def.format)}.`)
  }
  let test = `isText(${at})`
  for (const check of checksOf(def)) {
    if (check.check === 'min_length' && check.minimum === 1) test = `isId(${at})`
    else if (check.check === 'string_format' && check.format === 'regex' && check.pattern !== undefined) {
      test = `(isText(${at}) && ${check.pattern}.test(${at}))`
    } else throw new Error(`${name}: cannot generate a check for ${check.check}.`)
  }
  if (checksOf(def).length > 1)
    throw new Error(`${name}: cannot generate a check for several checks at once.`)
  return test
}

function numberExpression(def: Def, at: string, name: string): string {
  const whole = 'format' in def && def.format === 'safeint'
  if ('format' in def && !whole)
    throw new Error(`${name}: cannot generate a check for ${String(def.format)}.`)
  let min = -Infinity
  let max = Infinity
  for (const check of checksOf(def)) {
    if (check.check === 'number_format') continue
    if (check.check === 'greater_than' && check.inclusive) min = Number(check.value)
    else if (check.check === 'less_than' && check.inclusive) max = Number(check.value)
    else throw new Error(`${name}: cannot generate a check for ${check.check}.`)
  }
  const helper = NUMBER_HELPERS[`${whole ? 'whole' : 'number'} ${min} ${max}`]
  if (helper !== undefined) return `${helper}(${at})`
  if (min === -Infinity && max === Infinity) throw new Error(`${name}: expected a number with bounds.`)
  const most = whole ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  const bounds = [Math.max(min, -most), Math.min(max, most)].join(', ')
  return `${whole ? 'isIntegerIn' : 'isNumberIn'}(${at}, ${bounds})`
}

/** Frequent ranges and their helpers. */
const NUMBER_HELPERS: Readonly<Record<string, string>> = {
  'whole 0 Infinity': 'isCount',
  'whole 1 Infinity': 'isOrdinal',
  'number 0 Infinity': 'isAmount',
  'number 0 1': 'isFraction',
}

/** The least number of items of an array. */
function leastLength(def: Def, name: string): number {
  const lengths = checksOf(def).map((check) => {
    if (check.check === 'min_length') return check.minimum
    throw new Error(`${name}: cannot generate a check for ${check.check}.`)
  })
  return Math.max(0, ...lengths)
}

/** Only strings, numbers and arrays may have further checks. */
function rejectOtherChecks(def: Def, name: string): void {
  if (def.type === 'string' || def.type === 'number' || def.type === 'array') return
  if ((def.checks ?? []).length > 0)
    throw new Error(`${name}: cannot generate a check for ${def.type} with checks.`)
}

type CheckDef = z.core.$ZodChecks['_zod']['def']

function checksOf(def: Def): CheckDef[] {
  return (def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def)
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function camelCase(tag: string): string {
  return tag
    .split(/[^A-Za-z0-9]+/)
    .map((word, i) => (i === 0 ? word : capital(word)))
    .join('')
}
