/** The generated files of the conformance kit: the manifest, the rules, and the cases of the published examples. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SuiteEntry } from '../../src/cli/conformance/suites.ts'
import { bundledView } from '../../src/cli/schema/index.ts'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { describeValue } from '../../src/core/require.ts'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'
import { eventRules } from '../../src/streams/index.ts'
import type { Dialect } from '../schemas/dialect.ts'
import { dialects } from '../schemas/dialects.ts'
import { examplePaths, SCHEMAS } from '../schemas/files.ts'
import { viewSchemaPath } from '../schemas/view.ts'
import { kits, type SuiteSource } from './suites.ts'

export const CONFORMANCE: string = fileURLToPath(new URL('../../conformance/', import.meta.url))

/** One line of a suite, as it is written. */
export interface WrittenCase {
  readonly name: string
  readonly input: unknown
  expected: unknown
}

/** The generated files and their texts, by their paths below `conformance/`. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const { suite, name, inputOf } of exampleSuites) {
    const lines = dialects
      .filter((dialect) => dialect.name === name)
      .flatMap((each) => exampleCases(each, inputOf))
    files.set(`${suite}/examples.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  files.set('rules.json', listed(rules()))
  files.set(
    'view.schema.json',
    `${JSON.stringify(bundledView(schemaAt(viewSchemaPath), schemaAt(eventsPath)), null, 1)}\n`,
  )
  for (const { folder, suites } of kits) {
    const entries = manifest(suites, (path) => files.get(folder + path) ?? textOf(folder + path))
    const text = `{\n"protocol":"${PROTOCOL_VERSION}",\n"suites":${listed(entries).trimEnd()}\n}\n`
    files.set(`${folder}manifest.json`, text)
  }
  return files
}

const eventsPath = `events/${PROTOCOL_VERSION}/events.schema.json`

function schemaAt(path: string): JsonSchema {
  return JSON.parse(readFileSync(SCHEMAS + path, 'utf8')) as JsonSchema
}

/** The suites whose first cases are the published examples of a vocabulary. */
const exampleSuites: readonly {
  readonly suite: string
  readonly name: string
  /** What the input of a case has besides its value. */
  readonly inputOf: (dialect: Dialect) => object
}[] = [
  { suite: 'decode', name: 'events', inputOf: () => ({}) },
  { suite: 'formats/session-decode', name: 'session', inputOf: () => ({}) },
  { suite: 'formats/agent-event-decode', name: 'agent-event', inputOf: () => ({}) },
  { suite: 'formats/frames-decode', name: 'frames', inputOf: ({ version }) => ({ version }) },
]

function exampleCases({ name, version }: Dialect, inputOf: (dialect: Dialect) => object): WrittenCase[] {
  const folder = `${name}/${version}`
  const more = inputOf({ name, version } as Dialect)
  const read = (path: string): unknown => JSON.parse(readFileSync(`${SCHEMAS}${folder}/${path}`, 'utf8'))
  const titled = (path: string): string =>
    `${Object.keys(more).length > 0 ? `${version}/` : ''}${path.replace(/\.json$/, '')}`
  // A frame is compared by its text, which an example does not state.
  const valid = name === 'frames' ? [] : examplePaths(folder, 'examples')
  return [
    ...valid.map((path) => {
      const value = read(path)
      const status = path.startsWith('examples/unknown-kind/') ? 'unknown' : 'known'
      return { name: titled(path), input: { value, ...more }, expected: { status, event: value } }
    }),
    ...examplePaths(folder, 'invalid').map((path) => {
      const { value, issue } = read(path) as { readonly value: unknown; readonly issue: unknown }
      return { name: titled(path), input: { value, ...more }, expected: { status: 'invalid', issue } }
    }),
  ]
}

interface RuleCase {
  readonly name: string
  readonly input: { readonly events: readonly unknown[] }
  readonly expected: { readonly strict: readonly { readonly eventIndex: number; readonly path?: string }[] }
  readonly details: readonly {
    readonly message: string
    readonly expected?: unknown
    readonly actual?: unknown
  }[]
}

/** The rules of streams as data, with what their cases show of them. */
function rules(): object[] {
  const cases = new Map(casesIn('verify/rules.jsonl').map((each) => [each.name, each as unknown as RuleCase]))
  return eventRules.map(({ rule, id, severity, summary, source, checkedBy }) => {
    const shown = cases.get(rule)
    const [violation] = shown?.expected.strict ?? []
    const [detail] = shown?.details ?? []
    const isAtEnd = violation?.eventIndex === shown?.input.events.length
    return {
      rule,
      id,
      severity,
      ...(violation !== undefined && { at: violation.path ?? (isAtEnd ? 'end' : 'event') }),
      ...(detail !== undefined && { message: templateOf(detail) }),
      summary,
      source,
      checkedBy,
      ...(shown !== undefined && { case: rule }),
    }
  })
}

/** A message with the names of the values in it. */
function templateOf({ message, expected, actual }: RuleCase['details'][number]): string {
  const named = (text: string, value: unknown, name: string): string => {
    if (value === undefined) return text
    const spelled = [describeValue(value), String(value)].find((each) => text.includes(each))
    // The last place: a value may also be part of a word before it.
    const at = spelled === undefined ? -1 : text.lastIndexOf(spelled)
    return at < 0 ? text : text.slice(0, at) + name + text.slice(at + (spelled as string).length)
  }
  return named(named(message, actual, '{actual}'), expected, '{expected}')
}

/** Suites with what is read from their files. */
export function manifest(suites: readonly SuiteSource[], read: (path: string) => string): SuiteEntry[] {
  return suites.map(({ id, level, about, files }) => {
    const texts = files.map(read)
    const cases = texts.join('').split('\n').length - 1
    const sha256 = createHash('sha256').update(texts.join('')).digest('hex')
    return { id, level, about, files, cases, sha256 }
  })
}

/** The suites of a kit, as it has them. */
export function suitesIn(folder: string): SuiteEntry[] {
  const { suites } = kits.find((kit) => kit.folder === folder) ?? { suites: [] }
  return manifest(suites, (path) => textOf(folder + path))
}

/** The cases of one file. */
export function casesIn(path: string): WrittenCase[] {
  return textOf(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WrittenCase)
}

function textOf(path: string): string {
  return existsSync(CONFORMANCE + path) ? readFileSync(CONFORMANCE + path, 'utf8') : ''
}

/** A JSON array with one item in each line. */
function listed(items: readonly unknown[]): string {
  return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`
}
