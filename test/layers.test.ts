// Proves that imports point one way: every file of src belongs to a layer, and imports only from those below, and the
// tools beside src only from folders below theirs.

import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryPoints } from '../scripts/entry-points.ts'
import { importsOf, targetsOf } from './support/imports.ts'
import { filesUnder, type SourceFile, sourceFiles } from './support/sources.ts'

/** The units below everything: contracts, encodings, validation and JSON. */
const base = ['core', 'encoding', 'validation', 'json']

/**
 * Unit → the units it may import besides itself. `*` stands for one dialect, so that dialects never import
 * one another. A unit is the longest folder of a file's path that is named here.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  core: ['encoding'],
  encoding: [],
  validation: ['core', 'encoding'],
  json: ['core', 'encoding', 'validation', 'events'],
  rules: ['core', 'encoding'],
  events: ['core', 'validation'],
  emitter: [...base, 'events'],
  sse: ['core', 'encoding'],
  'sse/events': ['core', 'sse', 'streams/access'],
  'sse/index.ts': ['core', 'sse', 'sse/events'],
  'event-stream': ['core', 'validation', 'json', 'events', 'sse'],
  thoughts: ['core', 'encoding'],
  'streams/access': ['core', 'encoding', 'validation', 'events'],
  'streams/log': [...base, 'events', 'streams/access', 'streams/forgotten.ts'],
  'streams/log/wire': [...base, 'events', 'sse', 'event-stream', 'streams/forgotten.ts', 'streams/log'],
  'streams/log/writer': ['core', 'events', 'streams/context-key.ts', 'streams/log'],
  'streams/log/memory': [...base, 'events', 'streams/access', 'streams/log'],
  'streams/log/follow': ['core', 'events', 'streams/log', 'streams/log/memory'],
  'streams/serve': [
    ...base,
    'events',
    'sse',
    'streams/access',
    'streams/log',
    'streams/log/follow',
    'streams/log/memory',
    'streams/log/wire',
    'streams/view',
    'streams/view/fold',
    'streams/view/snapshot',
  ],
  'streams/routing': ['core', 'encoding', 'events', 'streams/access'],
  'streams/view': [
    ...['core', 'json', 'events', 'streams/access', 'streams/context-key.ts', 'streams/forgotten.ts'],
    'streams/open-request.ts',
  ],
  'streams/view/fold': [
    ...base,
    'events',
    'emitter',
    'streams/access',
    'streams/context-key.ts',
    'streams/delta.ts',
    'streams/view',
  ],
  'streams/view/snapshot': [
    ...base,
    'events',
    'streams/access',
    'streams/context-key.ts',
    'streams/forgotten.ts',
    'streams/view',
    'streams/view/fold',
  ],
  'streams/compact': [...base, 'events', 'streams/delta.ts', 'streams/context-key.ts'],
  'streams/verify': [
    ...base,
    'rules',
    'events',
    'streams/access',
    'streams/delta.ts',
    'streams/context-key.ts',
  ],
  'streams/context-key.ts': [],
  'streams/forgotten.ts': ['streams/access'],
  'streams/delta.ts': ['events'],
  'streams/open-request.ts': ['events'],
  'streams/watch': [
    'core',
    'validation',
    'event-stream',
    'streams/log',
    'streams/log/wire',
    'streams/view',
    'streams/view/fold',
  ],
  'streams/index.ts': ['streams/*'],
  testing: ['core', 'events', 'streams/log'],
  turns: ['core', 'validation', 'json', 'events', 'streams/view', 'streams/view/fold'],
  acp: [...base, 'events', 'emitter', 'server', 'dialects/shared', 'acp/serve', 'acp/to'],
  'acp/serve': [
    ...base,
    'events',
    'emitter',
    'streams/access',
    'streams/log',
    'commands',
    'server',
    'acp',
    'acp/to',
  ],
  'acp/to': [...base, 'events', 'streams/access', 'dialects/engine', 'dialects/shared'],
  agents: [...base, 'events', 'emitter', 'providers', 'turns', 'server', 'agents/remote'],
  'agents/remote': [
    ...base,
    'events',
    'sse',
    'turns',
    'server',
    'emitter',
    'dialects/*/wire',
    'dialects/*/from',
    'streams/context-key.ts',
  ],
  mcp: [...base, 'events', 'emitter', 'commands'],
  otel: ['core', 'validation', 'events', 'emitter', 'streams/context-key.ts'],
  commands: [
    ...[...base, 'events', 'streams/access', 'streams/context-key.ts', 'streams/delta.ts'],
    'streams/open-request.ts',
  ],
  server: [
    ...base,
    'events',
    'emitter',
    'streams/access',
    'streams/context-key.ts',
    'sse',
    'streams/log',
    'streams/log/follow',
    'streams/log/memory',
    'streams/serve',
    'streams/view',
    'streams/view/fold',
    'streams/view/snapshot',
    'turns',
    'commands',
  ],
  redis: [
    ...base,
    'events',
    'streams/forgotten.ts',
    'streams/log',
    'streams/log/memory',
    'streams/log/writer',
    'streams/view',
    'streams/view/fold',
    'streams/view/snapshot',
    'server',
  ],
  sql: [
    ...base,
    'events',
    'streams/log',
    'streams/log/memory',
    'streams/context-key.ts',
    'streams/forgotten.ts',
    'streams/log/writer',
    'streams/serve',
    'streams/view/fold',
    'streams/view/snapshot',
    'server',
  ],
  client: [
    ...base,
    'events',
    'commands',
    'event-stream',
    'streams/open-request.ts',
    'streams/log',
    'streams/view',
    'streams/view/fold',
    'streams/watch',
  ],
  react: ['client'],
  providers: [...base, 'events', 'emitter', 'thoughts'],
  'dialects/shared': [...base, 'events', 'streams/access', 'streams/context-key.ts'],
  'dialects/engine': [...base, 'events', 'emitter', 'streams/context-key.ts', 'dialects/shared'],
  'dialects/*/wire': [...base, 'events', 'dialects/shared'],
  'dialects/*/delivery': [...base, 'dialects/*/wire'],
  'dialects/*/commands': [...base, 'commands', 'dialects/shared', 'dialects/*/wire'],
  'dialects/*/signed': [...base, 'dialects/*/wire'],
  'dialects/*/verify': [...base, 'rules', 'dialects/shared', 'dialects/*/wire', 'dialects/*/delivery'],
  'dialects/*/to': [
    ...base,
    'events',
    'streams/access',
    'dialects/engine',
    'dialects/shared',
    'dialects/*/wire',
  ],
  'dialects/*/from': [...base, 'events', 'emitter', 'dialects/engine', 'dialects/shared', 'dialects/*/wire'],
  'dialects/*/messages': [
    'core',
    'validation',
    'json',
    'events',
    'streams/access',
    'streams/context-key.ts',
    'streams/view',
    'streams/view/fold',
    'streams/view/snapshot',
    'dialects/shared',
    'dialects/*/wire',
    'dialects/*/to',
  ],
  'dialects/*/serve': [
    ...base,
    'events',
    'sse',
    'streams/access',
    'commands',
    'server',
    'dialects/shared',
    'dialects/*/wire',
    'dialects/*/to',
    'dialects/*/verify',
    'dialects/*/messages',
    'dialects/*/commands',
  ],
  'dialects/*': [
    'core',
    'rules',
    'events',
    'dialects/shared',
    'dialects/*/wire',
    'dialects/*/to',
    'dialects/*/from',
    'dialects/*/verify',
    'dialects/*/delivery',
    'dialects/*/signed',
    'dialects/*/messages',
    'dialects/*/commands',
    'dialects/*/serve',
  ],
  zod: ['core', 'events', 'commands', 'dialects/*/wire', 'streams/log/wire'],
  inspect: [
    ...base,
    'rules',
    'events',
    'emitter',
    'streams/context-key.ts',
    'streams/verify',
    'providers',
    'dialects/*',
  ],
  live: ['core', 'sse', 'streams/log', 'streams/watch'],
  cli: [
    'core',
    'encoding',
    'rules',
    'events',
    'sse',
    'streams/access',
    'streams/view/fold',
    'dialects/*',
    'inspect',
    'live',
    'viewer',
  ],
  viewer: [
    'core',
    'rules',
    'events',
    'streams/verify',
    'streams/view',
    'streams/view/fold',
    'streams/watch',
    'inspect',
    'live',
    'dialects/*',
  ],
  'index.ts': ['core', 'emitter', 'event-stream', 'events'],
}

