// The receiver passes each event once, the outbox keeps unacknowledged events, and replay selects missed ones.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Diagnostic, run } from '../../../src/core/machine.ts'
import { parseSessionEventId } from '../../../src/dialects/session/delivery/event-id.ts'
import type { ReceiverState } from '../../../src/dialects/session/delivery/receiver.ts'
import {
  type DeliveredEvent,
  formatSessionEventId,
  readSessionAck,
  restampSessionEvent,
  selectReplay,
  sessionOutbox,
  sessionReceiver,
  upsertSessionEvent,
} from '../../../src/dialects/session/index.ts'

const sent = (seq: number, connection = 'c-1', more: object = {}): DeliveredEvent => ({
  event: 'agent.thinking',
  seq,
  event_id: `${connection}-${seq}`,
  ...more,
})
const ack = (content: unknown): DeliveredEvent => ({ event: 'user.ack', content })
const seqs = (events: readonly DeliveredEvent[]): unknown[] => events.map(({ seq }) => seq)

function receive(events: readonly DeliveredEvent[], window?: number) {
  const diagnostics: Diagnostic[] = []
  const receiver = run(sessionReceiver(window === undefined ? {} : { window }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const out = events.flatMap((event) => [...receiver.push(event)])
  return {
    out: [...out, ...receiver.end()],
    diagnostics: diagnostics.map(({ code }) => code),
    state: receiver.state as unknown as ReceiverState,
  }
}

describe('an event id', () => {
  it.each([
    ['c-1', { connection: 'c', seq: 1 }],
    ['a-b-c-20', { connection: 'a-b-c', seq: 20 }],
    ['-1', undefined],
    ['c-', undefined],
    ['c', undefined],
    ['c-1x', undefined],
    ['c-99999999999999999', undefined],
    [7, undefined],
  ])('parses %j', (text, id) => {
    expect(parseSessionEventId(text)).toEqual(id)
  })

  it('parses as it was formatted', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (connection, seq) => {
        expect(parseSessionEventId(formatSessionEventId({ connection, seq }))).toEqual({ connection, seq })
      }),
    )
  })
})

describe('an acknowledgement', () => {
  it.each([
    [{ last_seq: 4 }, 4],
    [{ last_seq: '4' }, 4],
    [4, 4],
    ['4', 4],
    [{ last_event_id: 'c-1-5' }, 5],
    [{ last_seq: -1 }, undefined],
    ['four', undefined],
    [{}, undefined],
    [null, undefined],
  ])('%j acknowledges %j', (content, seq) => {
    expect(readSessionAck(ack(content))).toBe(seq)
  })
})

describe('the receiver', () => {
  it('passes on events with gaps and late events', () => {
    const { out, diagnostics, state } = receive([sent(1), sent(2), sent(5), sent(9), sent(4), sent(7)])
    expect(seqs(out)).toEqual([1, 2, 5, 9, 4, 7])
    expect(diagnostics).toEqual([])
    expect(state).toMatchObject({
      highest: 9,
      late: 2,
      missing: [
        [3, 3],
        [6, 6],
        [8, 8],
      ],
    })
  })

  it('tracks exactly the missing numbers in any order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (numbers) => {
        const { state } = receive([sent(0), ...numbers.map((seq) => sent(seq))])
        const missing = state.missing.flatMap(([a, b]) => Array.from({ length: b - a + 1 }, (_, i) => a + i))
        const came = new Set([0, ...numbers])
        const expected = Array.from({ length: state.highest + 1 }, (_, i) => i).filter(
          (seq) => !came.has(seq),
        )
        expect(missing.sort((a, b) => a - b)).toEqual(expected)
      }),
    )
  })

  it('drops duplicates, including replays', () => {
    const replayed = sent(2, 'c-2', { metadata: { orig_event_id: 'c-1-1' } })
    const { out, diagnostics } = receive([sent(1), sent(1), replayed, sent(3, 'c-2')])
    expect(out.map((event) => event.event_id)).toEqual(['c-1-1', 'c-2-3'])
    expect(diagnostics).toEqual(['duplicate', 'duplicate'])
  })

  it('restarts with another connection or epoch', () => {
    expect(receive([sent(7), sent(1, 'c-2')]).state).toMatchObject({ source: 'c-2', highest: 1, missing: [] })
    expect(receive([sent(7, 'c-1', { epoch: 'a' }), sent(1, 'c-1', { epoch: 'b' })]).state.highest).toBe(1)
  })

  it('passes on events without a number', () => {
    const bare = { event: 'agent.thinking' }
    expect(receive([bare, bare]).out).toEqual([bare, bare])
  })

  it('has bounded state', () => {
    const { out, state } = receive([sent(1), sent(2), sent(3), sent(1)], 2)
    // At least the latest two, at most twice as many.
    expect(seqs(out)).toEqual([1, 2, 3])
    const long = receive([...Array.from({ length: 9 }, (_, i) => sent(i)), sent(1)], 2)
    expect(seqs(long.out).at(-1)).toBe(1)
    expect(JSON.stringify(long.state).length).toBeLessThan(2 * JSON.stringify(state).length)
    const holes = receive(Array.from({ length: 300 }, (_, i) => sent(2 * i)))
    expect(holes.state.missing).toHaveLength(256)
    expect(holes.diagnostics).toEqual(Array.from({ length: 43 }, () => 'gap-evicted'))
  })

  it('requires a window of at least 1', () => {
    expect(() => sessionReceiver({ window: 0 })).toThrow(TypeError)
  })
})

