// Checks the steps of CONTRIBUTING.md. Each failure names the file to edit.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type EventDraft, type EventKind, eventKinds } from 'turnstream'
import { closeDangling, compact, emptyView, eventRules, foldEvent } from 'turnstream/streams'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { coverages } from '../scripts/coverages.ts'
import { entryPoints } from '../scripts/entry-points.ts'
import { code } from '../scripts/markdown.ts'
import { pages } from '../scripts/readme.ts'
import { contextEventSchemas } from '../src/events/records/schemas.ts'
import { reducers } from '../src/streams/view/fold/reduce/index.ts'
import { casesOf } from './support/conformance.ts'
import { documentedDefaults } from './support/defaults.ts'
import { exampleOf, examplesFolder, examplesOf, SCHEMAS } from './support/examples.ts'
import { eventsOfTask, legalStreams } from './support/legal-streams.ts'
import { absolute, sourceFiles, walk } from './support/sources.ts'

/** Events of generated legal streams, enough for each kind to occur often. */
const generated = fc.sample(legalStreams({ revisions: true }), { numRuns: 600, seed: 1 }).flat()

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

describe('the way of an event in docs/architecture.md', () => {
  const rows = [
    ...readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| `(\w+)` \| `(src\/[\w/-]+\.ts)` \|/gm),
  ]

  it('has its steps', () => expect(rows.length).toBeGreaterThan(9))

  it.each(rows.map(([, name = '', path = '']) => [name, path]))('%s is declared in %s', (name, path) => {
    const declared = new RegExp(`^ *(export )?(const |(async )?function )?${name}\\b[^;\\n]*[:({<]`, 'm')
    expect(readFileSync(path, 'utf8')).toMatch(declared)
  })
})

describe('adding an event kind', () => {
  it.each(eventKinds)('%s has examples', (kind) => {
    const folder = examplesFolder(kind)
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
    expect(indexes, `State the series of ${kind} in its record, src/events/records/<noun>.ts.`).toEqual([
      0, 1,
    ])
  })

  const shown = eventKinds.filter(
    (kind) => Object.hasOwn(reducers, kind) && reducers[kind as 'task-created'] !== null,
  )

  it.each(shown)('%s changes the view', (kind) => {
    const { before, event } = taskWith(kind)
    const view = before.reduce(foldEvent, emptyView)
    expect(
      foldEvent(view, event) !== view,
      `Fold ${kind} in src/streams/view/fold/reduce/, or list it with null.`,
    ).toBe(true)
  })

  it.each(eventKinds)('what %s opens is closed when the stream is cut off', (kind) => {
    const { before, event } = taskWith(kind)
    const view = [...before, event].reduce(foldEvent, emptyView)
    const open = view.tasks
      .flatMap(({ parts }) => parts)
      .filter(
        ({ type, status }) => type !== 'artifact' && ['open', 'writing', 'running'].includes(status ?? ''),
      )
    const closing = closeDangling(view, { reason: 'test', at: event.timestamp })
    const ends = closing.filter(
      (each) => !['task-created', 'subtask-created', 'task-status'].includes(each.kind),
    )
    const where = `closeDangling in src/streams/view/snapshot/close-dangling.ts must close what ${kind} opens.`
    expect(ends.length, where).toBe(open.length)
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
})

describe('adding a field', () => {
  it.each(eventKinds)('every field of %s is in an example', (kind) => {
    const missing = missingFields(kind, examplesOf(kind), notShown)
    expect(missing, `Show them in an example in ${examplesFolder(kind)}/.`).toEqual([])
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
  const broken = casesOf('verify/rules').map(({ name }) => name)

  it.each(eventRules)('$rule has a case that breaks it', ({ rule, checkedBy }) => {
    const what = `Add a case ${rule} to conformance/verify/rules.jsonl.`
    expect(broken.includes(rule), what).toBe(checkedBy !== 'none')
  })

  it('the ids of rules are numbered in order, without gaps', () => {
    const ids = [...new Set(eventRules.map(({ id }) => id))]
    const expected = ids.map((_, index) => `K${String(index + 1).padStart(2, '0')}`)
    expect(
      ids,
      `The next free number is K${String(ids.length + 1).padStart(2, '0')}; rules are declared in src/streams/verify/rules/, in the file of their noun.`,
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
  const sizes = readFileSync('bench/rows/sizes.ts', 'utf8')

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
    expect(sizes, 'Add a row to bench/rows/sizes.ts.').toContain(`from: '${name}'`)
  })

  const dialects = readdirSync('src/dialects').filter((name) => name !== 'shared' && name !== 'engine')

  /** Dialects whose own SDK states what a stream is. */
  const withoutRules = ['ai-sdk', 'openai']

  /** Dialects that are read by a provider. */
  const withoutReader = ['openai']

  it.each(dialects)('%s has its entry point, coverage, rooms and page', (dialect) => {
    expect(Object.keys(packageJson.exports), 'Add it to "exports" in package.json.').toContain(`./${dialect}`)
    expect(existsSync(`docs/${dialect}.md`), `Add docs/${dialect}.md.`).toBe(true)
    // A dialect that is only read has no coverage, and nothing to verify.
    const rooms = existsSync(`src/dialects/${dialect}/to`)
      ? [
          'wire',
          'to',
          ...(withoutReader.includes(dialect) ? [] : ['from']),
          ...(withoutRules.includes(dialect) ? [] : ['verify']),
          'index.ts',
        ]
      : ['from', 'index.ts']
    for (const room of rooms)
      expect(existsSync(`src/dialects/${dialect}/${room}`), `Add src/dialects/${dialect}/${room}.`).toBe(true)
    if (rooms.includes('to')) {
      expect(Object.keys(coverages), `Export its coverage from src/dialects/${dialect}/index.ts.`).toContain(
        dialect,
      )
    }
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