/** Folder of tools → the folders that it may import besides itself. */
const toolImports: Readonly<Record<string, readonly string[]>> = {
  scripts: ['src'],
  bench: ['src', 'scripts'],
}

/** The scripts that run the tests, or take their answers. */
const testRunners = ['scripts/test-all.mjs', 'scripts/conformance/update.ts']

/** The packages of the library, and the units that import them: zod in its small form, by what has schemas. */

/** The unit that runs on Node only, and imports its modules. */
const nodeUnit = 'cli'

const packages: Readonly<Record<string, readonly string[]>> = {
  'zod/mini': ['core', 'validation', 'events', 'commands', 'dialects/*/wire', 'streams/log/wire'],
  react: ['react'],
}

/** The unit of a node of the diagram: those of a dialect are drawn by the name of their folder. */
function rowDrawn(node: string): string {
  // The commands of clients in a dialect, as opposed to the unit of that name.
  return node in layers ? node : `dialects/*/${node.replace(/^client-/, '')}`
}

/** The unit a file belongs to, with the dialect's own name: the longest prefix in the table. */
function unitOf(path: string): string | undefined {
  const parts = path.split('/')
  for (let length = parts.length; length > 0; length--) {
    const unit = parts.slice(0, length).join('/')
    if (rowOf(unit) !== undefined) return unit
  }
  return undefined
}

