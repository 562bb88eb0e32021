// receiver puts out each event exactly once and in order; batchDecoder reads back what encodeBatch wrote.

import fc from 'fast-check'
import {
  type Batch,
  batchDecoder,
  encodeBatch,
  formatEventId,
  type Received,
  type Reset,
  receiver,
} from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import { pipe, run } from '../../../src/core/machine.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { streamMessageNames } from '../../../src/streams/log/wire/stream-messages.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { runs } from '../../support/runs.ts'
import { closedLogOf, delta, logOf } from './support.ts'

const source = { stream: 's', epoch: 'e' }
const at = (seq: number) => ({ ...source, seq })

/** The batch of a range. `seqs`: the visible events; omitted: all. */
function batch(after: number, through: number, more: Partial<Batch> = {}): Batch {
  const seqs = more.seqs ?? Array.from({ length: through - after }, (_, i) => after + 1 + i)
  return { type: 'batch', ...source, after, through, events: seqs.map((seq) => delta(seq)), ...more, seqs }
}

function reset(through: number, more: Partial<Reset> = {}): Reset {
  return { type: 'reset', reason: 'evicted', ...source, through, earliest: 0, ...more }
}

/** What a receiver puts out, as short texts. */
function receivedTexts(inputs: readonly (Batch | Reset)[]): string[] {
  const { push } = run(receiver())
  return inputs.flatMap((input) => push(input)).map(textOf)
}

function textOf(received: Received): string {
  if (received.type === 'events') {
    const indexes = received.events.map((event) => ('index' in event ? event.index : '?'))
    return `events ${indexes.join(' ')} → ${received.cursor.seq}`
  }
  if (received.type === 'gap') return `gap ${received.cursor?.seq ?? 'start'} ≠ ${received.got.seq}`
  return `${received.type} → ${received.cursor.seq}`
}

