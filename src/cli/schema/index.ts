/** The command `turnstream schema`. */

import { readdir, readFile } from 'node:fs/promises'
import type { Command } from '../command.ts'
import { suggestion } from '../nearest.ts'
import { packageFolder } from '../package.ts'
import { UsageError } from '../usage-error.ts'
import type { JsonSchema } from './json-schema.ts'
import { type VersionMeta, variants } from './variants.ts'

const folder = new URL('schemas/', packageFolder)

/** One version of a vocabulary, and where its schemas are. */
interface Vocabulary extends VersionMeta {
  /** Such as `events/1.0`. */
  readonly path: string
}

/** One line of a file with examples. */
interface Example {
  /** Such as `examples/tool-start/full.json`. */
  readonly path: string
  readonly value: unknown
}

export const schema: Command = {
  usage: '[<kind>] [options]',
  about:
    'Prints the JSON Schema of an event, a frame or a command, with an example; or that of a whole vocabulary, as a tool needs it.',
  examples: [
    ['tool-start', 'The schema of an event'],
    ['tool-start --example', 'Only an example'],
    ['view', 'The schema of the view that events fold to'],
    ['--list', 'All kinds'],
    ['agent.tool_call --in session', 'Of another vocabulary'],
    ['--variant codegen --in events', 'A whole vocabulary, for a code generator'],
  ],
  options: {
    in: { type: 'string', value: 'NAME', about: 'The vocabulary, such as events, session or frames/v2' },
    example: { type: 'boolean', about: 'Print an example instead of the schema' },
    variant: {
      type: 'string',
      value: 'NAME',
      about: `Print the schema of a whole vocabulary (default: events) as ${Object.keys(variants).join(', ')}`,
    },
    list: { type: 'boolean', about: 'List the kinds of all vocabularies' },
  },
  notes: ['Exit codes: 0, or 2 if there is no such kind.'],
  async run({ operands, options }, terminal) {
    if (
      operands[0] === 'view' &&
      operands.length === 1 &&
      options.in === undefined &&
      options.example !== true
    ) {
      terminal.out(`${JSON.stringify(await viewSchema(), null, 2)}\n`)
      return 0
    }
    const wanted = typeof options.in === 'string' ? options.in : undefined
    const every = await vocabularies()
    const all = every.filter(({ path }) => wanted === undefined || `${path}/`.startsWith(`${wanted}/`))
    if (all.length === 0) {
      const names = every.flatMap(({ path }) => [path.replace(/\/.*/, ''), path])
      const hint = suggestion(wanted ?? '', names)
      throw new UsageError(`Unknown vocabulary ${wanted}.${hint} Run "turnstream schema --list".`)
    }
    if (options.list === true) {
      for (const { path, types } of all) {
        terminal.out(
          `${path}\n${Object.keys(types)
            .map((type) => `  ${type}\n`)
            .join('')}`,
        )
      }
      return 0
    }
    if (typeof options.variant === 'string') {
      const text = await variantOf(options.variant, wanted === undefined ? [every[0]] : all, operands)
      terminal.out(text)
      return 0
    }
    const [kind, ...more] = operands
    if (kind === undefined || more.length > 0) throw new UsageError('Expected one kind, such as tool-start.')
    const found = all.find(({ types }) => Object.hasOwn(types, kind))
    if (found === undefined) throw new UsageError(unknownKind(kind, all))
    const example = await exampleOf(found, kind)
    if (options.example !== true) {
      const own = await schemaOf(found, kind)
      terminal.out(
        `${JSON.stringify({ ...own, ...(example !== undefined && { examples: [example] }) }, null, 2)}\n`,
      )
    } else if (example === undefined) throw new UsageError(`There is no example of ${kind}.`)
    else terminal.out(`${JSON.stringify(example, null, 2)}\n`)
    return 0
  },
}

/** The schema of the view of the latest version. */
async function viewSchema(): Promise<object> {
  const [version = ''] = (await readdir(new URL('view/', folder))).sort().reverse()
  const read = (path: string): Promise<JsonSchema> => readJson(path) as Promise<JsonSchema>
  return bundledView(
    await read(`view/${version}/view.schema.json`),
    await read(`events/${version}/events.schema.json`),
  )
}

