// Tests that compact changes only the number of events, for any stream.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { compact } from '../../../src/streams/index.ts'
import type { VerifierOptions } from '../../../src/streams/verify/verifier.ts'
import { runs } from '../../support/runs.ts'
import {
  deltaStreams,
  errorsIn,
  fold,
  loneResults,
  soundStreams,
  strayStreams,
  verify,
} from '../verify/support.ts'

const anyStream = fc.oneof(deltaStreams, strayStreams, soundStreams({ maxChoices: 80 }))

describe('laws', () => {
  it('keeps the view, even of illegal streams', () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        expect(fold(compact(events))).toEqual(fold(events))
      }),
      { numRuns: runs(600) },
    )
  })

  it('keeps the view if only a part of the stream is compacted', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), fc.nat(), fc.nat(), (events, a, b) => {
        const from = a % events.length
        const to = from + (b % (events.length - from))
        const mixed = [...events.slice(0, from), ...compact(events.slice(from, to)), ...events.slice(to)]
        expect(fold(mixed)).toEqual(fold(events))
      }),
      { numRuns: runs(300) },
    )
  })

  it('keeps legal streams legal', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), (events) => {
        expect(errorsIn(compact(events))).toEqual([])
        expect(verify(compact(events))).toMatchObject(loneResults(events))
      }),
      { numRuns: runs(200) },
    )
  })

  it('changes nothing the second time, and never adds events', () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const once = compact(events)
        expect(compact(once)).toEqual(once)
        expect(once.length).toBeLessThanOrEqual(events.length)
      }),
      { numRuns: runs(600) },
    )
  })

  it('gives the same result if the beginning was compacted before', () => {
    fc.assert(
      fc.property(anyStream, fc.nat(), (events, n) => {
        const at = n % (events.length + 1)
        const inSteps = compact([...compact(events.slice(0, at)), ...events.slice(at)])
        expect(inSteps).toEqual(compact(events))
      }),
      { numRuns: runs(600) },
    )
  })

  it('breaks no new rule, in any mode', () => {
    fc.assert(
      fc.property(anyStream, fc.constantFrom('strict', 'standard', 'lenient'), (events, mode) => {
        const before = rulesBroken(events, { mode })
        for (const [rule, times] of rulesBroken(compact(events), { mode })) {
          expect({ rule, isNew: times > (before.get(rule) ?? 0) }).toEqual({ rule, isNew: false })
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it('does not change its input, and copies only merged events', () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const before = structuredClone(events)
        const merged = compact(events)
        expect(events).toEqual(before)
        for (const event of merged) expect(covers(event, events)).toBe(true)
      }),
      { numRuns: runs(300) },
    )
  })

  it('keeps contexts, indexes, times and unknown fields', () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const merged = compact(events)
        expect(placesOf(merged)).toEqual(placesOf(events))
        expect(timesOf(merged)).toEqual(timesOf(events))
        expect(unknownsOf(merged)).toEqual(unknownsOf(events))
      }),
      { numRuns: runs(200) },
    )
  })
})

/** The number of violations of each rule. */
function rulesBroken(events: readonly ContextAnyEvent[], options: VerifierOptions): Map<string, number> {
  const times = new Map<string, number>()
  for (const { rule } of verify(events, options)) times.set(rule, (times.get(rule) ?? 0) + 1)
  return times
}

/** Whether an event is one of the input events, or a merged one. */
function covers(event: ContextAnyEvent, events: readonly ContextAnyEvent[]): boolean {
  return events.includes(event) || 'indexEnd' in event
}

/** Every index of every series, with its task. */
function placesOf(events: readonly ContextAnyEvent[]): string[] {
  return events.flatMap((event) => {
    const { kind, contextId, taskId, parentTaskId, path } = event
    const from = 'index' in event ? event.index : 0
    const to = 'indexEnd' in event ? (event.indexEnd ?? from) : from
    const place = JSON.stringify([kind, contextId, taskId, parentTaskId, path])
    return Array.from({ length: to - from + 1 }, (_, i) => `${place} ${from + i}`)
  })
}

/** The first and last timestamp of each run of events of one kind and task. */
function timesOf(events: readonly ContextAnyEvent[]): string[] {
  const times: string[] = []
  let last = ''
  for (const event of events) {
    const { kind, taskId, timestamp } = event
    if (`${kind} ${taskId}` === last) times.pop()
    else times.push(timestamp)
    times.push(('timestampEnd' in event && event.timestampEnd) || timestamp)
    last = `${kind} ${taskId}`
  }
  return times
}

function unknownsOf(events: readonly ContextAnyEvent[]): unknown[] {
  return events.flatMap((event) => ('note' in event ? [event.note] : []))
}

const context = { contextId: 'ctx', taskId: 'task' }
const at = (second: number) => `2026-01-01T00:00:0${second}Z`

