// Proves the mapping of A2A of either version to events, case by case.

import { describe, expect, it } from 'vitest'
import { run } from '../../../src/core/machine.ts'
import { fromA2a } from '../../../src/dialects/a2a/index.ts'
import { decodeEvent } from '../../../src/events/decode.ts'
import { casesOf } from '../../support/conformance.ts'
import { runFromA2a, runToA2a, versions } from './support.ts'

interface Expected {
  readonly events: readonly unknown[]
  /** Codes, in order. */
  readonly diagnostics: readonly string[]
}
const cases = casesOf<{ items: readonly unknown[]; extension?: boolean }, Expected>('formats/a2a-from')

it.each(cases)('$name', ({ input: { items, ...options }, expected }) => {
  const read = runFromA2a(items, options)
  expect(read.out).toEqual(expected.events)
  expect(read.diagnostics.map(({ code }) => code)).toEqual(expected.diagnostics)
  for (const { code, detail } of read.diagnostics) {
    if (code.startsWith('dropped:')) expect(detail).toHaveProperty('reason')
  }
  for (const event of read.out) expect(decodeEvent(event).status).toBe('known')
})

describe('the time of events', () => {
  const status = (timestamp: string): object => ({
    kind: 'task',
    id: 't',
    contextId: 'c',
    status: { state: 'working', timestamp },
  })
  it.each([
    ['2026-03-04T05:06:07.080Z', '2026-03-04T05:06:07.080Z'],
    ['2026-03-04T07:06:07+02:00', '2026-03-04T07:06:07+02:00'],
    ['2025-04-02T16:59:25.331844', '2025-04-02T16:59:25.331844Z'],
    ['yesterday', '1970-01-01T00:00:00.000Z'],
  ])('with %s is %s', (received, expected) => {
    expect(runFromA2a([status(received)]).out.map(({ timestamp }) => timestamp)).toEqual([expected, expected])
  })

  it('is the last one received', () => {
    const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] }
    const items = [
      status('2026-03-04T05:06:07Z'),
      { kind: 'artifact-update', taskId: 't', contextId: 'c', artifact },
    ]
    expect(runFromA2a(items).out.at(-1)).toMatchObject({
      kind: 'content-delta',
      timestamp: '2026-03-04T05:06:07.000Z',
    })
  })
})

describe('the context', () => {
  const item = { task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } }
  it('is that of the stream, or the id of the task without one', () => {
    expect(runFromA2a([item]).out.map(({ contextId }) => contextId)).toEqual(['t', 't'])
  })
  it('is the given one', () => {
    expect(runFromA2a([item], { contextId: 'given' }).out.map(({ contextId }) => contextId)).toEqual([
      'given',
      'given',
    ])
  })
  it.each([[''], [5]])('cannot be %j', (contextId) => {
    expect(() => fromA2a({ now: () => 0, contextId: contextId as string })).toThrow(TypeError)
  })
})

describe('the clock', () => {
  const created = { kind: 'task', id: 't', contextId: 'c', status: { state: 'submitted' } }
  const working = (timestamp?: string): object => ({
    kind: 'status-update',
    taskId: 't',
    contextId: 'c',
    final: false,
    status: {
      state: 'working',
      timestamp,
      message: { messageId: `m${timestamp}`, role: 'agent', parts: [] },
    },
  })
  const timesOf = (items: readonly unknown[], now?: () => number | string): string[] =>
    runFromA2a(items, now && { now }).out.map(({ timestamp }) => timestamp)

  it.each([
    [1_772_600_767_000, '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T06:06:07+01:00', '2026-03-04T06:06:07+01:00'],
  ])('gives events the time %s that A2A states none for', (time, expected) => {
    expect(timesOf([created], () => time)).toEqual([expected])
  })
  it('is not read for a time that A2A states', () => {
    const times = timesOf([created, working('2026-03-04T05:06:08Z')], () => 0)
    expect(times).toEqual(['1970-01-01T00:00:00.000Z', '2026-03-04T05:06:08Z'])
  })
  it('never goes back, nor does the time of the server', () => {
    const items = [created, working('2026-03-04T05:06:08Z'), working('2026-03-04T05:06:07Z'), working()]
    const { out, diagnostics } = runFromA2a(items, { now: () => 0 })
    expect(out.slice(1).map(({ timestamp }) => Date.parse(timestamp))).toEqual(
      Array(3).fill(Date.parse('2026-03-04T05:06:08Z')),
    )
    expect(diagnostics).toMatchObject([
      { code: 'lossy:timestamp', detail: { timestamp: '2026-03-04T05:06:07Z' } },
      { code: 'gap' },
    ])
  })
  it.each([[5], ['now']])('cannot be %j', (now) => {
    expect(() => fromA2a({ now: now as never })).toThrow(TypeError)
  })
  it.each([[Number.NaN], ['yesterday']])('cannot return %j', (time) => {
    expect(() => timesOf([created], () => time)).toThrow(TypeError)
  })
})

