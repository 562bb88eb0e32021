/**
 * Writes what is derived from the records in `src/events/records/*.ts`: the lists and tables of kinds, and the union
 * types. Imports nothing that is generated, so that it runs when they are stale.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { kindRecords } from '../src/events/records/index.ts'

const NOUNS = 'src/events'
const root = fileURLToPath(new URL('..', import.meta.url))

/** What the tables are made of. The types of the records are for those who write them. */
type AnyRecord = Readonly<
  Partial<Record<'schema' | 'series' | 'ends' | 'restarts' | 'backpressure' | 'redaction', object | null>>
>

const records = Object.entries<AnyRecord>(kindRecords)
const kinds = records.map(([kind]) => kind)
const internal = kinds.filter((kind) => kind.startsWith('internal:'))
const external = kinds.filter((kind) => !internal.includes(kind))

/** The source of `src/events/kinds.generated.ts`: data about kinds, each constant on its own for bundlers. */
export function kindTables(): string {
  return [
    "import type { EventKind } from './event.ts'",
    "import type { BackpressureRule, NumberedSeries, Redaction, Series } from './kind.ts'",
    '',
    '/** The kinds of events for clients. */',
    `export const externalKinds = ${list(external)} as const`,
    '',
    '/** The kinds of events for operators. Not sent to clients unless the server explicitly allows it. */',
    `export const internalKinds = ${list(internal)} as const`,
    '',
    '/** All kinds of {@link PROTOCOL_VERSION}. */',
    'export const eventKinds: readonly [...typeof externalKinds, ...typeof internalKinds] = [',
    '  ...externalKinds,',
    '  ...internalKinds,',
    ']',
    '',
    '/** The series that number the `index` of a kind. */',
    table('kindSeries', 'NumberedSeries', 'series'),
    '',
    '/** The series that a kind ends. */',
    table('seriesEnds', 'Series', 'ends'),
    '',
    '/** The series that a kind begins anew, as its index 0. */',
    table('seriesRestarts', 'Series', 'restarts'),
    '',
    '/** How events of a kind may be reduced. Other kinds for clients are always delivered. */',
    table('kindBackpressure', 'BackpressureRule', 'backpressure'),
    '',
    '/** What is hidden from which audience. */',
    table('kindRedactions', 'Redaction', 'redaction'),
    '',
  ].join('\n')
}

/** The source of `src/events/events.generated.ts`: the interfaces of all events, and their unions. */
export function eventTypes(): string {
  const files = readdirSync(root + NOUNS).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'),
  )
  const texts = files.map((file) => [file, readFileSync(`${root}${NOUNS}/${file}`, 'utf8')] as const)
  const byFile = new Map<string, string[]>()
  /** The type of each kind in the unions. */
  const members = new Map<string, string>()
  for (const kind of kinds) {
    const name = interfaceOf(kind)
    const declaration = new RegExp(`export interface ${name}(<.*>)? \\{\\n  kind: '${kind}'\\n`)
    const [file, text] = texts.find(([, source]) => declaration.test(source)) ?? []
    if (file === undefined || text === undefined)
      throw new Error(
        `Declare this in the file of its noun, ${NOUNS}/<noun>.ts:\nexport interface ${name} {\n  kind: '${kind}'`,
      )
    // Where applications add members, the union has its own type.
    const any = `Any${name}`
    const isOpen = text.includes(`export type ${any} =`)
    members.set(kind, isOpen ? any : name)
    byFile.set(file, [...(byFile.get(file) ?? []), name, ...(isOpen ? [any] : [])].sort())
  }
  const imports = [...byFile]
    .sort()
    .map(
      ([file, names]) => `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from './${file}'`,
    )
  const union = (of: readonly string[]): string => of.map((kind) => `\n  | ${members.get(kind)}`).join('')
  return [
    ...imports,
    '',
    `export type {\n${[...byFile.values()]
      .flat()
      .map((name) => `  ${name},\n`)
      .sort()
      .join('')}}`,
    '',
    '/** Any event for clients, without context. */',
    `export type ExternalEvent =${union(external)}`,
    '',
    '/** Any event for operators, without context. */',
    `export type InternalEvent =${union(internal)}`,
    '',
  ].join('\n')
}

/** The name of the interface of a kind: `content-delta` is `ContentDeltaEvent`. */
export function interfaceOf(kind: string): string {
  const words = kind.split(/[:-]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Event`
}

function list(names: readonly string[]): string {
  return `[\n${names.map((name) => `  '${name}',\n`).join('')}]`
}

function table(name: string, type: string, field: keyof AnyRecord): string {
  const rows = records.flatMap(([kind, record]) => {
    const value = record[field]
    return value === undefined || value === null ? [] : [`  '${kind}': ${literal(value)},\n`]
  })
  return `export const ${name}: Readonly<Partial<Record<EventKind, ${type}>>> = {\n${rows.join('')}}`
}

/** JSON data as TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  const fields = Object.entries(value).map(
    ([key, inner]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(inner)}`,
  )
  return `{ ${fields.join(', ')} }`
}
