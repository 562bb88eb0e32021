import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StepBuilder } from '../../../src/core/step-builder.ts'
import { defineCoverage, type LossTable } from '../../../src/dialects/shared/coverage.ts'
import { reportLosses } from '../../../src/dialects/shared/losses.ts'
import { eventKinds } from '../../../src/events/kinds.ts'
import { eventShapes } from '../../../src/events/shapes.generated.ts'
import { runs } from '../../support/runs.ts'

const table: LossTable = {
  'content-delta': [],
  'tool-start': ['metadata.signature', 'metadata.*'],
  'task-status': ['*', 'message'],
  'tool-complete': ['metadata'],
}
const { coverage, losses } = defineCoverage(table, ['path'])

function lossesOf(event: { kind: string; [field: string]: unknown }, kept?: readonly string[]): unknown[] {
  const builder = new StepBuilder<null, never>(null)
  reportLosses(builder, event as never, losses, kept)
  return builder.diagnostics.map(({ code, path }) => [code, path])
}

it('derives the coverage of each kind', () => {
  expect(coverage).toMatchObject({
    'content-delta': 'full',
    'tool-start': 'partial',
    'task-status': 'partial',
    custom: 'omitted',
  })
  expect(Object.keys(coverage)).toEqual(eventKinds)
  expect(losses['content-delta']).toEqual(['path'])
  expect(losses.custom).toEqual([])
})

it('reports the lost fields, and those that the schema does not name', () => {
  const ids = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  expect(lossesOf({ kind: 'content-delta', ...ids, delta: 'a', index: 0 })).toEqual([])
  expect(lossesOf({ kind: 'content-delta', ...ids, delta: 'a', index: 0, path: ['x'], 'a/b': 1 })).toEqual([
    ['lossy:path', '/path'],
    ['lossy:a/b', '/a~1b'],
  ])
  expect(
    lossesOf({ kind: 'tool-start', ...ids, metadata: { provider: 'p', signature: 's', more: 1 } }),
  ).toEqual([
    ['lossy:metadata', '/metadata/signature'],
    ['lossy:metadata', '/metadata/more'],
  ])
  expect(lossesOf({ kind: 'tool-complete', ...ids, metadata: { duration: 1 } })).toEqual([
    ['lossy:metadata', '/metadata'],
  ])
  expect(
    lossesOf({ kind: 'task-status', ...ids, message: undefined, __proto__: { message: 'inherited' } }),
  ).toEqual([])
})

it('names a field that the schema does not know as unknown', () => {
  const builder = new StepBuilder<null, never>(null)
  reportLosses(builder, { kind: 'content-delta', path: ['x'], more: 1 } as never, losses)
  expect(builder.diagnostics.map(({ message }) => message)).toEqual([
    'content-delta: the target format has no equivalent for path.',
    'content-delta: the target format has no equivalent for the unknown field more.',
  ])
})

it('reports each field of the table or without a name in the schema, unless it has no value or is kept', () => {
  /** Whether each field is lost, by kind. */
  const lost: Readonly<Record<string, (kind: string) => boolean>> = {
    path: () => true,
    taskId: () => false,
    index: () => true,
    message: () => true,
    more: () => true,
    'metadata/signature': (kind) => kind === 'tool-start',
    'metadata/provider': () => false,
    'metadata/duration': (kind) => kind === 'tool-start',
    'metadata/more': (kind) => kind === 'tool-start',
  }
  const paths = Object.keys(lost)
  const kinds = fc.constantFrom('tool-start', 'task-status')
  const values = fc.uniqueArray(
    fc.record({ path: fc.constantFrom(...paths), value: fc.constantFrom(undefined, null, 1) }),
    { selector: ({ path }) => path },
  )
  fc.assert(
    fc.property(kinds, values, fc.subarray(paths), (kind, fields, keptPaths) => {
      const event: Record<string, unknown> & { kind: string } = { kind }
      for (const { path, value } of fields) {
        const [field = '', key] = path.split('/')
        if (key === undefined) event[field] = value
        else event[field] = { ...(event[field] as object | undefined), [key]: value }
      }
      const inOrder = Object.entries(event).flatMap(([field, value]) =>
        field === 'metadata' ? Object.keys(value as object).map((key) => `metadata/${key}`) : [field],
      )
      const expected = inOrder.filter(
        (path) =>
          fields.some((each) => each.path === path && each.value !== undefined) &&
          !keptPaths.includes(path) &&
          lost[path]?.(kind),
      )
      const kept = keptPaths.map((path) => path.replace('/', '.'))
      expect(lossesOf(event, kept)).toEqual(
        expected.map((path) => [`lossy:${path.replace(/\/.*/, '')}`, `/${path}`]),
      )
    }),
    { numRuns: runs(300) },
  )
})

it.each(eventKinds)('reports a key of the metadata that the schema of %s does not name', (kind) => {
  const builder = new StepBuilder<null, never>(null)
  const table = Object.fromEntries(eventKinds.map((each) => [each, ['metadata.*']])) as never
  reportLosses(builder, { kind, metadata: { more: 1 } } as never, table)
  const path = 'metadata' in (eventShapes[kind] ?? {}) ? '/metadata/more' : '/metadata'
  expect(builder.diagnostics.map((each) => each.path)).toEqual([path])
})

it('reports at most 32 fields', () => {
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]))
  expect(lossesOf({ kind: 'content-delta', ...fields })).toHaveLength(32)
  expect(lossesOf({ kind: 'tool-start', metadata: fields })).toHaveLength(32)
})