/** Streams that would change if merging looked only at adjacent events. */
const traps: Readonly<Record<string, readonly Partial<Record<string, unknown>>[]>> = {
  'a text that is partly repeated': [0, 1, 2, 1, 2, 3].map((index) => ({
    kind: 'content-delta',
    delta: `${index}`,
    index,
  })),
  'deltas of arguments after their call has started': [
    { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'a', index: 0 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'b', index: 1 },
  ],
  'deltas of arguments after the end of the task': [
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'a', index: 0 },
    { kind: 'task-status', status: 'failed' },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'b', index: 1 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'c', index: 2 },
  ],
  'a digest before the last chunk': [
    {
      kind: 'file-write',
      artifactId: 'f',
      data: 'a',
      index: 0,
      complete: false,
      digest: `sha-256:${'0'.repeat(64)}`,
    },
    { kind: 'file-write', artifactId: 'f', data: 'b', index: 1, complete: true },
  ],
  'chunks of a file with the id of a dataset': [
    { kind: 'dataset-write', artifactId: 'f', rows: [], index: 0, complete: false },
    { kind: 'file-write', artifactId: 'f', data: 'a', index: 0, complete: false },
    { kind: 'file-write', artifactId: 'f', data: 'b', index: 1, complete: false },
  ],
  'chunks of a file with the id of a record': [
    { kind: 'data-write', artifactId: 'f', data: {} },
    { kind: 'file-write', artifactId: 'f', data: 'a', index: 0, complete: false },
    { kind: 'file-write', artifactId: 'f', data: 'b', index: 1, complete: false },
  ],
  'a file that two tasks write': [
    { kind: 'file-write', taskId: 'a', artifactId: 'f', data: 'a', index: 0, complete: false },
    { kind: 'file-write', taskId: 'a', artifactId: 'f', data: 'b', index: 1, complete: false },
    { kind: 'file-write', taskId: 'b', artifactId: 'f', data: 'c', index: 1, complete: false },
    { kind: 'file-write', taskId: 'b', artifactId: 'f', data: 'd', index: 2, complete: true },
  ],
  'unknown fields with names of artifact fields': [
    { kind: 'content-delta', delta: 'a', index: 0, complete: true },
    { kind: 'content-delta', delta: 'a', index: 0 },
    { kind: 'content-delta', delta: 'b', index: 1 },
    { kind: 'content-delta', delta: 'c', index: 2, artifactId: null },
  ],
  'timestamps that decrease': [5, 9, 5].map((second, index) => ({
    kind: 'content-delta',
    delta: 'a',
    index,
    timestamp: at(second),
  })),
}

describe('traps', () => {
  it.each(Object.entries(traps))('%s', (_, events) => {
    const stream = events.map((event) => ({
      ...context,
      timestamp: at(0),
      ...event,
    })) as unknown as ContextAnyEvent[]
    expect(fold(compact(stream))).toEqual(fold(stream))
    expect(compact(compact(stream))).toEqual(compact(stream))
  })
})

describe('timestampEnd', () => {
  const delta = { kind: 'content-delta', ...context, delta: 'ab', index: 0, indexEnd: 1 } as const
  const merged: ContextAnyEvent = { ...delta, timestamp: at(1), timestampEnd: at(3) }
  const own = { kind: 'tool-start', ...context, toolCallId: 'c', toolName: 't', arguments: {} } as const

  it('is the latest timestamp of the task, and later events must not be earlier', () => {
    expect(fold([merged]).tasks.map(({ updatedAt }) => updatedAt)).toEqual([at(3)])
    const rules = verify([merged, { ...own, timestamp: at(2) }]).map(({ rule }) => rule)
    expect(rules).toContain('time-order')
  })

  it('must be a timestamp', () => {
    const wrong = { ...merged, timestampEnd: 'later' } as ContextAnyEvent
    expect(verify([wrong]).map(({ rule, path }) => [rule, path])).toEqual([
      ['timestamp-format', '/timestampEnd'],
    ])
  })

  it('is ignored on events that are never merged', () => {
    const event = { ...own, timestamp: at(1), timestampEnd: 5 } as ContextAnyEvent
    expect(fold([event]).tasks.map(({ updatedAt }) => updatedAt)).toEqual([at(1)])
  })
})