describe('the outbox', () => {
  function send(events: readonly DeliveredEvent[], limit?: number) {
    const diagnostics: Diagnostic[] = []
    const outbox = run(sessionOutbox(limit === undefined ? {} : { limit }), {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    })
    for (const event of events) outbox.push(event)
    outbox.end()
    return { ...outbox.state, diagnostics }
  }

  it.each([
    ['drops acknowledged events', [sent(1), sent(2), sent(3), ack({ last_seq: 2 })], [3], 2, []],
    ['ignores a stale acknowledgement', [sent(1), sent(2), ack(2), ack(1)], [], 2, ['stale-ack']],
    [
      'treats an acknowledgement ahead as one of all sent events',
      [sent(1), ack(9), sent(2)],
      [2],
      1,
      ['ack-ahead'],
    ],
    ['ignores an unreadable acknowledgement', [sent(1), ack({})], [1], -1, ['unreadable-ack']],
    ['does not keep an event without a number', [{ event: 'agent.thinking' }], [], -1, ['not-numbered']],
    ['does not keep client events', [{ event: 'user.message' }], [], -1, []],
  ] as const)('%s', (_, events, kept, acked, codes) => {
    const state = send(events)
    expect(seqs(state.kept)).toEqual(kept)
    expect(state.acked).toBe(acked)
    expect(state.diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  it('keeps at most its limit of events', () => {
    const { kept, diagnostics } = send([sent(1), sent(2), sent(3)], 2)
    expect(seqs(kept)).toEqual([2, 3])
    expect(diagnostics).toMatchObject([{ code: 'evicted', detail: { seq: 1 } }])
    expect(() => sessionOutbox({ limit: 0 })).toThrow(TypeError)
  })
})

describe('a replay', () => {
  const kept = [sent(8), sent(9), sent(10), sent(9, 'c-2'), { event: 'agent.thinking' }]
  it.each([
    ['starts after a number', { last_seq: 8 }, [9, 10, 9, undefined], 0],
    ['starts after an event of one connection', { last_event_id: 'c-1-8' }, [9, 10], 0],
    ['prefers the event id over the number', { last_event_id: 'c-1-9', last_seq: 0 }, [10], 0],
    ['uses the number if the event id is invalid', { last_event_id: 'c', last_seq: 9 }, [10, undefined], 0],
    ['has all events without a position', {}, [8, 9, 10, 9, undefined], 0],
    ['is empty for an unknown connection', { last_event_id: 'c-3-1' }, [], 0],
  ])('%s', (_, cursor, expected, skipped) => {
    const replay = selectReplay(kept, cursor)
    expect(seqs(replay.events)).toEqual(expected)
    expect(replay.skipped).toBe(skipped)
  })

  it('has the newest events up to the limit, and the number skipped', () => {
    const replay = selectReplay(
      Array.from({ length: 250 }, (_, i) => sent(i)),
      { last_seq: 9 },
    )
    expect(replay.skipped).toBe(40)
    expect([replay.events.length, replay.events[0]?.seq]).toEqual([200, 50])
  })

  it('keeps the first position of an event', () => {
    const once = restampSessionEvent(sent(4, 'c-1', { metadata: { a: 1 } }), {
      session_id: 's-2',
      seq: 1,
      event_id: 'c-2-1',
    })
    expect(once).toMatchObject({ session_id: 's-2', seq: 1, event_id: 'c-2-1' })
    expect(once.metadata).toEqual({ a: 1, orig_seq: 4, orig_event_id: 'c-1-4' })
    const again = restampSessionEvent(once, { session_id: 's-3', seq: 2, event_id: 'c-3-2' })
    expect(again.metadata).toEqual(once.metadata)
    expect(restampSessionEvent({ event: 'x' }, { session_id: 's', seq: 0, event_id: 'c-0' })).toMatchObject({
      metadata: {},
    })
  })

  it('replaces the event with the same id in a list', () => {
    const other = sent(2, 'c-1', { content: 'new' })
    expect(upsertSessionEvent([sent(1), sent(2), sent(3)], other)).toEqual([sent(1), other, sent(3)])
    expect(upsertSessionEvent([sent(2), sent(1)], other)).toEqual([other, sent(1)])
    expect(upsertSessionEvent([sent(1)], sent(2))).toHaveLength(2)
    expect(upsertSessionEvent([{ event: 'x' }], { event: 'x' })).toHaveLength(2)
  })
})
