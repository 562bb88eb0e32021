// Proves that the files under schemas/ are up to date and well-formed, and do not change after a release.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { changes } from '../../scripts/schemas/compat.ts'
import { dialects } from '../../scripts/schemas/dialects.ts'
import { exampleSets, publish, readText, SCHEMAS, sha256 } from '../../scripts/schemas/files.ts'
import { type Finding, lint } from '../../scripts/schemas/lint.ts'
import {
  allowedLevel,
  digests,
  excess,
  growing,
  type Released,
  readReleased,
  releaseProblems,
  tampered,
  unreleased,
} from '../../scripts/schemas/released.ts'
import { viewFolder } from '../../scripts/schemas/view.ts'
import { staleFiles } from '../../scripts/schemas/write.ts'
import type { JsonSchema } from '../../src/cli/schema/json-schema.ts'
import { PROTOCOL_VERSION } from '../../src/events/version.ts'
import { versionsOf } from './examples.ts'

const published = publish()

test('every vocabulary is published', () => {
  expect(published.map(({ dialect }) => dialect)).toEqual(dialects)
})

test('all files are up to date', () => {
  expect([...staleFiles(published, readReleased()).keys()]).toEqual([])
})

test('each version has one file with an example of each kind, as it is', () => {
  const sets = exampleSets()
  const folders = dialects.flatMap(({ name }) => versionsOf(name))
  expect([...sets.keys()].sort()).toEqual(
    [...new Set(folders)].map((each) => `examples/${each}.jsonl`).sort(),
  )
  for (const [path, text] of sets) {
    const folder = `${SCHEMAS}${path.replace(/^examples\/(.*)\.jsonl$/, '$1')}/`
    const lines = text.trimEnd().split('\n')
    const examples = lines.map((line) => JSON.parse(line) as { path: string })
    for (const { path: name, ...example } of examples) {
      expect(example, name).toEqual({ value: JSON.parse(readText(folder + name) ?? '') })
    }
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const names = files
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /^examples\/.*\.json$/.test(file))
    const kindOf = (name: string): string => name.split('/')[1] ?? ''
    const kinds = [...new Set(names.map(kindOf))].sort()
    expect(examples.map((each) => kindOf(each.path)).sort()).toEqual(kinds)
    const full = names.filter((name) => name.endsWith('/full.json'))
    expect(examples.map((each) => each.path)).toEqual(expect.arrayContaining(full))
  }
})

test('no released version changes', () => {
  expect(releaseProblems(published, readReleased())).toEqual([])
})

test('a release, which leaves no changeset, marks every version as released', () => {
  const pending = readdirSync('.changeset').filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect(
    pending.length > 0 ? [] : unreleased(published, readReleased()),
    'Describe the change with `npx changeset`. For a release: `npm run release:version`.',
  ).toEqual([])
})

describe.each(published)('$folder', ({ dialect, normative, files }) => {
  test('obeys the shape rules', () => {
    expect(lint(normative, dialect.tag)).toEqual([])
  })

  test('has a definition for every event, named after its type', () => {
    const { types } = JSON.parse(files.get('meta.json') ?? '') as { types: Record<string, string> }
    expect(Object.keys(types)).toEqual(Object.keys(dialect.schemas))
    for (const [tag, name] of Object.entries(types)) {
      expect(normative.$defs?.[name]?.properties?.[dialect.tag]?.const).toBe(tag)
    }
  })

  test('meta.json has the digest of every schema file', () => {
    const folder = `${SCHEMAS}${dialect.name}/${dialect.version}/`
    const meta = JSON.parse(readText(`${folder}meta.json`) ?? '') as { sha256: Record<string, string> }
    expect(Object.keys(meta.sha256)).toEqual([...files.keys()].filter((name) => name !== 'meta.json'))
    for (const [name, digest] of Object.entries(meta.sha256)) {
      expect(sha256(readText(folder + name) ?? ''), name).toBe(digest)
    }
  })

  test('the files for generators avoid unions and declared keys where generators mishandle them', () => {
    const types = JSON.parse(files.get('events.types.json') ?? '') as JsonSchema
    expect(JSON.stringify(types)).not.toMatch(/"(oneOf|anyOf|allOf)"/)
    const codegen = JSON.parse(files.get('events.codegen.json') ?? '') as JsonSchema
    for (const [name, def] of Object.entries(codegen.$defs ?? {})) expect(def.title, name).toBe(name)
    const mapping = (codegen.discriminator as { mapping: Record<string, string> }).mapping
    expect(Object.keys(mapping)).toEqual(Object.keys(dialect.schemas))
  })
})

