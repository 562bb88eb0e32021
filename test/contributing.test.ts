// Checks the steps of CONTRIBUTING.md. Each failure names the file to edit.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import {
  type ContextAnyEvent,
  createEmitter,
  type EventDraft,
  type EventKind,
  eventKinds,
  PROTOCOL_VERSION,
} from 'agentwire'
import {
  type Audience,
  closeDangling,
  compact,
  emptyView,
  eventRules,
  foldEvent,
  redactions,
} from 'agentwire/streams'
import { contextEventSchemas } from 'agentwire/zod'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { coverages } from '../scripts/coverages.ts'
import { entryPoints, exportsOf } from '../scripts/entry-points.ts'
import { code } from '../scripts/markdown.ts'
import { pages } from '../scripts/readme.ts'
import { backpressureRules } from '../src/streams/log/backpressure-rules.ts'
import { documentedDefaults } from './support/defaults.ts'
import { eventsOfTask, legalStreams } from './support/legal-streams.ts'
import { absolute, sourceFiles, walk } from './support/sources.ts'

const SCHEMAS = `schemas/events/${PROTOCOL_VERSION}`

const examples: ReadonlyMap<EventKind, readonly ContextAnyEvent[]> = new Map(
  eventKinds.map((kind) => [kind, examplesOf(kind)]),
)

/** The published examples of a kind, the one with every field last. */
function examplesOf(kind: EventKind): ContextAnyEvent[] {
  const folder = `${SCHEMAS}/examples/${kind.replace(':', '-')}`
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort((a, b) => Number(a === 'full.json') - Number(b === 'full.json'))
    .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as ContextAnyEvent)
}

/** Events of generated legal streams, enough for each kind to occur often. */
const generated = fc.sample(legalStreams(), { numRuns: 1000, seed: 1 }).flat()

