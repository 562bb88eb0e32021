// Artifacts that change often: each part is sent as a whole, but all of them together stay in proportion to the events.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toUiMessageStream, type UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { readMessage } from './readers.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
const begin = { kind: 'task-created', initiator: 'user' }
const item = 'x'.repeat(400)

/** A record, a dataset or a file that grows with each event. */
const forms = {
  record: {
    write: { kind: 'data-write', data: { list: [] }, version: 1 },
    change: { type: 'json-patch', patch: [{ op: 'add', path: '/list/-', value: item }] },
    whole: (n: number) => ({ list: Array.from({ length: n }, () => item) }),
  },
  dataset: {
    write: { kind: 'dataset-write', rows: [], index: 0, complete: true, version: 1 },
    change: { type: 'rows-append', rows: [{ item }] },
    whole: (n: number) => Array.from({ length: n }, () => ({ item })),
  },
  file: {
    write: { kind: 'file-write', data: '', index: 0, complete: true, version: 1, mimeType: 'text/plain' },
    change: { type: 'text-append', text: item },
    whole: (n: number) => `data:text/plain;base64,${Buffer.from(item.repeat(n)).toString('base64')}`,
  },
}

const endings = {
  completed: { kind: 'task-complete' },
  failed: { kind: 'task-status', status: 'failed' },
  canceled: { kind: 'task-status', status: 'canceled' },
  paused: { kind: 'task-status', status: 'waiting-input' },
  cut: { kind: 'custom', name: 'acme.note', data: 1 },
}

describe.each(Object.entries(forms))('a %s that grows', (_, { write, change, whole }) => {
  const chunksOf = (count: number, ending: object): UiMessageChunk[] => {
    const changes = Array.from({ length: count }, (_, i) => ({
      kind: 'artifact-delta',
      artifactId: 'a',
      baseVersion: i + 1,
      version: i + 2,
      change,
    }))
    const events = [begin, { artifactId: 'a', ...write }, ...changes, ending].map((event) => ({
      ...place,
      ...event,
    }))
    return resultsOf(toUiMessageStream() as never, events as unknown as ContextAnyEvent[]).flatMap(
      ({ out }) => out as UiMessageChunk[],
    )
  }

  it.each(Object.entries(endings))('is shown as it is at the end: %s', async (_, ending) => {
    const { message } = await readMessage(7, chunksOf(1000, ending))
    const parts = message?.parts.filter(({ type }) => type === 'file' || type === 'data-a') ?? []
    expect(parts.at(-1)?.data ?? parts.at(-1)?.url).toEqual(whole(1000))
  })

  it('is sent with each change while it is small', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (count) => {
        const chunks = chunksOf(count, endings.completed)
        const sent = chunks.filter(({ type }) => type === 'file' || type === 'data-a')
        expect(sent).toHaveLength(count + 1)
      }),
      { numRuns: 10 },
    )
  })

  it('is sent in proportion to its changes', () => {
    const sizeOf = (count: number) => JSON.stringify(chunksOf(count, endings.completed)).length
    expect(sizeOf(4000)).toBeLessThan(4 * sizeOf(1500))
  })
})

it('sends a large record that has changed with one of the next events', () => {
  const list = Array.from({ length: 500 }, () => item)
  const changes = Array.from({ length: 50 }, (_, i) => ({
    kind: 'artifact-delta',
    artifactId: 'a',
    baseVersion: i + 1,
    version: i + 2,
    change: { type: 'merge-patch', patch: { n: i } },
  }))
  const deltas = Array.from({ length: 1000 }, (_, index) => ({ kind: 'content-delta', delta: 'x', index }))
  const write = { kind: 'data-write', artifactId: 'a', data: { list }, version: 1 }
  const events = [begin, write, ...changes, ...deltas].map((event) => ({ ...place, ...event }))
  const steps = resultsOf(toUiMessageStream() as never, events as unknown as ContextAnyEvent[]).slice(0, -1)
  const sent = steps.flatMap(({ out }) => out as { type: string; data?: { n?: number } }[])
  expect(sent.findLast(({ type }) => type === 'data-a')?.data?.n).toBe(49)
})