describe('the shape rules', () => {
  const [first] = published
  const sound = first?.normative ?? {}
  const def = (root: JsonSchema, name: string): JsonSchema => root.$defs?.[name] ?? {}
  const field = (root: JsonSchema, name: string, key: string): JsonSchema =>
    def(root, name).properties?.[key] ?? {}

  const faults: [rule: Finding['rule'], path: string, change: (root: JsonSchema) => void][] = [
    ['named-variant', '/oneOf/0', (root) => root.oneOf?.splice(0, 1, def(root, 'TaskCreatedEvent'))],
    ['named-variant', '/oneOf', (root) => delete root.oneOf],
    ['const-tag', '/$defs/TaskErrorEvent', (root) => delete field(root, 'TaskErrorEvent', 'kind').const],
    ['const-tag', '/$defs/TaskErrorEvent', (root) => delete field(root, 'TaskErrorEvent', 'kind').type],
    ['const-tag', '/$defs/TaskErrorEvent', (root) => def(root, 'TaskErrorEvent').required?.shift()],
    [
      'const-tag',
      '/$defs/InternalToolStartEvent',
      (root) => {
        field(root, 'InternalToolStartEvent', 'kind').const = 'tool-start'
      },
    ],
    ['title', '/$defs/ErrorInfo', (root) => delete def(root, 'ErrorInfo').title],
    ['description', '/$defs/ErrorInfo', (root) => delete def(root, 'ErrorInfo').description],
    [
      'description',
      '/$defs/ErrorInfo/properties/attempt',
      (root) => delete field(root, 'ErrorInfo', 'attempt').description,
    ],
    [
      'explicit-additional-properties',
      '/$defs/ErrorInfo',
      (root) => delete def(root, 'ErrorInfo').additionalProperties,
    ],
    [
      'instant-pattern',
      '/$defs/TaskErrorEvent/properties/timestamp',
      (root) => delete field(root, 'TaskErrorEvent', 'timestamp').pattern,
    ],
    [
      'bounded-integer',
      '/$defs/ErrorInfo/properties/attempt',
      (root) => delete field(root, 'ErrorInfo', 'attempt').maximum,
    ],
    [
      'bounded-integer',
      '/$defs/ErrorInfo/properties/attempt',
      (root) => {
        field(root, 'ErrorInfo', 'attempt').minimum = -(2 ** 53)
      },
    ],
    [
      'no-discriminator',
      '',
      (root) => {
        root.discriminator = { propertyName: 'kind' }
      },
    ],
    [
      'known-ref',
      '/$defs/TaskErrorEvent/properties/error',
      (root) => {
        field(root, 'TaskErrorEvent', 'error').$ref = '#/$defs/Nothing'
      },
    ],
    [
      'used-def',
      '/$defs/Orphan',
      (root) => {
        root.$defs = { ...root.$defs, Orphan: { title: 'Orphan', description: 'Alone.', type: 'string' } }
      },
    ],
  ]

  test.each(faults)('%s at %s', (rule, path, change) => {
    const broken = structuredClone(sound)
    change(broken)
    expect(lint(broken, 'kind')).toContainEqual({ rule, path })
  })
})

describe('released versions', () => {
  test('are those that are listed', () => {
    const [one, other] = [{ folder: 'events/1.0' }, { folder: 'events/1.1' }]
    const rest = { ...growing(), [viewFolder]: {} }
    expect(unreleased([one, other], { ...rest, 'events/1.0': {} })).toEqual(['events/1.1'])
    expect(unreleased([one, other], { ...rest, 'events/1.0': {}, 'events/1.1': {} })).toEqual([])
    expect(unreleased([], {})).toEqual(['view', 'rules', 'wire'].map((name) => `${name}/${PROTOCOL_VERSION}`))
  })

  const [rules, wire] = [`rules/${PROTOCOL_VERSION}`, `wire/${PROTOCOL_VERSION}`]
  const without = (folder: string, name: string): Released => {
    const { [name]: _, ...rest } = growing()[folder] ?? {}
    return { ...growing(), [folder]: rest }
  }

  test('freeze the schema of the view', () => {
    const frozen = { [viewFolder]: digests(viewFolder) }
    expect(Object.keys(frozen[viewFolder] ?? {})).toEqual(['view.schema.json'])
    expect(releaseProblems([], frozen)).toEqual([])
    expect(releaseProblems([], { [viewFolder]: { 'view.schema.json': '1' } })).toEqual([
      `${viewFolder} is released: view.schema.json was changed.`,
    ])
  })

  test('freeze the rules and the wire, to which more may come', () => {
    expect(Object.keys(growing()[rules] ?? {}).length).toBeGreaterThan(30)
    expect(Object.keys(growing()[wire] ?? {}).length).toBeGreaterThan(30)
    expect(releaseProblems([], growing())).toEqual([])
    expect(releaseProblems([], without(rules, 'time-order'))).toEqual([])
    expect(releaseProblems([], without(wire, 'wire.jsonl: only heartbeats'))).toEqual([])
  })

  test('name a rule and a case that changed, or are gone', () => {
    const released = {
      [rules]: { ...growing()[rules], 'time-order': '1', 'no-such-rule': '1' },
      [wire]: { ...growing()[wire], 'wire.jsonl: only heartbeats': '1' },
    }
    expect(releaseProblems([], released)).toEqual([
      `${rules} is released: time-order was changed.`,
      `${rules} is released: no-such-rule was removed.`,
      `${wire} is released: wire.jsonl: only heartbeats was changed.`,
    ])
  })

  test.each([
    [{ a: '1', b: '2' }, { a: '1', b: '2' }, []],
    [{ a: '1' }, { a: '2' }, ['a was changed']],
    [{ a: '1' }, {}, ['a was removed']],
    [{}, { a: '1' }, ['a was added']],
  ])('%j as %j: %j', (listed, actual, expected) => {
    expect(tampered(listed, actual)).toEqual(expected)
  })

  test.each([
    ['1.0', '1.0', 'patch'],
    ['1.0', '1.1', 'minor'],
    ['1.9', '2.0', 'major'],
    ['v1', 'v1', 'patch'],
    ['v1', 'v2', 'major'],
  ] as const)('from %s to %s: at most %s', (before, after, level) => {
    expect(allowedLevel(before, after)).toBe(level)
  })

  const [first] = published
  const before = first?.normative ?? {}
  const withField = structuredClone(before)
  Object.assign(withField.$defs?.ErrorInfo?.properties ?? {}, { region: { type: 'string' } })
  const reworded = { ...before, description: 'A new description.' }

  test.each([
    ['a new description', 'patch', reworded, 0],
    ['an optional field', 'patch', withField, 1],
    ['an optional field', 'minor', withField, 0],
    ['everything else', 'major', {}, 0],
  ] as const)('%s, if %s changes are allowed', (_, allowed, after, count) => {
    expect(excess(changes(before, after), allowed)).toHaveLength(count)
  })
})
