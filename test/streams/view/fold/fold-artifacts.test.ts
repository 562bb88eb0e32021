// Tests folding artifacts: chunks, versions, changes and their faults.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { artifactOf } from '../../../../src/streams/index.ts'
import { expectPlainMessages, fold } from '../../verify/support.ts'
import { events, file, record } from '../support.ts'

const digest = (data: string | Buffer): string => `sha-256:${createHash('sha256').update(data).digest('hex')}`
const change = (baseVersion: number, version: number, how: object): object => ({
  kind: 'artifact-delta',
  artifactId: 'f',
  baseVersion,
  version,
  change: how,
})
const text = (value: string) => ({ content: { type: 'text', text: value } })

describe('artifacts', () => {
  const table: Record<string, { stream: object[]; committed: object | undefined; codes?: string[] }> = {
    'commits a text with its digest': {
      stream: [file('Tí', 0, false), file('des', 1, true, { digest: digest('Tídes'), version: 4 })],
      committed: { version: 4, ...text('Tídes'), digest: digest('Tídes') },
    },
    'joins Base64 cut at any byte, with and without padding': {
      stream: [
        file('YQ==', 0, false, { encoding: 'base64' }),
        file('YmM', 1, false),
        file('', 2, false),
        file('ZGVm', 3, false),
        file('Zw==', 4, true, { digest: digest('abcdefg') }),
      ],
      committed: {
        version: 1,
        content: { type: 'bytes', base64: 'YWJjZGVmZw==' },
        digest: digest('abcdefg'),
      },
    },
    'keeps the current version if the digest differs': {
      stream: [file('old', 0, true), file('new', 0, true, { digest: digest('other') })],
      committed: { version: 1, ...text('old') },
      codes: ['digest-mismatch'],
    },
    'keeps the current version if a chunk is not Base64': {
      stream: [file('old', 0, true), file('?', 0, false, { encoding: 'base64' }), file('YQ==', 1, true)],
      committed: { version: 1, ...text('old') },
      codes: ['bad-base64', 'incomplete-write'],
    },
    'does not commit a write with a missing chunk': {
      stream: [file('a', 0, false), file('c', 2, true)],
      committed: undefined,
      codes: ['gap', 'incomplete-write'],
    },
    'ignores a repeated chunk': {
      stream: [file('a', 0, false), file('b', 1, false), file('b', 1, false), file('c', 2, true)],
      committed: { version: 1, ...text('abc') },
      codes: ['repeated'],
    },
    'abandons a write that is restarted': {
      stream: [file('a', 0, false), file('b', 0, true)],
      committed: { version: 1, ...text('b') },
      codes: ['abandoned-write'],
    },
    'abandons a write whose task ends': {
      stream: [file('a', 0, false), { kind: 'task-status', status: 'failed' }],
      committed: undefined,
      codes: ['abandoned-write'],
    },
    'keeps a write that another task continues, and its next write, when the first task ends': {
      stream: [
        file('a', 0, false),
        file('b', 1, true, { taskId: 'other' }),
        file('c', 0, false, { taskId: 'other' }),
        { kind: 'task-status', status: 'completed' },
        file('d', 1, true, { taskId: 'other' }),
      ],
      committed: { version: 2, ...text('cd') },
    },
    'abandons a write when the task that continued it ends': {
      stream: [
        file('a', 0, false),
        file('b', 1, false, { taskId: 'other' }),
        { kind: 'task-status', status: 'completed' },
        { kind: 'task-status', taskId: 'other', status: 'failed' },
      ],
      committed: undefined,
      codes: ['abandoned-write'],
    },
    'does not commit a write whose first chunk was not seen': {
      stream: [file('b', 1, false), file('c', 2, true)],
      committed: undefined,
      codes: ['gap', 'incomplete-write'],
    },
    'ignores a write of another type': {
      stream: [file('a', 0, true), record({})],
      committed: { version: 1, ...text('a') },
      codes: ['wrong-type'],
    },
    'counts the versions of records': {
      stream: [
        record({ n: 1 }),
        record({ n: 2 }, { metadata: { version: 2 } }),
        record({ n: 3 }, { expectedVersion: 2 }),
      ],
      committed: { version: 3, content: { type: 'data', data: { n: 3 } } },
    },
    'ignores an older record': {
      stream: [record({ n: 2 }, { version: 2 }), record({ n: 1 }, { version: 1 })],
      committed: { version: 2, content: { type: 'data', data: { n: 2 } } },
      codes: ['repeated'],
    },
    'accepts only the first of two writers that expect the same version': {
      stream: [
        record({ n: 0 }),
        record({ n: 1 }, { expectedVersion: 1 }),
        record({ n: 2 }, { expectedVersion: 1 }),
      ],
      committed: { version: 2, content: { type: 'data', data: { n: 1 } } },
      codes: ['version-conflict'],
    },
    'applies JSON Patch and JSON Merge Patch': {
      stream: [
        record({ a: 1, b: 2 }),
        change(1, 2, { type: 'json-patch', patch: [{ op: 'remove', path: '/a' }] }),
        change(2, 3, { type: 'merge-patch', patch: { b: null, c: 3 } }),
      ],
      committed: { version: 3, content: { type: 'data', data: { c: 3 } } },
    },
    'applies nothing of a patch that fails': {
      stream: [
        record({ a: 1 }),
        change(1, 2, {
          type: 'json-patch',
          patch: [
            { op: 'remove', path: '/a' },
            { op: 'remove', path: '/b' },
          ],
        }),
      ],
      committed: { version: 1, content: { type: 'data', data: { a: 1 } } },
      codes: ['patch-failed'],
    },
    'ignores a patch whose result is not an object': {
      stream: [
        record({ a: 1 }),
        change(1, 2, { type: 'json-patch', patch: [{ op: 'replace', path: '', value: 5 }] }),
      ],
      committed: { version: 1, content: { type: 'data', data: { a: 1 } } },
      codes: ['patch-failed'],
    },
    'ignores a patch of another version, or without a newer version': {
      stream: [
        record({ a: 1 }),
        change(2, 3, { type: 'merge-patch', patch: { b: 1 } }),
        change(1, 1, { type: 'merge-patch', patch: { c: 1 } }),
      ],
      committed: { version: 1, content: { type: 'data', data: { a: 1 } } },
      codes: ['version-conflict', 'version-conflict'],
    },
    'appends text and drops the digest': {
      stream: [file('a', 0, true, { digest: digest('a') }), change(1, 2, { type: 'text-append', text: 'b' })],
      committed: { version: 2, ...text('ab') },
    },
    'ignores text appended to a record': {
      stream: [record({}), change(1, 2, { type: 'text-append', text: 'b' })],
      committed: { version: 1, content: { type: 'data', data: {} } },
      codes: ['wrong-type'],
    },
    'ignores a change of an unknown artifact': {
      stream: [change(1, 2, { type: 'text-append', text: 'b' })],
      committed: undefined,
      codes: ['unknown-artifact'],
    },
  }

  it.each(Object.entries(table))('%s', (_, { stream, committed, codes = [] }) => {
    const view = fold(events(...stream))
    expectPlainMessages(view.diagnostics)
    expect(artifactOf(view, 'f')?.committed).toEqual(committed)
    expect(artifactOf(view, 'f')?.pending).toBeUndefined()
    expect(view.diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  it('states for each task what has become of its latest write', () => {
    const statuses = (...stream: object[]): unknown =>
      fold(events(...stream)).tasks.map(({ taskId, parts }) => [taskId, parts.map(({ status }) => status)])
    const other = { taskId: 'other' }
    expect(statuses(file('a', 0, false))).toEqual([['task', ['writing']]])
    expect(statuses(file('a', 0, false), file('b', 1, true))).toEqual([['task', ['complete']]])
    expect(statuses(file('a', 0, true), file('b', 0, false))).toEqual([['task', ['writing']]])
    expect(statuses(file('a', 0, false), file('c', 2, true))).toEqual([['task', ['ended']]])
    expect(statuses(file('a', 0, false), { kind: 'task-status', status: 'failed' })).toEqual([
      ['task', ['ended']],
    ])
    expect(statuses(file('a', 0, false), file('b', 1, false, other))).toEqual([
      ['task', ['ended']],
      ['other', ['writing']],
    ])
    expect(statuses(record({}), { ...change(1, 2, { type: 'merge-patch', patch: {} }), ...other })).toEqual([
      ['task', ['complete']],
      ['other', ['complete']],
    ])
    expect(statuses(record({}), { ...change(2, 3, { type: 'merge-patch', patch: {} }), ...other })).toEqual([
      ['task', ['complete']],
      ['other', []],
    ])
  })

  it('leaves a version that is being written as it is when the current one changes', () => {
    const append = change(1, 2, { type: 'text-append', text: '!' })
    const view = fold(events(file('a', 0, true), file('b', 0, false), append, file('c', 1, true)))
    expect(artifactOf(view, 'f')?.committed).toEqual({ version: 3, ...text('bc') })
    expect(view.tasks[0]?.parts).toMatchObject([{ status: 'complete' }])
  })

  it('appends rows to a dataset, while it is written and afterwards', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ n }))
    const batch = (from: number, to: number, index: number, complete: boolean) => ({
      kind: 'dataset-write',
      artifactId: 'f',
      rows: rows.slice(from, to),
      index,
      complete,
      ...(index === 0 && { name: 'tides', schema: { type: 'object' }, metadata: { totalRows: 100 } }),
    })
    const view = fold(
      events(
        batch(0, 40, 0, false),
        batch(40, 99, 1, true),
        change(1, 2, { type: 'rows-append', rows: rows.slice(99) }),
      ),
    )
    const artifact = artifactOf(view, 'f')
    const content = artifact?.committed?.content
    expect(content?.type === 'rows' && content.rows).toEqual(rows)
    expect(artifact).toMatchObject({
      name: 'tides',
      schema: { type: 'object' },
      metadata: { totalRows: 100 },
    })
  })

  it('ignores fields of other kinds', () => {
    const own = { digest: 'own', encoding: 'own', mimeType: 5, schema: 6 }
    const rows = { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 0, complete: true }
    const view = fold(events(record({ n: 1 }, own), { ...rows, ...own, schema: { type: 'object' } }))
    expect(view.diagnostics).toEqual([])
    const base = { contextId: 'ctx', taskId: 'task' }
    expect(artifactOf(view, 'f')).toEqual({
      ...base,
      artifactId: 'f',
      type: 'data',
      committed: { version: 1, content: { type: 'data', data: { n: 1 } } },
    })
    expect(artifactOf(view, 'd')).toEqual({
      ...base,
      artifactId: 'd',
      type: 'dataset',
      schema: { type: 'object' },
      committed: { version: 1, content: { type: 'rows', rows: [{}] } },
    })
  })

  it('keeps descriptive fields until an event sets them again', () => {
    const first = file('a', 0, true, {
      name: 'a.md',
      description: 'A',
      mimeType: 'text/markdown',
      metadata: { x: 1 },
    })
    const view = fold(events(first, file('b', 0, true, { description: 'B', metadata: { y: 2 } })))
    const descriptor = { name: 'a.md', description: 'B', mimeType: 'text/markdown', metadata: { x: 1, y: 2 } }
    expect(artifactOf(view, 'f')).toMatchObject(descriptor)
  })
})

it.each<[stream: object[], fault: string, message: string]>([
  [
    [file('a', 0, false), file('c', 2, true)],
    'gap',
    'Artifact "f" cannot be completed: a chunk is missing (gap).',
  ],
  [
    [file('?', 0, false, { encoding: 'base64' }), file('YQ==', 1, true)],
    'bad-base64',
    'Artifact "f" cannot be completed: a chunk is not Base64 (bad-base64).',
  ],
])('the diagnostic of an incomplete write names its fault', (stream, fault, message) => {
  const { diagnostics } = fold(events(...stream))
  expect(diagnostics.filter(({ code }) => code === 'incomplete-write')).toMatchObject([
    { message, id: 'f', actual: fault },
  ])
})