/** The row of the table for a unit. */
function rowOf(unit: string): string | undefined {
  if (Object.hasOwn(layers, unit)) return unit
  const [first, dialect, ...rest] = unit.split('/')
  if (first !== 'dialects' || dialect === undefined) return undefined
  const row = ['dialects', '*', ...rest].join('/')
  return Object.hasOwn(layers, row) ? row : undefined
}

/** The units a unit may import, with the dialect's own name. */
function allowedFrom(unit: string): readonly string[] {
  const row = rowOf(unit)
  const allowed = row === undefined ? [] : (layers[row] ?? [])
  return allowed.map((name) =>
    unit.startsWith('dialects/') ? name.replace('*', unit.split('/')[1] ?? '') : name,
  )
}

/** What a file imports and must not. */
function forbidden(file: SourceFile): string[] {
  const own = unitOf(file.path) ?? ''
  const allowed = allowedFrom(own)
  return importsOf(file).filter((specifier) => {
    if (specifier.startsWith('node:') && own === nodeUnit) return false
    if (!specifier.startsWith('.')) return !packages[specifier]?.includes(rowOf(own) ?? '')
    const unit = unitOf(posix.join(posix.dirname(file.path), specifier)) ?? ''
    const isAllowed = (name: string): boolean =>
      name === unit ||
      (!own.startsWith('dialects/') && name === rowOf(unit)) ||
      (name.endsWith('/*') && unit.startsWith(name.slice(0, -1)))
    return unit !== own && !allowed.some(isAllowed)
  })
}

/** The files that each file imports, directly or not. */
function reachOf(files: readonly SourceFile[]): Map<string, Set<string>> {
  const targets = new Map(files.map((file) => [file.path, targetsOf(file)]))
  const reachable = (from: string): Set<string> => {
    const seen = new Set<string>()
    const open = [...(targets.get(from) ?? [])]
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      open.push(...(targets.get(path) ?? []))
    }
    return seen
  }
  return new Map(files.map(({ path }) => [path, reachable(path)]))
}

/** What a file beside `src` imports from a folder that it must not know. */
function upward(file: SourceFile): string[] {
  const [own = ''] = file.path.split('/')
  const allowed = [own, ...(toolImports[own] ?? []), ...(testRunners.includes(file.path) ? ['test'] : [])]
  return targetsOf(file).filter((path) => path.includes('/') && !allowed.includes(path.split('/')[0] ?? ''))
}