it('removes the oldest of too many tasks', () => {
  const task = (n: number): object => ({ task: { id: `t${n}`, status: { state: 'TASK_STATE_WORKING' } } })
  const { diagnostics } = runFromA2a(Array.from({ length: 4000 }, (_, n) => task(n)))
  const open = diagnostics.filter(({ code }) => code === 'gap')
  expect(open.length).toBeGreaterThanOrEqual(1024)
  expect(open.length).toBeLessThanOrEqual(2048)
})

it.each([
  ['an empty text', '', ['gap', 'lossy:artifactId']],
  ['half of a pair', 'a\ud83d', ['gap', 'lossy:delta']],
  ['half of a pair alone', '\ud83d', ['gap', 'lossy:delta']],
  ['a text', 'a', ['gap']],
])('reports what no event has as the stream ends after %s', (_, text, codes) => {
  const artifact = { artifactId: 'a', parts: [{ text }] }
  const read = runFromA2a([{ artifactUpdate: { taskId: 't', contextId: 'c', artifact } }])
  expect(read.diagnostics.map(({ code }) => code)).toEqual(codes)
})

it('bounds the stored text without losing any', () => {
  const text = 'x'.repeat(1024 * 1024)
  const items = Array.from({ length: 34 }, (_, i) => ({
    artifactUpdate: {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [{ text }] },
      append: i > 0,
    },
  }))
  const read = runFromA2a(items)
  const deltas = read.out.flatMap((event) => (event.kind === 'content-delta' ? [event.delta.length] : []))
  expect(deltas).toEqual(items.map(() => text.length))
  expect(read.diagnostics.map(({ code }) => code)).toEqual(['inferred:segment', 'gap'])
  expect(JSON.stringify(read.state).length).toBeLessThan(20 * text.length)
})

it('reads the artifacts of a task that is sent again as known, however many there are', () => {
  const artifacts = Array.from({ length: 16_384 }, (_, n) => ({
    artifactId: `a${n}`,
    parts: [{ data: { n } }],
  }))
  const task = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, artifacts } }
  const { push } = run(fromA2a({ now: () => 0 }))
  expect([...push(task as never)]).toHaveLength(2 + artifacts.length)
  expect([...push(task as never)]).toEqual([])
})

describe.each(versions)('A2A %s without the extension', (version) => {
  const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07.080Z' }
  it('round-trips the events A2A has equivalents for', () => {
    const events = [
      { kind: 'task-created', initiator: 'user', ...ids, metadata: { agentId: 'a' } },
      { kind: 'content-delta', delta: 'Hi ', index: 0, ...ids },
      { kind: 'content-delta', delta: '👋', index: 1, ...ids },
      { kind: 'content-complete', content: 'Hi 👋', ...ids },
      {
        kind: 'data-write',
        artifactId: 'd',
        name: 'n',
        data: { k: [1, null] },
        metadata: { toolCallId: 'x' },
        ...ids,
      },
      { kind: 'dataset-write', artifactId: 'r', rows: [{ n: 1 }], index: 0, complete: true, ...ids },
      {
        kind: 'file-write',
        artifactId: 'f',
        data: 'AQ==',
        encoding: 'base64',
        index: 0,
        complete: true,
        ...ids,
      },
      { kind: 'task-complete', ...ids },
    ] as const
    expect(runFromA2a(runToA2a([...events] as never, { version }).out).out).toEqual(events)
  })
})