describe('CONTRIBUTING.md', () => {
  it.each(['CONTRIBUTING.md', 'test/README.md', 'test/contributing.test.ts', 'docs/architecture.md'])(
    '%s names paths that exist',
    (page) => {
      const named = readFileSync(page, 'utf8').matchAll(
        /\b(?:src|test|scripts|schemas|examples|bench|docs)\/[\w./-]*\w\/?(?![\w<*{$])/g,
      )
      const paths = [...new Set([...named].map(([path]) => path))].filter((path) => !/^docs$|\.$/.test(path))
      expect(paths.length).toBeGreaterThan(4)
      expect(
        paths.filter((path) => !existsSync(path)),
        `Correct the paths in ${page}.`,
      ).toEqual([])
    },
  )
})

describe('adding an event kind', () => {
  it.each(eventKinds)('%s has examples', (kind) => {
    const folder = `${SCHEMAS}/examples/${kind.replace(':', '-')}`
    expect(examplesOf(kind).length, `Add ${folder}/minimal.json and ${folder}/full.json.`).toBeGreaterThan(1)
    const invalid = readdirSync(`${SCHEMAS}/invalid`).map(
      (file) =>
        JSON.parse(readFileSync(`${SCHEMAS}/invalid/${file}`, 'utf8')) as { value?: { kind?: string } },
    )
    const isShown = invalid.some(({ value }) => value?.kind === kind)
    expect(isShown, `Add ${SCHEMAS}/invalid/${kind.replace(':', '-')}-<fault>.json.`).toBe(true)
  })

  it.each(eventKinds.filter((kind) => fieldsOf(kind).includes('index')))('%s is numbered', (kind) => {
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const {
      index: _,
      contextId,
      taskId,
      timestamp,
      indexEnd,
      timestampEnd,
      ...draft
    } = exampleOf(kind) as never as Record<string, unknown>
    const open = 'complete' in draft ? { ...draft, complete: false } : draft
    const indexes = [0, 1].map(() => (emit(open as never as EventDraft) as { index?: number }).index)
    expect(indexes, `src/emitter/counters.ts must number ${kind}.`).toEqual([0, 1])
  })

  const exported = new Set(exportsOf('src/index.ts').map(({ name }) => name))

  it.each(eventKinds)('the interface of %s is exported', (kind) => {
    const words = kind.split(/[:-]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    const name = `${words.join('')}Event`
    const where = `Export ${name} from src/events/index.ts, and add it to "pinned" in test/package-shape.test.ts.`
    expect(exported.has(name), where).toBe(true)
  })

  it('every kind has a backpressure rule', () => {
    expect(
      Object.keys(backpressureRules).sort(),
      'Add the kind to src/streams/log/backpressure-rules.ts.',
    ).toEqual([...eventKinds].sort())
  })

  it.each(eventKinds)('%s is folded into the view, or is listed here as not folded', (kind) => {
    const { before, event } = taskWith(kind)
    const view = before.reduce(foldEvent, emptyView)
    const isFolded = foldEvent(view, event) !== view
    expect(
      isFolded,
      `Fold ${kind} in src/streams/view/reduce*.ts, or list it in test/contributing.test.ts.`,
    ).toBe(folded[kind])
  })

  it.each(eventKinds)('%s is closed by the event listed here', (kind) => {
    const { before, event } = taskWith(kind)
    const view = [...before, event].reduce(foldEvent, emptyView)
    const closing = closeDangling(view, { reason: 'test', at: event.timestamp }).map((each) => each.kind)
    const others = closing.filter((each) => each !== 'task-status')
    const where = `closeDangling in src/streams/view/ must close what ${kind} opens, or test/contributing.test.ts is wrong.`
    expect(others, where).toEqual(closedBy[kind] === null ? [] : [closedBy[kind]])
  })

  it.each(eventKinds)('%s is redacted for the audiences listed here', (kind) => {
    const { hidden = [], removed = {} } = redactions[kind] ?? {}
    const audiences = new Set<Audience>([...hidden, ...Object.values(removed).flat()])
    const where = `Decide who may see ${kind}: src/streams/access/redactions.ts, then test/contributing.test.ts.`
    expect([...audiences].sort(), where).toEqual([...(redactedFor[kind] ?? [])].sort())
  })

  it.each(eventKinds.filter((kind) => fieldsOf(kind).includes('indexEnd')))(
    'two adjacent %s merge',
    (kind) => {
      const first = { ...exampleOf(kind), index: 0, ...(kind === 'file-write' ? { digest: undefined } : {}) }
      const {
        indexEnd: _,
        timestampEnd: _end,
        digest: _digest,
        ...plain
      } = first as typeof first & {
        indexEnd?: number
        timestampEnd?: string
      }
      const open = 'complete' in plain ? { ...plain, complete: false } : plain
      const events = [open, { ...open, index: 1 }] as unknown as ContextAnyEvent[]
      expect(compact(events), `src/streams/compact/delta-merger.ts must merge ${kind}.`).toHaveLength(1)
    },
  )

  it.each(eventKinds)('%s occurs in the generated legal streams', (kind) => {
    const occurs = generated.some((event) => event.kind === kind)
    expect(
      occurs,
      `Add a move that emits ${kind} to test/support/legal-streams/{content,tools,requests,artifacts,tasks,internal}.ts.`,
    ).toBe(true)
  })

  it.each(Object.keys(coverages))('every kind has a coverage in %s', (dialect) => {
    const missing = eventKinds.filter((kind) => !Object.hasOwn(coverages[dialect] ?? {}, kind))
    expect(missing, `Add them to the coverage table of src/dialects/${dialect}.`).toEqual([])
  })
})

describe('adding a field', () => {
  it.each(eventKinds)('every field of %s is in an example', (kind) => {
    const missing = missingFields(kind, examples.get(kind) ?? [], notShown)
    expect(missing, `Show them in ${SCHEMAS}/examples/${kind.replace(':', '-')}/full.json.`).toEqual([])
  })

  it.each(eventKinds)('every field of %s occurs in the generated legal streams', (kind) => {
    const events = generated.filter((event) => event.kind === kind)
    expect(
      missingFields(kind, events, notGenerated),
      'Generate them in test/support/legal-streams/{content,tools,requests,artifacts,tasks,internal}.ts.',
    ).toEqual([])
  })
})

describe('adding a rule', () => {
  it.each(eventRules)('$rule has a fixture that breaks it', ({ rule, checkedBy }) => {
    const folder = `test/fixtures/streams/rules/${rule}`
    for (const file of ['stream.jsonl', 'expected.json'])
      expect(existsSync(`${folder}/${file}`), `Add ${folder}/${file}.`).toBe(checkedBy !== 'none')
  })

  it('the ids of rules are numbered in order, without gaps', () => {
    const ids = [...new Set(eventRules.map(({ id }) => id))]
    const expected = ids.map((_, index) => `K${String(index + 1).padStart(2, '0')}`)
    expect(
      ids,
      `The next free number is K${String(ids.length + 1).padStart(2, '0')}; rules are declared in src/streams/verify/, in the file of their noun.`,
    ).toEqual(expected)
  })
})

describe('adding a diagnostic', () => {
  const documentation = [
    ...sourceFiles().flatMap(({ text }) => text.match(/\/\*\*[\s\S]*?\*\//g) ?? []),
    ...pages.map((page) => readFileSync(page, 'utf8')),
  ].join('\n')

  it.each(diagnosticsInSources())('`$name` of src/$path is documented', ({ name, path }) => {
    const where = `List \`${name}\` in the TSDoc of the function of src/${path} that reports it.`
    expect(documentation.includes(`\`${name}\``) || documentation.includes(`\`${family(name)}`), where).toBe(
      true,
    )
  })
})

describe('adding a dialect or another entry point', () => {
  const tsconfig = readFileSync('tsconfig.json', 'utf8')
  const sizes = readFileSync('bench/sizes.ts', 'utf8')

  it.each(entryPoints)('$name is wired everywhere', async ({ name, source, page }) => {
    expect(tsconfig, `Add "${name}" to "paths" in tsconfig.json.`).toContain(`"${name}": ["./${source}"]`)
    expect(await resolved(name), 'Add an alias to vitest.config.ts.').toBe(
      absolute(source.replace(/^src\//, '')),
    )
    expect(existsSync(page), `Add ${page}.`).toBe(true)
    expect(
      readFileSync('docs/reference/README.md', 'utf8'),
      'List it in docs/reference/README.md.',
    ).toContain(`[${code(name)}]`)
    expect(sizes, 'Add a row to bench/sizes.ts.').toContain(`from: '${name}'`)
  })

  const dialects = readdirSync('src/dialects').filter((name) => name !== 'shared')

  it.each(dialects)('%s has its entry point, coverage, rooms and page', (dialect) => {
    expect(Object.keys(packageJson.exports), 'Add it to "exports" in package.json.').toContain(`./${dialect}`)
    expect(Object.keys(coverages), 'Add it to scripts/coverages.ts.').toContain(dialect)
    for (const room of ['wire', 'to', 'from', 'verify', 'index.ts'])
      expect(existsSync(`src/dialects/${dialect}/${room}`), `Add src/dialects/${dialect}/${room}.`).toBe(true)
    expect(existsSync(`docs/${dialect}.md`), `Add docs/${dialect}.md.`).toBe(true)
  })
})

describe('changing a default', () => {
  const comparable = documentedDefaults().filter(({ documented, actual }) => documented && actual.length > 0)

  it('finds the defaults in the code', () => {
    expect(comparable.length).toBeGreaterThanOrEqual(20)
  })

  it.each(comparable)(
    '$option in src/$path is documented as it is',
    ({ path, option, documented, actual }) => {
      expect(actual, `Change @defaultValue of "${option}" in src/${path}.`).toEqual([documented])
    },
  )
})

/** Whether the kind changes the view. Only internal kinds do not. */
const folded: Readonly<Record<EventKind, boolean>> = {
  'task-created': true,
  'task-status': true,
  'task-complete': true,
  'content-delta': true,
  'content-complete': true,
  'tool-start': true,
  'tool-arguments-delta': true,
  'tool-progress': true,
  'tool-complete': true,
  'input-required': true,
  'input-received': true,
  'input-canceled': true,
  'auth-required': true,
  'auth-completed': true,
  'auth-failed': true,
  'file-write': true,
  'data-write': true,
  'dataset-write': true,
  'artifact-delta': true,
  'subtask-created': true,
  'thought-delta': true,
  'thought-stream': true,
  'task-error': true,
  'internal:thought-process': false,
  'internal:llm-call': false,
  'internal:checkpoint': false,
  'internal:tool-start': false,
  'internal:tool-complete': false,
}

/** What closes an item the kind opens, if its task ends first. `null`: it opens nothing, or the task closes it. */
const closedBy: Readonly<Record<EventKind, EventKind | null>> = {
  'task-created': null,
  'task-status': null,
  'task-complete': null,
  'content-delta': 'content-complete',
  'content-complete': null,
  'tool-start': 'tool-complete',
  'tool-arguments-delta': 'tool-complete',
  'tool-progress': 'tool-complete',
  'tool-complete': null,
  'input-required': 'input-canceled',
  'input-received': null,
  'input-canceled': null,
  'auth-required': 'auth-failed',
  'auth-completed': null,
  'auth-failed': null,
  'file-write': null,
  'data-write': null,
  'dataset-write': null,
  'artifact-delta': null,
  'subtask-created': 'task-created',
  'thought-delta': 'thought-stream',
  'thought-stream': null,
  'task-error': null,
  'internal:thought-process': null,
  'internal:llm-call': null,
  'internal:checkpoint': null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
}

/** The audiences from whom the kind, or a field of it, is hidden. `null`: from none by a rule of its own. */
const redactedFor: Readonly<Record<EventKind, readonly Audience[] | null>> = {
  'task-created': null,
  'task-status': ['user', 'observer'],
  'task-complete': null,
  'content-delta': null,
  'content-complete': null,
  'tool-start': ['user', 'coordinator', 'parent', 'observer'],
  'tool-arguments-delta': ['observer'],
  'tool-progress': ['observer'],
  'tool-complete': ['observer'],
  'input-required': ['observer'],
  'input-received': ['observer'],
  'input-canceled': null,
  'auth-required': ['coordinator', 'parent', 'observer'],
  'auth-completed': ['observer'],
  'auth-failed': null,
  'file-write': null,
  'data-write': null,
  'dataset-write': null,
  'artifact-delta': null,
  'subtask-created': null,
  // Filtered by verbosity instead.
  'thought-delta': null,
  'thought-stream': ['user', 'coordinator', 'parent', 'observer'],
  'task-error': ['user', 'observer'],
  // For operators only, whatever their fields.
  'internal:thought-process': null,
  'internal:llm-call': null,
  'internal:checkpoint': null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
}

/** Fields that no example shows yet. */
const notShown: Partial<Record<EventKind, readonly string[]>> = {
  'file-write': ['timestampEnd'],
}

/** Fields that the generated legal streams do not have yet. */
const notGenerated: Partial<Record<EventKind, readonly string[]>> = {
  'data-write': ['metadata.toolCallId', 'metadata.version'],
  'dataset-write': ['description', 'indexEnd', 'metadata.toolCallId', 'timestampEnd', 'version'],
  'thought-delta': ['indexEnd', 'timestampEnd'],
  'thought-stream': ['metadata.complete', 'metadata.groupId', 'metadata.relatedTo'],
}

/** The fields that every event may have. Which event has them does not depend on its kind. */
const SHARED = ['kind', 'timestamp', 'contextId', 'taskId', 'parentTaskId', 'path']

/** `lossy:<field>`, `dropped:<kind>` and the like are documented as families. */
function family(name: string): string {
  return name.includes(':') ? name.replace(/:.*/, ':') : `${name}\``
}

/** The codes of diagnostics and issues that stand in the sources as texts, each once. */
function diagnosticsInSources(): { name: string; path: string }[] {
  const found = new Map<string, string>()
  for (const file of sourceFiles()) {
    walk(file, (node) => {
      if (ts.isObjectLiteralExpression(node)) {
        const fields = new Map(
          node.properties.map((field) => [
            field.name?.getText(),
            ts.isPropertyAssignment(field) ? field.initializer : undefined,
          ]),
        )
        const code = fields.get('code')
        if (fields.has('message') && code && ts.isStringLiteral(code)) found.set(code.text, file.path)
      } else if (ts.isCallExpression(node) && /(^|\.)diagnostic$/.test(node.expression.getText())) {
        const [code] = node.arguments
        if (code && ts.isStringLiteral(code)) found.set(code.text, file.path)
      }
    })
  }
  return [...found].map(([name, path]) => ({ name, path }))
}

interface Described {
  readonly _zod: {
    readonly def: { readonly innerType?: unknown; readonly shape?: Readonly<Record<string, unknown>> }
  }
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { innerType, shape = {} } = (schema as Described)._zod.def
  return innerType === undefined ? shape : shapeOf(innerType)
}

/** The fields of a kind besides the shared ones, with the known keys of its metadata as `metadata.<key>`. */
function fieldsOf(kind: EventKind): string[] {
  const shape = shapeOf(contextEventSchemas[kind])
  const metadata = shape.metadata === undefined ? {} : shapeOf(shape.metadata)
  const own = Object.keys(shape).filter((name) => !SHARED.includes(name))
  return [...own, ...Object.keys(metadata).map((name) => `metadata.${name}`)]
}

/** The fields of a kind that no event has, but for those that are known to be missing. */
function missingFields(
  kind: EventKind,
  events: readonly ContextAnyEvent[],
  known: Partial<Record<EventKind, readonly string[]>>,
): string[] {
  const present = new Set(
    events.flatMap((event) => [
      ...Object.keys(event),
      ...Object.keys('metadata' in event ? (event.metadata ?? {}) : {}).map((name) => `metadata.${name}`),
    ]),
  )
  return fieldsOf(kind)
    .filter((name) => !present.has(name) && !known[kind]?.includes(name))
    .sort()
}

function exampleOf(kind: EventKind): ContextAnyEvent {
  const example = examples.get(kind)?.at(-1)
  if (example === undefined) throw new Error(`Add examples to ${SCHEMAS}/examples/${kind.replace(':', '-')}.`)
  return example
}

/** A working task, and an example of the kind as its next event. */
function taskWith(kind: EventKind): { before: ContextAnyEvent[]; event: ContextAnyEvent } {
  const event = exampleOf(kind)
  const { contextId, taskId, timestamp } = event
  const context = { contextId, taskId, timestamp }
  const before: ContextAnyEvent[] = [
    { kind: 'task-created', ...context, initiator: 'user' },
    { kind: 'task-status', ...context, status: 'working' },
  ]
  return { before: eventsOfTask(before, taskId), event }
}

/** What an import of a test resolves to. */
async function resolved(name: string): Promise<string | undefined> {
  const url = new URL('../vitest.config.ts', import.meta.url).href
  const { default: config } = (await import(/* @vite-ignore */ url)) as {
    default: { resolve: { alias: { find: RegExp; replacement: string }[] } }
  }
  const found = config.resolve.alias.find(({ find }) => find.test(name))
  return found && name.replace(found.find, found.replacement)
}
