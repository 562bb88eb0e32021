/**
 * The field tables of the reference pages, read from the published JSON Schemas: one table of the fields all
 * events share, one for each event, one for each type they use.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROTOCOL_VERSION } from '../src/events/version.ts'
import { anchorOf, code, firstSentence, markdownTable } from './markdown.ts'

/** The keywords of JSON Schema that the published schemas use. */
interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** All events of one published schema: each with its first sentence and a link to its fields. */
export function kindTable(folder: string): string {
  const root = readSchema(folder)
  const events = eventsOf(root)
  const tag = tagOf(events.map(([, schema]) => schema))
  const rows = events.map(([name, schema]) => {
    const kind = String(schema.properties?.[tag]?.const ?? name)
    return [`[${code(kind)}](#${anchorOf(code(kind))})`, firstSentence(schema.description ?? '')]
  })
  return markdownTable([tag, 'description'], rows)
}

/**
 * All field tables of one published schema, as Markdown with headings of level 3.
 *
 * @param folder - Its folder under `schemas/`, such as `agent-event/1.0`; `events` is that of the current version.
 */
export function fieldTables(folder: string): string {
  const root = readSchema(folder)
  const eventDefs = eventsOf(root)
  const events = new Set(eventDefs.map(([name]) => name))
  const shared = sharedFields(eventDefs.map(([, schema]) => schema))
  const tag = tagOf(eventDefs.map(([, schema]) => schema))
  const types = Object.entries(root.$defs ?? {}).filter(([name]) => !events.has(name))
  const table = (schema: Schema, without?: ReadonlySet<string>): string =>
    fieldsTable(schema, root.$defs ?? {}, without)
  return [
    ...(Object.keys(shared.properties ?? {}).length === 0 ? [] : ['### Shared fields', table(shared)]),
    ...eventDefs.flatMap(([name, schema]) => {
      const kind = String(schema.properties?.[tag]?.const ?? name)
      const known = new Set([tag, ...Object.keys(shared.properties ?? {})])
      return [`### ${code(kind)}`, `${code(name)}. ${schema.description ?? ''}`, table(schema, known)]
    }),
    ...types.flatMap(([name, schema]) => [
      `### ${code(name)}`,
      schema.description ?? '',
      schema.properties === undefined ? `One of: ${typeOf(schema)}.` : table(schema),
    ]),
  ].join('\n\n')
}

function readSchema(folder: string): Schema {
  const versioned = folder === 'events' ? `events/${PROTOCOL_VERSION}` : folder
  const path = fileURLToPath(new URL(`../schemas/${versioned}/events.schema.json`, import.meta.url))
  return JSON.parse(readFileSync(path, 'utf8')) as Schema
}

function eventsOf(root: Schema): [name: string, schema: Schema][] {
  const names = new Set((root.oneOf ?? root.anyOf ?? []).map(nameIn))
  return Object.entries(root.$defs ?? {}).filter(([name]) => names.has(name))
}

/** The fields that all events have, with the description most of them give. */
function sharedFields(events: readonly Schema[]): Schema {
  const [first, ...rest] = events
  const properties: Record<string, Schema> = {}
  for (const [name, field] of Object.entries(first?.properties ?? {})) {
    const type = typeOf(field)
    if (field.const !== undefined || rest.some((each) => typeIn(each, name) !== type)) continue
    properties[name] = mostCommon(events.map((each) => each.properties?.[name] ?? field))
  }
  return { properties, required: (first?.required ?? []).filter((name) => name in properties) }
}

/** The discriminator of the events. */
function tagOf([first]: readonly Schema[]): string {
  const [name] = Object.entries(first?.properties ?? {}).find(([, field]) => field.const !== undefined) ?? []
  return name ?? 'kind'
}

function typeIn(schema: Schema, name: string): string | undefined {
  const field = schema.properties?.[name]
  return field && typeOf(field)
}

function mostCommon(fields: readonly Schema[]): Schema {
  const count = (field: Schema): number =>
    fields.filter(({ description }) => description === field.description).length
  return fields.reduce((best, field) => (count(field) > count(best) ? field : best))
}

function fieldsTable(
  { properties = {}, required = [] }: Schema,
  defs: Readonly<Record<string, Schema>>,
  without: ReadonlySet<string> = new Set(),
): string {
  const rows = Object.entries(properties)
    .filter(([name]) => !without.has(name))
    .map(([name, field]) => [
      code(required.includes(name) ? name : `${name}?`),
      typeOf(field) + valuesOf(defs[nameIn(field)]),
      asText(field.description ?? ''),
    ])
  return rows.length === 0 ? 'No further fields.' : markdownTable(['field', 'type', 'meaning'], rows)
}

/** A type as a reader of the table needs it: the allowed values, the bounds, or a link to its table. */
function typeOf(schema: Schema): string {
  const { $ref, type, format, items, minimum, maximum, exclusiveMinimum, minItems } = schema
  if ($ref !== undefined) return `[${code(nameIn(schema))}](#${anchorOf(nameIn(schema))})`
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ')
  const members = schema.oneOf ?? schema.anyOf
  if (members !== undefined) return members.map(typeOf).join(' or ')
  if (format === 'date-time') return 'RFC 3339 timestamp'
  if (items !== undefined)
    return `array of ${typeOf(items)}${minItems === undefined ? '' : `, at least ${minItems}`}`
  const name = Array.isArray(type) ? type.join(' or ') : String(type ?? 'any JSON')
  if (name === 'string') return (schema.minLength ?? 0) > 0 ? 'non-empty string' : 'string'
  if (typeof schema.additionalProperties === 'object')
    return `object of ${typeOf(schema.additionalProperties)}`
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return `${name} ${minimum}..${maximum}`
  if (exclusiveMinimum !== undefined) return `${name} > ${exclusiveMinimum}`
  return minimum === undefined || minimum < -1e15 ? name : `${name} >= ${minimum}`
}

/** The values of a type that is an enumeration, to follow its name. */
function valuesOf(schema: Schema | undefined): string {
  return schema?.enum === undefined ? '' : `: ${typeOf(schema)}`
}

function nameIn({ $ref = '' }: Schema): string {
  return $ref.split('/').at(-1) ?? ''
}

function asText(description: string): string {
  return description.replace(/\s+/g, ' ').trim()
}
