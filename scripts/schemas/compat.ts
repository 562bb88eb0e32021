/**
 * The compatibility level of a change of a normative schema:
 *
 * | level | what changed |
 * |---|---|
 * | patch | documentation only: titles, descriptions, examples, order |
 * | minor | a new event; a new optional field; an unused definition |
 * | major | a field that is removed, required or no longer required; a type, value, format, bound or name; a closed object |
 *
 * Loosening is major too: readers of the old schema reject what new writers may send.
 */
import { type JsonSchema, sameJson } from '../../src/cli/schema/json-schema.ts'

export type Level = 'patch' | 'minor' | 'major'

export interface Change {
  readonly level: Level
  /** JSON pointer to the change. */
  readonly path: string
  readonly message: string
}

const ANNOTATIONS = new Set(['$schema', '$id', '$comment', 'title', 'description', 'examples', 'default'])
/** Keywords with named subschemas, which are compared by name. */
const MAPS = new Set(['$defs', 'properties'])
/** Keywords whose order has no meaning. */
const SETS = new Set(['required', 'enum', 'type', 'oneOf', 'anyOf', 'allOf'])

/** Every change from one schema to the next. */
export function changes(before: JsonSchema, after: JsonSchema): Change[] {
  return [...compareUnion(before, after), ...compare(before, after, '', new Set(['oneOf']))]
}

/** The highest level of the changes; `undefined` if there are none. */
export function levelOf(list: readonly Change[]): Level | undefined {
  return (['major', 'minor', 'patch'] as const).find((level) => list.some((change) => change.level === level))
}

/** The union of all events is the only place where options may be added. */
function* compareUnion(before: JsonSchema, after: JsonSchema): Generator<Change> {
  const was = new Set((before.oneOf ?? []).map((variant) => variant.$ref ?? JSON.stringify(variant)))
  const is = new Set((after.oneOf ?? []).map((variant) => variant.$ref ?? JSON.stringify(variant)))
  for (const ref of was) if (!is.has(ref)) yield major('/oneOf', `${ref} was removed`)
  for (const ref of is) if (!was.has(ref)) yield minor('/oneOf', `${ref} is new`)
}

function* compare(
  before: JsonSchema,
  after: JsonSchema,
  path: string,
  except: ReadonlySet<string> = new Set(),
): Generator<Change> {
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (except.has(keyword)) continue
    const [was, is] = [before[keyword], after[keyword]]
    const at = `${path}/${keyword}`
    if (ANNOTATIONS.has(keyword)) {
      if (!sameJson(was, is)) yield patch(at, 'documentation changed')
    } else if (MAPS.has(keyword)) {
      const required = new Set([...(before.required ?? []), ...(after.required ?? [])])
      yield* compareMaps(asMap(was), asMap(is), at, keyword === '$defs' ? undefined : required)
    } else if (keyword === 'items' || (keyword === 'additionalProperties' && isObject(was) && isObject(is))) {
      if (isObject(was) && isObject(is)) yield* compare(was, is, at)
      else yield major(at, was === undefined ? 'was added' : 'was removed')
    } else if (SETS.has(keyword)) {
      if (!sameSet(was, is)) yield major(at, `${JSON.stringify(was)} became ${JSON.stringify(is)}`)
    } else if (!sameJson(was, is)) {
      yield major(at, `${JSON.stringify(was)} became ${JSON.stringify(is)}`)
    }
  }
}

/** @param required - The fields required before or after. Omitted for definitions. */
function* compareMaps(
  before: Readonly<Record<string, JsonSchema>>,
  after: Readonly<Record<string, JsonSchema>>,
  path: string,
  required: ReadonlySet<string> | undefined,
): Generator<Change> {
  for (const [key, was] of Object.entries(before)) {
    const is = after[key]
    if (is === undefined) yield major(`${path}/${key}`, 'was removed')
    else yield* compare(was, is, `${path}/${key}`)
  }
  for (const key of Object.keys(after)) {
    if (key in before) continue
    if (required?.has(key)) yield major(`${path}/${key}`, 'is new and required')
    else yield minor(`${path}/${key}`, 'is new')
  }
}

function sameSet(a: unknown, b: unknown): boolean {
  const parts = (value: unknown): string[] =>
    [value ?? []]
      .flat()
      .map((each) => JSON.stringify(each))
      .sort()
  return sameJson(parts(a), parts(b))
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function asMap(value: unknown): Readonly<Record<string, JsonSchema>> {
  return isObject(value) ? (value as Record<string, JsonSchema>) : {}
}

const patch = (path: string, message: string): Change => ({ level: 'patch', path, message })
const minor = (path: string, message: string): Change => ({ level: 'minor', path, message })
const major = (path: string, message: string): Change => ({ level: 'major', path, message })
