/** The session protocol: decoding and verifying its events, and mapping core events to them and back. */
import { deepStrictEqual } from 'node:assert'
import {
  decodeSessionEvent,
  fromSessionEvents,
  type SessionEvent,
  sessionVerifier,
  toSessionEvents,
} from '../src/dialects/session/index.ts'
import { type ContextAnyEvent, run } from '../src/index.ts'
import { makeEvents } from './data.ts'
import { difference, nsPer, type Row, race, ratio } from './harness.ts'

const COUNT = 50_000

export async function bench(rounds: number): Promise<Row[]> {
  const events = asRounds(makeEvents(COUNT, 'ascii'))
  const toSession = (): SessionEvent[] => {
    const { push, end } = run(toSessionEvents())
    return [...events.flatMap((event) => [...push(event)]), ...end()]
  }
  const sent = toSession()
  const fromSession = (): ContextAnyEvent[] => {
    const { push, end } = run(fromSessionEvents())
    return [...sent.flatMap((event) => [...push(event)]), ...end()]
  }
  const lines = sent.map((event) => JSON.stringify(event))
  const parse = (line: string): { event?: unknown } => JSON.parse(line)
  const decode = (line: string): { event?: unknown } => {
    const decoded = decodeSessionEvent(JSON.parse(line), { direction: 'server' })
    return decoded.status === 'known' ? decoded.event : {}
  }
  const decodeLoosely = (line: string): { event?: unknown } => {
    const decoded = decodeSessionEvent(JSON.parse(line), { direction: 'server', mode: 'lenient' })
    return decoded.status === 'known' ? decoded.event : {}
  }
  const violations = (): string[] => {
    const { push } = run(sessionVerifier({ direction: 'server', startIndex: 1 }))
    return sent.flatMap((event) => push(event).map(({ rule }) => rule))
  }
  deepStrictEqual(fromSession(), events)
  deepStrictEqual(lines.map(decode), sent)
  deepStrictEqual(lines.map(decodeLoosely), sent)
  deepStrictEqual(violations(), [])

  const sum = (way: (line: string) => { event?: unknown }): number =>
    lines.reduce((total, line) => total + String(way(line).event).length, 0)
  const times = await race(rounds, {
    parse: () => sum(parse),
    decode: () => sum(decode),
    loosely: () => sum(decodeLoosely),
    verify: () => violations().length,
    from: () => fromSession().length,
    to: () => toSession().length,
  })
  return [
    {
      what: 'validating one freshly parsed session event',
      measured: `${nsPer('event', difference(times.decode, times.parse), sent.length)}; parsing it ${nsPer('event', times.parse, sent.length)}`,
      ratio: { ...ratio(times.decode, times.parse), against: 'JSON.parse, which is included' },
    },
    {
      what: 'the same in lenient mode',
      measured: nsPer('event', difference(times.loosely, times.parse), sent.length),
      ratio: { ...ratio(times.loosely, times.decode), against: 'strict mode' },
    },
    { what: '`sessionVerifier`', measured: nsPer('event', times.verify, sent.length) },
    { what: '`fromSessionEvents`', measured: nsPer('event', times.from, sent.length) },
    { what: '`toSessionEvents`', measured: nsPer('event', times.to, events.length) },
  ]
}

/** The turns of a conversation as tasks with start and end, without kinds the protocol has no equivalent for. */
function asRounds(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const unfinished = events.at(-1)?.taskId
  const mapped = events.filter(({ kind, taskId }) => kind !== 'thought-delta' && taskId !== unfinished)
  let text = ''
  const legal = (event: ContextAnyEvent): ContextAnyEvent => {
    if (event.kind === 'thought-stream') return { ...event, index: 0 }
    if (event.kind === 'content-delta') text = event.index === 0 ? event.delta : text + event.delta
    return event.kind === 'content-complete' ? { ...event, content: text } : event
  }
  return mapped.flatMap((event, i): ContextAnyEvent[] => {
    const { contextId, taskId, timestamp } = event
    const around = { contextId, taskId, timestamp }
    const begins = mapped[i - 1]?.taskId !== taskId
    const ends = mapped[i + 1]?.taskId !== taskId
    return [
      ...(begins ? [{ kind: 'task-created', initiator: 'user', ...around } as const] : []),
      legal(event),
      ...(ends ? [{ kind: 'task-status', status: 'completed', ...around } as const] : []),
    ]
  })
}
