import { expect, it } from 'vitest'
import { StepBuilder } from '../../../src/core/step-builder.ts'
import { defineCoverage, type LossTable } from '../../../src/dialects/shared/coverage.ts'
import { reportLosses } from '../../../src/dialects/shared/losses.ts'
import { eventKinds } from '../../../src/events/kinds.ts'

const table = {
  ...Object.fromEntries(eventKinds.map((kind) => [kind, null])),
  'content-delta': [],
  'tool-start': ['metadata.signature', 'metadata.*'],
  'task-status': ['*', 'message'],
  'tool-complete': ['metadata'],
} as unknown as LossTable
const { coverage, losses } = defineCoverage(table, ['path'])

function lossesOf(event: { kind: string; [field: string]: unknown }): unknown[] {
  const builder = new StepBuilder<null, never>(null)
  reportLosses(builder, event as never, losses)
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

it('reports at most 32 fields', () => {
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]))
  expect(lossesOf({ kind: 'content-delta', ...fields })).toHaveLength(32)
  expect(lossesOf({ kind: 'tool-start', metadata: fields })).toHaveLength(32)
})