describe('receiver', () => {
  const cases: readonly [string, readonly (Batch | Reset)[], readonly string[]][] = [
    ['contiguous batches', [batch(-1, 1), batch(1, 2)], ['events 0 1 → 1', 'events 2 → 2']],
    [
      'a hidden range',
      [batch(-1, 3, { seqs: [1] }), batch(3, 5, { seqs: [] })],
      ['events 1 → 3', 'events  → 5'],
    ],
    ['an empty stream', [batch(-1, -1), batch(-1, -1)], ['events  → -1', 'duplicate → -1']],
    ['a batch twice', [batch(-1, 1), batch(-1, 1)], ['events 0 1 → 1', 'duplicate → 1']],
    [
      'an old batch',
      [batch(-1, 1), batch(1, 4), batch(-1, 1)],
      ['events 0 1 → 1', 'events 2 3 4 → 4', 'duplicate → 4'],
    ],
    ['an empty batch', [batch(-1, 1), batch(1, 1)], ['events 0 1 → 1', 'duplicate → 1']],
    ['a missing batch', [batch(-1, 1), batch(3, 4)], ['events 0 1 → 1', 'gap 1 ≠ 3']],
    ['a missing batch before an empty one', [batch(-1, 1), batch(3, 3)], ['events 0 1 → 1', 'gap 1 ≠ 3']],
    ['a missing first batch', [batch(1, 2)], ['gap start ≠ 1']],
    [
      'a gap that is filled',
      [batch(-1, 1), batch(2, 3), batch(1, 3)],
      ['events 0 1 → 1', 'gap 1 ≠ 2', 'events 2 3 → 3'],
    ],
    ['an overlap', [batch(-1, 1), batch(-1, 3)], ['events 0 1 → 1', 'events 2 3 → 3']],
    [
      'an overlap in a hidden range',
      [batch(-1, 3, { seqs: [0] }), batch(1, 6, { seqs: [5] })],
      ['events 0 → 3', 'events 5 → 6'],
    ],
    [
      'an overlap without new visible events',
      [batch(-1, 1), batch(-1, 3, { seqs: [0, 1] })],
      ['events 0 1 → 1', 'events  → 3'],
    ],
    [
      'an overlap that ends with a merged event',
      [batch(-1, 1), batch(-1, 3, { seqs: [1, 3], merged: true })],
      ['events 0 1 → 1', 'events 3 → 3'],
    ],
    [
      'an overlap within a merged event',
      [batch(-1, 1), batch(-1, 3, { seqs: [2, 3], merged: true })],
      ['events 0 1 → 1', 'gap 1 ≠ -1'],
    ],
    ['another epoch', [batch(-1, 1), batch(1, 2, { epoch: 'f' })], ['events 0 1 → 1', 'gap 1 ≠ 1']],
    ['another filter', [batch(-1, 1), batch(1, 2, { filter: 'v' })], ['events 0 1 → 1', 'gap 1 ≠ 1']],
    ['another stream', [batch(-1, 1), batch(1, 2, { stream: 't' })], ['events 0 1 → 1', 'gap 1 ≠ 1']],
    ['a reset', [batch(-1, 1), reset(7), batch(7, 8)], ['events 0 1 → 1', 'reset → 7', 'events 8 → 8']],
    [
      'a reset to another epoch',
      [batch(-1, 1), reset(0, { epoch: 'f' }), batch(1, 2)],
      ['events 0 1 → 1', 'reset → 0', 'gap 0 ≠ 1'],
    ],
    ['the end', [batch(-1, 1, { closed: true })], ['events 0 1 → 1', 'closed → 1']],
    [
      'the end without events',
      [batch(-1, 1), batch(1, 1, { closed: true })],
      ['events 0 1 → 1', 'closed → 1'],
    ],
    [
      'the end, twice',
      [batch(-1, 1, { closed: true }), batch(1, 1, { closed: true })],
      ['events 0 1 → 1', 'closed → 1', 'duplicate → 1'],
    ],
    ['the end of an empty stream', [batch(-1, -1, { closed: true })], ['events  → -1', 'closed → -1']],
    [
      'an end after a missing batch',
      [batch(-1, 1), batch(3, 3, { closed: true })],
      ['events 0 1 → 1', 'gap 1 ≠ 3'],
    ],
    [
      'a reset after the end',
      [batch(-1, 1, { closed: true }), reset(0, { epoch: 'f' })],
      ['events 0 1 → 1', 'closed → 1', 'reset → 0'],
    ],
  ]
  test.each(cases)('%s', (_, inputs, expected) => {
    expect(receivedTexts(inputs)).toEqual(expected)
  })

  it('continues from a stored cursor, and passes on loss, reason and events of a reset', () => {
    const { push } = run(receiver({ cursor: at(4) }))
    expect(push(batch(4, 6, { loss: { 'thought-stream': 2 }, seqs: [6] }))).toEqual([
      { type: 'events', events: [delta(6)], loss: { 'thought-stream': 2 }, cursor: at(6) },
    ])
    expect(push(batch(3, 3, { filter: 'v' }))).toEqual([
      { type: 'gap', cursor: at(6), got: { ...at(3), filter: 'v' } },
    ])
    expect(push(reset(9, { reason: 'ahead', events: [delta(9)] }))).toEqual([
      { type: 'reset', reason: 'ahead', events: [delta(9)], cursor: at(9) },
    ])
    expect(run(receiver()).push(batch(3, 3))).toEqual([{ type: 'gap', got: at(3) }])
  })

  it('puts out copies: consumers may change its outputs', () => {
    const client = run(receiver())
    const mutate = (received: readonly Received[]): void => {
      for (const one of received) if (one.cursor) Object.assign(one.cursor, { seq: 99 })
    }
    for (const input of [batch(-1, 1), batch(5, 6), batch(0, 1), reset(3), batch(3, 4, { closed: true })]) {
      mutate(client.push(input))
    }
    expect(client.state).toEqual({ cursor: at(4), closed: true })
  })

  it('puts out each event once and in order, a duplicate or a gap for every batch', () => {
    const cut = fc.tuple(fc.integer({ min: -1, max: 30 }), fc.nat(6))
    fc.assert(
      fc.property(fc.array(cut, { maxLength: 40 }), (cuts) => {
        const { push } = run(receiver())
        let have: number | undefined
        for (const [after, length] of cuts) {
          const through = after + length
          const [received, ...more] = push(batch(after, through))
          expect(more).toEqual([])
          // The first batch tells where the stream starts; one that starts later than the last ended is a gap.
          if (have !== undefined ? after > have : after > -1) {
            expect(received).toMatchObject({ type: 'gap', got: at(after) })
          } else if (have !== undefined && through <= have) {
            expect(received).toMatchObject({ type: 'duplicate', cursor: at(have) })
          } else {
            expect(received).toMatchObject({ type: 'events', cursor: at(through) })
            expect(received).toMatchObject({ events: batch(have ?? -1, through).events })
            have = through
          }
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('the machine law', () => {
  const position = fc.integer({ min: -1, max: 12 })
  const input: fc.Arbitrary<Batch | Reset> = fc.oneof(
    fc
      .tuple(
        position,
        fc.nat(4),
        fc.constantFrom<Partial<Batch>>(
          {},
          { closed: true },
          { loss: { 'thought-stream': 1 } },
          { epoch: 'f' },
        ),
      )
      .map(([after, length, more]) => batch(after, after + length, more)),
    position.map((through) => reset(through, { events: [delta(0), delta(through + 1)] })),
  )
  it('receiver', () => expectMachineLaw(receiver(), input, { runs: 500 }))

  const chunk = fc.tuple(fc.array(input, { maxLength: 3 }), fc.nat(), fc.nat()).map(([parts, from, to]) => {
    const text = parts.map((part) => encodeBatch(part, { viewer: 'all' })).join('')
    const [start = 0, end = 0] = [from % (text.length + 1), to % (text.length + 1)].sort((a, b) => a - b)
    return from % 3 === 0 ? text : text.slice(start, end)
  })
  it('batchDecoder', () => expectMachineLaw(batchDecoder(), chunk, { runs: 500 }))
  it('batchDecoder with receiver', () => expectMachineLaw(pipe(batchDecoder(), receiver()), chunk))
})

describe('batchDecoder', () => {
  const log = logOf(4)

  it('decodes encoded batches in chunks of any size', () => {
    const parts = [
      batch(-1, 3, { seqs: [0, 2] }),
      batch(3, 4, { loss: { 'thought-stream': 2 } }),
      batch(4, 9, { seqs: [] }),
      reset(9, { reason: 'filter-changed', filter: 'v', events: [delta(0), delta(1)] }),
      batch(9, 11, { filter: 'v', closed: true }),
    ]
    const text = parts.map((part) => encodeBatch(part, { viewer: 'all' })).join('')
    const whole = run(receiver())
    const expected = parts.flatMap((part) => whole.push(part))
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const client = run(pipe(batchDecoder(), receiver()))
        const edges = [0, ...cuts.sort((a, b) => a - b), text.length]
        const got = edges.flatMap((edge, i) => client.push(text.slice(edges[i - 1] ?? 0, edge)))
        expect(eventsIn(got)).toEqual(eventsIn(expected))
        expect(othersIn(got)).toEqual(othersIn(expected))
        expect(got.at(-1)).toEqual(expected.at(-1))
        expect(lossIn(got)).toBe(2)
        expect(client.state[0].lastEventId).toBe('s:e:11:v')
      }),
      { numRuns: runs(300) },
    )
  })

  it('encodes the events of a batch, and nothing for hidden ones beside them', () => {
    const checkpoint = { ...delta(1), kind: 'internal:checkpoint', iteration: 1 } as const
    const message = (seq: number, event: ContextAnyEvent): string =>
      `id: s:e:${seq}\ndata: ${JSON.stringify(event)}\n\n`
    const all = { viewer: 'all' } as const
    expect(encodeBatch({ ...batch(-1, 1), events: [delta(0), checkpoint] }, all)).toBe(
      `event: content-delta\n${message(0, delta(0))}event: checkpoint\n${message(1, checkpoint)}`,
    )
    const part = batch(-1, 3, { events: [delta(1)], seqs: [1] })
    expect(encodeBatch(part, { ...all, profile: 'data-only' })).toBe(message(1, delta(1)))
    const none = batch(1, 3, { events: [], seqs: [] })
    expect(encodeBatch(none, all)).toBe('id: s:e:3\n\n')
    const client = run(batchDecoder())
    expect([part, none].flatMap((one) => client.push(encodeBatch(one, all)))).toEqual([
      batch(-1, 1, { events: [delta(1)], seqs: [1], merged: true }),
      { ...none, merged: true },
    ])
  })

  test.each(['named', 'data-only'] as const)(
    'encodes messages about the stream in the profile %s',
    (profile) => {
      const part = batch(-1, 0, { loss: { 'thought-delta': 3 }, closed: true })
      const name = (text: string): string => (profile === 'named' ? `event: ${text}\n` : '')
      expect(encodeBatch(part, { viewer: 'all', profile })).toBe(
        `${name('stream-loss')}data: {"type":"loss","loss":{"thought-delta":3}}\n\n` +
          `${name('content-delta')}id: s:e:0\ndata: ${JSON.stringify(delta(0))}\n\n` +
          `${name('stream-closed')}id: s:e:0\ndata: {"type":"closed"}\n\n`,
      )
      expect(encodeBatch(reset(3), { viewer: 'all', profile })).toBe(
        `${name('stream-reset')}id: s:e:3\ndata: ${JSON.stringify(reset(3))}\n\n`,
      )
      const client = run(pipe(batchDecoder(), receiver()))
      const received = [part, reset(3)].flatMap((part) =>
        client.push(encodeBatch(part, { viewer: 'all', profile })),
      )
      expect(received.map((one) => one.type)).toEqual(['events', 'closed', 'reset'])
    },
  )

  const forgeries: readonly object[] = [
    { type: 'closed' },
    { type: 'loss', loss: { 'thought-stream': 1 } },
    { ...reset(90) },
  ]
  test.each(forgeries)('does not mistake an event for a message about the stream: %j', (fake) => {
    for (const kind of ['x', 'content-delta', '__proto__']) {
      const diagnostics: string[] = []
      const client = run(pipe(batchDecoder(), receiver()), {
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic.code),
      })
      const forged = { ...batch(-1, 1), events: [{ ...fake, kind } as never, delta(1)] }
      const got = client.push(encodeBatch(forged, { viewer: 'all', profile: 'data-only' }))
      expect(eventsIn(got)).toEqual([delta(1)])
      expect(got.at(-1)).toMatchObject({ type: 'events', cursor: at(1) })
      expect(diagnostics).toEqual(['invalid-event'])
    }
  })

  it('encodes no event under the name of a message about the stream', () => {
    const events = Object.values(streamMessageNames).flatMap((name) => [name, `internal:${name}`])
    const kinds = [...events, 'content-delta'].map((kind) => ({ kind }))
    const part = { ...batch(-1, 6), events: kinds }
    const names = encodeBatch(part as unknown as Batch, { viewer: 'all' }).match(/^event: .*$/gm)
    expect(names).toEqual(['event: content-delta'])
  })

  it('accepts a reset with an unknown reason, and with a filter of null', () => {
    const data = { ...reset(7), reason: 'slow-consumer', filter: null }
    const client = run(pipe(batchDecoder(), receiver()))
    client.push(encodeBatch(batch(-1, 1), { viewer: 'all' }))
    expect(client.push(`id: s:e:7\ndata: ${JSON.stringify(data)}\n\n`)).toEqual([
      { type: 'reset', reason: 'slow-consumer', cursor: at(7) },
    ])
    expect(client.push(encodeBatch(batch(7, 8), { viewer: 'all' }))).toMatchObject([
      { type: 'events', cursor: at(8) },
    ])
  })

  it('keeps its position over broken connections, even over empty ones', () => {
    const client = run(pipe(batchDecoder(), receiver()))
    const header = (): string => client.state[0].lastEventId
    const first = encodeBatch(log.read(), { viewer: 'all' })
    client.push(first.slice(0, first.length - 20))
    client.end()
    expect(header()).toBe('s:e:2')
    client.end()
    expect(header()).toBe('s:e:2')
    expect(client.push(encodeBatch(log.read(header()), { viewer: 'all' }))).toEqual([
      { type: 'events', events: [delta(3)], cursor: at(3) },
    ])
    client.end()
    expect(client.push(encodeBatch(closedLogOf(4).read(header()), { viewer: 'all' }))).toEqual([
      { type: 'closed', cursor: at(3) },
    ])
  })

  it('continues from a stored cursor', () => {
    const client = run(pipe(batchDecoder({ cursor: at(1) }), receiver({ cursor: at(1) })))
    const header = client.state[0].lastEventId
    expect(client.push(encodeBatch(log.read(header), { viewer: 'all' }))).toEqual([
      { type: 'events', events: [delta(2), delta(3)], cursor: at(3) },
    ])
    expect(() => batchDecoder({ cursor: { ...at(1), epoch: '' } })).toThrow(TypeError)
  })

  test.each([{ epoch: 'f' }, { filter: 'v' }, { stream: 't' }])(
    'starts a new batch for %j, even within one chunk',
    (another) => {
      const [first, second] = [batch(-1, 1), batch(1, 2, another)].map((part) =>
        encodeBatch(part, { viewer: 'all' }),
      )
      const whole = run(pipe(batchDecoder(), receiver()))
      expect(whole.push(`${first}${second}`).map(textOf)).toEqual(['events 0 1 → 1', 'gap 1 ≠ 1'])
      const cut = run(pipe(batchDecoder(), receiver()))
      cut.push(String(first))
      expect(cut.push(String(second)).map(textOf)).toEqual(['gap 1 ≠ 1'])
    },
  )

  it('does not mistake a step back for new events', () => {
    const client = run(pipe(batchDecoder(), receiver()))
    client.push(encodeBatch(batch(-1, 3), { viewer: 'all' }))
    expect(client.push(encodeBatch(batch(1, 3), { viewer: 'all' })).map(textOf)).toEqual(['duplicate → 3'])
  })

  it('keeps the losses of batches without events separate', () => {
    const lossy = (after: number, through: number) =>
      batch(after, through, { seqs: [], loss: { 'thought-delta': through - after } })
    const client = run(pipe(batchDecoder(), receiver()))
    const received = client.push(
      encodeBatch(lossy(-1, 1), { viewer: 'all' }) + encodeBatch(lossy(1, 4), { viewer: 'all' }),
    )
    expect(received.map((one) => [one.cursor?.seq, 'loss' in one && one.loss])).toEqual([
      [1, { 'thought-delta': 2 }],
      [4, { 'thought-delta': 3 }],
    ])
  })

  it('discards a loss whose batch did not arrive', () => {
    const client = run(batchDecoder())
    client.push(encodeBatch(batch(-1, 0, { loss: { 'thought-stream': 1 } }), { viewer: 'all' }).slice(0, 90))
    expect(client.state).toMatchObject({ progress: { loss: { 'thought-stream': 1 } } })
    client.end()
    expect(client.state).toHaveProperty('progress', {})
    client.push(encodeBatch(batch(-1, 0), { viewer: 'all' }))
    client.push(encodeBatch(batch(0, 1, { loss: { 'thought-stream': 1 } }), { viewer: 'all' }).slice(0, 90))
    expect(client.state).toMatchObject({ cursor: at(0), progress: { loss: { 'thought-stream': 1 } } })
    client.end()
    expect(client.push(encodeBatch(batch(0, 1), { viewer: 'all' }))).toEqual([batch(0, 1)])
  })

  const event = JSON.stringify(delta(0))
  const broken: readonly [string, string, readonly string[], number][] = [
    [
      'an unknown kind',
      `id: s:e:0\ndata: ${event.replace('content-delta', 'content-spark')}\n\n`,
      ['unknown-kind'],
      0,
    ],
    [
      'an invalid event',
      `id: s:e:0\ndata: ${event.replace('"index":0', '"index":-1')}\n\n`,
      ['invalid-event'],
      0,
    ],
    ['invalid JSON', 'id: s:e:0\ndata: {\n\n', ['invalid-event'], 0],
    ['a reset without a reason', 'id: s:e:0\ndata: {"type":"reset"}\n\n', ['incomplete-reset'], 0],
    [
      'a reset with an invalid position',
      `id: s:e:0\ndata: ${JSON.stringify(reset(0.5))}\n\n`,
      ['incomplete-reset'],
      0,
    ],
    ['a loss without counts', 'data: {"type":"loss","loss":{"a":-1}}\n\n', ['invalid-event'], -1],
    ['an event without an id', `data: ${event}\n\n`, ['no-event-id'], -1],
    ['an id in another format', `id: 7\ndata: ${event}\n\n`, ['no-event-id'], -1],
    ['an id in another format without an event', 'id: 7\n\n', ['no-event-id'], -1],
  ]
  test.each(broken)('reports %s and continues', (_, text, codes, through) => {
    const seen: string[] = []
    const client = run(batchDecoder(), { onDiagnostic: (diagnostic) => seen.push(diagnostic.code) })
    const out = client.push(text)
    expect(seen).toEqual(codes)
    expect(out.map((part) => part.through)).toEqual(through === -1 ? [] : [through])
    const next = client.push(`id: s:e:1\ndata: ${event}\n\n`)
    // Nothing is emitted after a reset that was dropped.
    expect(next).toHaveLength(codes.includes('incomplete-reset') ? 0 : 1)
    const fresh = run(receiver())
    expect(eventsIn(next.flatMap((part) => fresh.push(part as Batch)))).toHaveLength(through === -1 ? 1 : 0)
    expect(client.state.cursor).toEqual(at(1))
  })

  it('reports dropped events as detail', () => {
    const diagnostics: unknown[] = []
    const client = run(batchDecoder(), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic.detail) })
    const unknown = { ...delta(0), kind: 'content-spark' }
    client.push(`id: s:e:0\ndata: ${JSON.stringify(unknown)}\n\n`)
    client.push(`data: ${event}\n\n`)
    expect(diagnostics).toEqual([unknown, delta(0)])
    const keeping = run(batchDecoder({ keepUnknown: true }))
    expect(keeping.push(`id: s:e:0\ndata: ${JSON.stringify(unknown)}\n\n`)).toMatchObject([
      { events: [unknown], seqs: [0] },
    ])
  })
})

function eventsIn(received: readonly Received[]): unknown[] {
  return received.flatMap((one) => (one.type === 'events' ? one.events : []))
}

function othersIn(received: readonly Received[]): Received[] {
  return received.filter((one) => one.type !== 'events')
}

function lossIn(received: readonly Received[]): number {
  const losses = received.flatMap((one) => (one.type === 'events' && one.loss ? Object.values(one.loss) : []))
  return losses.reduce((sum, count) => sum + count, 0)
}

it('a chunk of a great many messages is read, whatever they are', () => {
  const codes = new Map<string, number>()
  const decoder = run(batchDecoder(), {
    onDiagnostic: ({ code }) => codes.set(code, (codes.get(code) ?? 0) + 1),
  })
  expect(decoder.push('data:[DONE]\n\n'.repeat(200_000))).toEqual([])
  expect([...codes]).toEqual([['done', 200_000]])
})

describe('a reset of several messages', () => {
  const large = (index: number) => ({ ...delta(index), delta: `${index}`.padEnd(100_000, '.') })
  const events = Array.from({ length: 9 }, (_, index) => large(index))
  const text = encodeBatch(reset(9, { events }), { viewer: 'all' })
  const messages = text.split(/(?<=\n\n)/)
  const decode = (chunks: readonly string[], options: Parameters<typeof batchDecoder>[0] = {}) => {
    const diagnostics: string[] = []
    const client = run(batchDecoder(options), { onDiagnostic: ({ code }) => diagnostics.push(code) })
    return { out: chunks.flatMap((chunk) => client.push(chunk)), diagnostics, client }
  }

  it('has an id on the last one only, and each is within the default limit', () => {
    expect(messages.length).toBe(5)
    for (const [i, message] of messages.entries()) {
      expect(message.length).toBeLessThan(2 ** 18 + 1000)
      expect(message.includes('\nid: ')).toBe(i === 4)
      expect(message.includes('"more":true')).toBe(i !== 4)
    }
  })

  it('has no empty message before a large event', () => {
    const event = { ...delta(0), delta: '.'.repeat(300_000) }
    const alone = encodeBatch(reset(9, { events: [event, delta(1)] }), { viewer: 'all' }).split(/(?<=\n\n)/)
    expect(alone.map((message) => message.includes('"events":[{'))).toEqual([true, true])
  })

  it('is one reset, however it is cut', () => {
    const { out, diagnostics, client } = decode(
      Array.from({ length: 20 }, (_, n) => text.slice(n * 50_000, (n + 1) * 50_000)),
    )
    expect(out).toEqual([reset(9, { events })])
    expect(diagnostics).toEqual([])
    expect(client.state.lastEventId).toBe('s:e:9')
  })

  it('is dropped if the connection breaks, and comes again on the next one', () => {
    const { out, client } = decode(messages.slice(0, 3))
    expect(out).toEqual([])
    expect(client.state).toHaveProperty('progress.reset')
    client.end()
    expect(client.state).toMatchObject({ lastEventId: '' })
    expect(client.state).toHaveProperty('progress', {})
    expect(client.push(text)).toEqual([reset(9, { events })])
  })

  it('copies few of the events before for each message', () => {
    const parts = Array.from({ length: 4000 }, (_, part) => {
      const data = { ...reset(9, { events: [delta(part)] }), part, more: part < 3999 }
      return `data: ${JSON.stringify(data)}\n\n`
    })
    const { out } = decode(parts)
    expect(out).toMatchObject([{ type: 'reset', events: { length: 4000 } }])
  })

  const of = (index: number): string => messages[index] ?? ''
  const bare = reset(9)
  const gap = (seq: number): Batch => batch(seq, seq)
  const later = encodeBatch(batch(9, 10), { viewer: 'all' })
  it.each<[string, string[], unknown[], string[]]>([
    ['a missing part', [of(0), of(2), of(3), of(4)], [gap(9)], ['incomplete-reset']],
    ['a missing first part', [of(1), of(2), of(3), of(4)], [gap(9)], ['incomplete-reset']],
    ['a missing last part', [of(0), of(1), of(2), of(3), later], [gap(9)], ['incomplete-reset']],
    ['a repeated start', [of(0), of(1), ...messages], [reset(9, { events })], ['incomplete-reset']],
    [
      'another message in between',
      [of(0), encodeBatch(batch(-1, 0), { viewer: 'all' })],
      [gap(9)],
      ['incomplete-reset'],
    ],
    [
      'a part of another reset',
      [of(0), of(1).replace('"through":9', '"through":8'), of(2), of(3), of(4)],
      [gap(8)],
      ['incomplete-reset', 'incomplete-reset'],
    ],
  ])('reports %s', (_, chunks, out, diagnostics) => {
    const got = decode(chunks)
    expect(got.out).toEqual(out)
    expect(got.diagnostics).toEqual(diagnostics)
  })

  it('is emitted whole, or is a gap and comes again, whatever is lost of it', () => {
    const starts = fc.constantFrom(undefined, -1, 3, 9, 10, 50)
    const sources = fc.constantFrom(source, { ...source, epoch: 'd' }, { ...source, filter: 'f' })
    const fates = fc.array(fc.constantFrom('comes', 'is lost', 'is too large'), {
      minLength: messages.length,
      maxLength: messages.length,
    })
    fc.assert(
      fc.property(starts, sources, fates, fc.boolean(), fc.boolean(), (seq, from, plan, close, oneChunk) => {
        const cursor = seq === undefined ? undefined : { ...from, seq }
        const next = encodeBatch({ ...batch(9, 10), ...(close && { closed: true }) }, { viewer: 'all' })
        const parts = messages.flatMap((message, i) =>
          plan[i] === 'comes'
            ? [message]
            : plan[i] === 'is lost'
              ? []
              : [message.replace(/^data: .*$/m, `data: ${'.'.repeat(300_000)}`)],
        )
        const start = { ...(cursor && { cursor }) }
        const client = run(pipe(batchDecoder({ ...start, maxMessageSize: 290_000 }), receiver(start)))
        const chunks = oneChunk ? [[...parts, next].join('')] : [...parts, next]
        const out = chunks.flatMap((chunk) => client.push(chunk))
        const types = out.map(({ type }) => type)
        client.end()
        const [{ lastEventId }] = client.state
        if (plan.every((fate) => fate === 'comes')) {
          expect(types).toEqual(['reset', 'events', ...(close ? ['closed'] : [])])
        } else if (plan.some((fate) => fate === 'comes')) {
          // To a receiver, the reset is a gap, whatever comes then: it reconnects where it was.
          expect([out[0]?.type, out[0]?.cursor, types.includes('reset')]).toEqual(['gap', cursor, false])
          expect(lastEventId).toBe(cursor === undefined ? '' : formatEventId(cursor))
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('is emitted without events above maxSnapshotSize', () => {
    for (const chunks of [
      messages,
      [encodeBatch(reset(9, { events: events.slice(0, 1) }), { viewer: 'all' })],
    ]) {
      const { out, diagnostics } = decode(chunks, { maxSnapshotSize: 90_000 })
      expect([out, diagnostics]).toEqual([[bare], ['snapshot-too-large']])
    }
    expect(decode(messages, { maxSnapshotSize: 1_000_000 }).out).toEqual([reset(9, { events })])
  })

  it('has validated events', () => {
    const unknown = { ...delta(0), kind: 'content-spark' }
    const nulls = { ...delta(2), indexEnd: null }
    const mixed = [delta(0), unknown, { kind: 'content-delta' }, 'nonsense', nulls] as never
    const wire = encodeBatch({ ...reset(9), events: [] }, { viewer: 'all' }).replace(
      '"events":[]',
      `"events":${JSON.stringify(mixed)}`,
    )
    const strict = decode([wire])
    expect(strict.out).toEqual([reset(9, { events: [delta(0), delta(2)] })])
    expect(strict.diagnostics).toEqual(['unknown-kind', 'invalid-event', 'invalid-event'])
    expect(decode([wire], { keepUnknown: true }).out).toEqual([
      { ...bare, events: [delta(0), unknown, delta(2)] },
    ])
  })

  it('has internal events only with the option "internal"', () => {
    const internal = { ...delta(0), kind: 'internal:checkpoint', iteration: 1 } as const
    const part = reset(9, { events: [internal, delta(1)] })
    expect(decode([encodeBatch(part, { viewer: 'all' })]).out).toEqual([part])
  })
})