function unknownKind(kind: string, all: readonly Vocabulary[]): string {
  const kinds = all.flatMap(({ types }) => Object.keys(types))
  return `Unknown kind ${kind}.${suggestion(kind, kinds)}`
}

/** All vocabularies: events first, then by name. */
async function vocabularies(): Promise<Vocabulary[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const found: Vocabulary[] = []
  for (const { name } of names) {
    for (const version of await readdir(new URL(`${name}/`, folder))) {
      const path = `${name}/${version}`
      const meta = await readJson(`${path}/meta.json`).catch(() => undefined)
      if (meta !== undefined) found.push({ ...(meta as VersionMeta), path })
    }
  }
  const rank = ({ path }: Vocabulary): string => (path.startsWith('events/') ? `0${path}` : `1${path}`)
  return found.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** The text of a variant of a vocabulary, as the repository has it. */
async function variantOf(
  name: string,
  [vocabulary, ...others]: readonly (Vocabulary | undefined)[],
  operands: readonly string[],
): Promise<string> {
  if (!Object.hasOwn(variants, name)) {
    throw new UsageError(`Expected --variant ${Object.keys(variants).join(', ')}, got ${name}.`)
  }
  if (operands.length > 0) throw new UsageError(`Expected no kind with --variant, got ${operands[0]}.`)
  if (vocabulary === undefined || others.length > 0) {
    const paths = [vocabulary, ...others].map((each) => each?.path)
    throw new UsageError(`Expected --in with one version, such as ${paths.join(' or ')}.`)
  }
  const normative = (await readJson(`${vocabulary.path}/events.schema.json`)) as JsonSchema
  const made = variants[name as keyof typeof variants](normative, vocabulary)
  return `${JSON.stringify(made, null, 2)}\n`
}

/** The schema of one type, with the definitions that it refers to. */
async function schemaOf({ path, types }: Vocabulary, kind: string): Promise<object> {
  const { $schema, $id, $defs } = (await readJson(`${path}/events.schema.json`)) as {
    readonly $schema: string
    readonly $id: string
    readonly $defs: Readonly<Record<string, object>>
  }
  const used: Record<string, object> = {}
  const open = [types[kind] ?? '']
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = $defs[name]
    if (definition === undefined || Object.hasOwn(used, name)) continue
    used[name] = definition
    for (const [, other = ''] of JSON.stringify(definition).matchAll(/"#\/\$defs\/([^"]+)"/g))
      open.push(other)
  }
  const { [types[kind] ?? '']: own, ...others } = used
  const hasOthers = Object.keys(others).length > 0
  return { $schema, $id: `${$id}:${kind}`, ...own, ...(hasOthers && { $defs: others }) }
}

/** An example; `undefined` if there is none. */
async function exampleOf({ path }: Vocabulary, kind: string): Promise<unknown> {
  const text = await readFile(new URL(`examples/${path}.jsonl`, folder), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines
    .map((line) => JSON.parse(line) as Example)
    .find((example) => example.path.startsWith(`examples/${kind.replace(':', '-')}/`))?.value
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(path, folder), 'utf8'))
}

const REF = /"\$ref":"[^"#]*#\/\$defs\/([^"]+)"/g

/**
 * The schema of the view with the definitions of events that it refers to.
 *
 * @param events - The schema of the events.
 */
export function bundledView(view: JsonSchema, events: JsonSchema): JsonSchema {
  const defs: Record<string, JsonSchema> = { ...view.$defs }
  const open = [JSON.stringify(view)]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    for (const [, name = ''] of text.matchAll(REF)) {
      const definition = events.$defs?.[name]
      if (Object.hasOwn(defs, name) || definition === undefined) continue
      defs[name] = definition
      open.push(JSON.stringify(definition))
    }
  }
  const text = JSON.stringify({ ...view, $defs: defs })
  return JSON.parse(text.replace(REF, '"$ref":"#/$defs/$1"')) as JsonSchema
}