/** The groups of files that import one another in a circle, each once. */
function circles(files: readonly SourceFile[]): string[][] {
  const reach = reachOf(files)
  const groups = files
    .filter(({ path }) => reach.get(path)?.has(path))
    .map(({ path }) => [...(reach.get(path) ?? [])].filter((other) => reach.get(other)?.has(path)).sort())
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

describe('the layers', () => {
  const files = sourceFiles()

  it('hold every file, and no row is unused', () => {
    expect(files.filter(({ path }) => unitOf(path) === undefined).map(({ path }) => path)).toEqual([])
    const used = new Set(files.map(({ path }) => rowOf(unitOf(path) ?? '')))
    expect(Object.keys(layers).filter((row) => !used.has(row))).toEqual([])
  })

  it('allow no import that is not needed', () => {
    for (const row of Object.keys(layers).filter((name) => name !== 'dialects/*')) {
      const units = files.map(({ path }) => unitOf(path) ?? '').filter((unit) => rowOf(unit) === row)
      const imported = files
        .filter(({ path }) => units.includes(unitOf(path) ?? ''))
        .flatMap((file) => targetsOf(file).map((path) => rowOf(unitOf(path) ?? '')))
      const unused = (layers[row] ?? []).filter((name) => !name.endsWith('/*') && !imported.includes(name))
      expect([row, unused.filter((name) => !base.includes(name))]).toEqual([row, []])
    }
  })

  it('have the root of src to themselves: index.ts only', () => {
    expect(files.map(({ path }) => path).filter((path) => !path.includes('/'))).toEqual(['index.ts'])
  })

  it.each(files.map((file) => [file.path, file] as const))('%s imports only what lies below', (_, file) => {
    expect(forbidden(file)).toEqual([])
  })

  it('have no circle of files', () => {
    expect(circles(files)).toEqual([])
  })

  it('are drawn in docs/architecture.md: every unit, and only arrows that the table allows', () => {
    const [, diagram = ''] =
      /```mermaid\n([\s\S]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8')) ?? []
    const arrows = [...diagram.matchAll(/^ {2}(\S+?)(?:\[.*?\])? --> ([^\s[]+)/gm)]
    const drawn = arrows.map(([, from = '', to = '']) => [rowDrawn(from), rowDrawn(to)] as const)
    expect(drawn.filter(([from, to]) => !layers[from]?.includes(to))).toEqual([])
    const entries = ['index.ts', 'sse/index.ts', 'streams/index.ts', 'dialects/*']
    expect([...new Set(drawn.flat())].sort()).toEqual(
      Object.keys(layers)
        .filter((row) => !entries.includes(row))
        .sort(),
    )
  })

  it('reach zod, also for types, only from its entry point', () => {
    const schemaFiles = files.filter((file) => importsOf(file).includes('zod/mini'))
    const entries = entryPoints.map(({ source }) => source.replace('src/', ''))
    const reach = reachOf(files)
    const reaching = entries.filter((entry) => schemaFiles.some(({ path }) => reach.get(entry)?.has(path)))
    expect(reaching).toEqual(['zod/index.ts'])
  })

  it('import with the extension, so that the files run as they are', () => {
    const bare = files.flatMap((file) => targetsOf(file).filter((path) => !path.endsWith('.ts')))
    expect(bare).toEqual([])
  })
})

describe('the tools', () => {
  const files = Object.keys(toolImports).flatMap((folder) =>
    filesUnder(folder).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  )

  it.each(files.map((file) => [file.path, file] as const))(
    '%s imports only from folders below',
    (_, file) => {
      expect(upward(file)).toEqual([])
    },
  )

  it('see an import that points up', () => {
    const up =
      "import { a } from '../bench/a.ts'\nimport { b } from '../src/b.ts'\nimport c from '../package.json'"
    expect(upward({ path: 'scripts/a.ts', text: up })).toEqual(['bench/a.ts'])
    expect(upward({ path: 'scripts/a.ts', text: "await import('../test/a.ts')" })).toEqual(['test/a.ts'])
    expect(upward({ path: 'bench/rows/a.ts', text: "import { a } from '../../scripts/a.ts'" })).toEqual([])
  })
})

it('a circle is found, also one of types', () => {
  const sample = (path: string, text: string): SourceFile => ({ path, text })
  expect(
    circles([
      sample('a.ts', "import { b } from './b.ts'"),
      sample('b.ts', "import type { C } from './c/c.ts'"),
      sample('c/c.ts', "export * from '../a.ts'"),
      sample('d.ts', "import { a } from './a.ts'"),
    ]),
  ).toEqual([['a.ts', 'b.ts', 'c/c.ts']])
})

describe('a forbidden import is caught', () => {
  it.each<[path: string, text: string, caught: string[]]>([
    ['events/task.ts', "import { a } from '../core/schema.ts'", []],
    ['events/task.ts', "import { a } from './fields.ts'", []],
    ['events/task.ts', "import { a } from '../sse/encode.ts'", ['../sse/encode.ts']],
    ['events/task.ts', "import type { A } from '../streams/log/log.ts'", ['../streams/log/log.ts']],
    ['thoughts/trim.ts', "import { a } from '../validation/compile.ts'", ['../validation/compile.ts']],
    ['thoughts/trim.ts', "export * from '../events/kinds.ts'", ['../events/kinds.ts']],
    ['core/machine.ts', "import '../events/kinds.ts'", ['../events/kinds.ts']],
    ['streams/view/view.ts', "import { a } from '../../sse/encode.ts'", ['../../sse/encode.ts']],
    ['streams/log/wire/log.ts', "import { a } from '../../../sse/encode.ts'", []],
    ['streams/log/read.ts', "import { a } from '../../sse/encode.ts'", ['../../sse/encode.ts']],
    ['streams/view/view.ts', "import { a } from '../log/log.ts'", ['../log/log.ts']],
    ['streams/view/view.ts', "import { a } from './fold/fold.ts'", ['./fold/fold.ts']],
    ['streams/view/fold/fold.ts', "import { a } from '../view.ts'", []],
    ['streams/view/fold/fold.ts', "import { a } from '../snapshot/order.ts'", ['../snapshot/order.ts']],
    ['streams/view/fold/fold.ts', "import { a } from '../../delta.ts'", []],
    ['dialects/a2a/to/x.ts', "import { a } from '../../frames/wire/y.ts'", ['../../frames/wire/y.ts']],
    ['dialects/a2a/to/x.ts', "import type { A } from '../../frames/to/y.ts'", ['../../frames/to/y.ts']],
    ['dialects/a2a/to/x.ts', "import { a } from '../from/y.ts'", ['../from/y.ts']],
    ['dialects/a2a/to/x.ts', "import { a } from '../wire/y.ts'", []],
    ['dialects/a2a/demux.ts', "import { a } from './from/y.ts'", []],
    ['dialects/a2a/to/x.ts', "import { a } from '../../../streams/log/y.ts'", ['../../../streams/log/y.ts']],
    ['dialects/a2a/to/x.ts', "type A = import('../../../sse/y.ts').A", ['../../../sse/y.ts']],
    ['dialects/a2a/to/x.ts', "const a = await import('../../../sse/y.ts')", ['../../../sse/y.ts']],
    ['sse/utf8.ts', "import * as z from 'zod'", ['zod']],
    ['sse/utf8.ts', "import * as z from 'zod/mini'", ['zod/mini']],
    ['events/task.ts', "import * as z from 'zod/mini'", []],
    ['zod/index.ts', "export { a } from '../dialects/frames/wire/y.ts'", []],
    ['zod/index.ts', "export { a } from '../dialects/frames/to/y.ts'", ['../dialects/frames/to/y.ts']],
    ['sse/utf8.ts', "import fs from 'node:fs'", ['node:fs']],
    ['sse/utf8.ts', "// import fs from 'node:fs'", []],
    ['cli/main.ts', "import fs from 'node:fs'", []],
    ['cli/main.ts', "import { a } from '../redis/index.ts'", ['../redis/index.ts']],
  ])('%s: %s', (path, text, caught) => {
    expect(forbidden({ path, text })).toEqual(caught)
  })
})