describe('compact', () => {
  it('merges the deltas of a segment, with the first and last timestamp', () => {
    const delta = (index: number, text: string): ContextAnyEvent => ({
      kind: 'content-delta',
      ...context,
      delta: text,
      index,
      timestamp: at(index),
    })
    expect(compact([delta(0, 'a'), delta(1, 'b'), delta(2, 'c')])).toEqual([
      { ...delta(0, 'abc'), indexEnd: 2, timestampEnd: at(2) },
    ])
  })

  it('merges the bytes of Base64 chunks, with the digest of the last chunk', () => {
    const digest = `sha-256:${'0'.repeat(64)}`
    const chunk = { kind: 'file-write', ...context, artifactId: 'f', timestamp: at(0) } as const
    const events: ContextAnyEvent[] = [
      { ...chunk, data: 'YQ==', index: 0, complete: false, encoding: 'base64', name: 'f' },
      { ...chunk, data: 'Yg==', index: 1, complete: true, digest, version: 1 },
    ]
    expect(compact(events)).toEqual([
      { ...events[0], data: 'YWI=', complete: true, indexEnd: 1, digest, version: 1 },
    ])
  })

  it.each([
    [3, undefined, undefined, 3],
    [undefined, 3, undefined, 3],
    [3, 4, undefined, 4],
    [3, undefined, 4, 4],
    [undefined, undefined, undefined, undefined],
  ])('keeps the latest version of chunks with %j, %j and %j', (...versions) => {
    const latest = versions.pop()
    const rows = { kind: 'dataset-write', ...context, artifactId: 'd', timestamp: at(0) } as const
    const events = versions.map(
      (version, index): ContextAnyEvent => ({
        ...{ ...rows, rows: [{ index }], index, complete: index === 2 },
        ...(version !== undefined && { version }),
      }),
    )
    const all = { ...rows, rows: [{ index: 0 }, { index: 1 }, { index: 2 }], index: 0, indexEnd: 2 }
    const version = latest !== undefined && { version: latest }
    expect(compact(events)).toEqual([{ ...all, complete: true, ...version }])
  })

  it.each([[undefined], [null], ['text'], [{ length: 0 }]])('refuses %j', (events) => {
    expect(() => compact(events as never)).toThrow(TypeError)
    expect(() => compact(events as never)).toThrow('"events" must be an array')
  })

  it('merges chunks of unknown encoding if the result is right for text and Base64', () => {
    const chunk = { kind: 'file-write', ...context, artifactId: 'f', timestamp: at(0) } as const
    const events = ['YWJj', 'ZGVm', 'Zw==', 'YWJj', '?', 'YWJj'].map(
      (data, n): ContextAnyEvent => ({ ...chunk, data, index: n + 3, complete: false }),
    )
    const whole = { ...events[0], data: 'YWJjZGVmZw==', indexEnd: 5 }
    expect(compact(events)).toEqual([whole, ...events.slice(3)])
  })

  it('merges a file of many Base64 chunks with padding', () => {
    const bytes = Buffer.from(Array.from({ length: 4_000_000 }, (_, n) => n % 251))
    const chunks = Array.from({ length: 4000 }, (_, n) => bytes.subarray(1000 * n, 1000 * (n + 1)))
    const events = chunks.map(
      (data, index): ContextAnyEvent => ({
        kind: 'file-write',
        ...context,
        timestamp: at(0),
        artifactId: 'f',
        data: data.toString('base64'),
        index,
        complete: false,
        ...(index === 0 && { encoding: 'base64' }),
      }),
    )
    const [whole, ...others] = compact(events)
    expect(others).toEqual([])
    expect(whole?.kind === 'file-write' && whole.data === bytes.toString('base64')).toBe(true)
  })

  const delta = { kind: 'content-delta', ...context, delta: 'a', timestamp: at(0) } as const
  const file = { kind: 'file-write', ...context, artifactId: 'f', complete: false, timestamp: at(0) } as const
  it.each<[string, ContextAnyEvent[]]>([
    [
      'deltas of two tasks',
      [
        { ...delta, index: 0 },
        { ...delta, taskId: 'other', index: 1 },
      ],
    ],
    [
      'deltas with another path',
      [
        { ...delta, index: 0 },
        { ...delta, path: ['x'], index: 1 },
      ],
    ],
    [
      'deltas with another parent',
      [
        { ...delta, index: 0 },
        { ...delta, parentTaskId: 'x', index: 1 },
      ],
    ],
    [
      'arguments for another tool',
      ['t', 'u'].map((toolName, index) => ({
        ...{ kind: 'tool-arguments-delta', ...context, timestamp: at(0) },
        ...{ toolCallId: 'c', toolName, delta: 'a', index },
      })) as ContextAnyEvent[],
    ],
    [
      'deltas with an unknown field',
      [{ ...delta, index: 0 }, { ...delta, index: 1, own: 1 } as typeof delta & { index: 1 }],
    ],
    [
      'deltas with a gap between them',
      [
        { ...delta, index: 0 },
        { ...delta, index: 2 },
      ],
    ],
    [
      'padded chunks of unknown encoding',
      [
        { ...file, data: 'YQ==', index: 3 },
        { ...file, data: 'YQ==', index: 4 },
      ],
    ],
    [
      'chunks that are not Base64',
      [
        { ...file, data: '?', index: 0, encoding: 'base64' },
        { ...file, data: '?', index: 1 },
      ],
    ],
    [
      'chunks that rename the file',
      [
        { ...file, data: 'a', index: 0, name: 'a' },
        { ...file, data: 'a', index: 1, name: 'b' },
      ],
    ],
    [
      'deltas that are not adjacent',
      [
        { ...delta, index: 0 },
        { kind: 'task-status', ...context, status: 'working', timestamp: at(0) },
        { ...delta, index: 1 },
      ],
    ],
  ])('does not merge %s', (_, events) => {
    expect(compact(events)).toEqual(events)
  })
})
