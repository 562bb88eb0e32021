/** A2A: one task of our events to the items of a stream, and back. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import {
  type A2aEvent,
  type A2aVersion,
  fromA2a,
  type ToA2aOptions,
  toA2a,
} from '../src/dialects/a2a/index.ts'
import { type ContextAnyEvent, decodeEvent, run } from '../src/index.ts'
import { makeEvents } from './data.ts'
import { nsPer, type Row, race, ratio, type Timing } from './harness.ts'

/** A task of this length is a long one. */
const COUNT = 20_000

export async function bench(rounds: number): Promise<Row[]> {
  const events = oneTask(makeEvents(COUNT, 'ascii'))
  const map = <V extends A2aVersion>(options: ToA2aOptions<V>): A2aEvent<V>[] => {
    const mapper = run(toA2a(options))
    return [...events.flatMap((event) => mapper.push(event)), ...mapper.end({ unfinished: 'keep' })]
  }
  const readBack = (items: readonly unknown[]): ContextAnyEvent[] => {
    const reader = run(fromA2a())
    return items.flatMap((item) => reader.push(item))
  }
  const extended = map({ version: '1.0', extension: true })
  deepStrictEqual(readBack(extended), events)
  deepStrictEqual(readBack(map({ version: '0.3', extension: true })), events)
  const plain = map({ version: '1.0' })
  strictEqual(map({ version: '0.3' }).length, plain.length)

  const times = await race(rounds, {
    decode: () => events.reduce((sum, event) => sum + decodeEvent(event).status.length, 0),
    v03: () => map({ version: '0.3' }).length,
    v1: () => map({ version: '1.0' }).length,
    extension: () => map({ version: '1.0', extension: true }).length,
    back: () => readBack(plain).length,
    backExtension: () => readBack(extended).length,
  })
  const rowOf = (what: string, time: Timing): Row => ({
    what,
    measured: `${Math.round(COUNT / time.median)} thousand events/s, ${nsPer('event', time, COUNT)}`,
    ratio: { ...ratio(time, times.decode), against: 'decodeEvent alone' },
  })
  return [
    rowOf('`toA2a`, version 0.3', times.v03),
    rowOf('`toA2a`, version 1.0', times.v1),
    rowOf('`toA2a`, version 1.0 with the extension', times.extension),
    rowOf('`fromA2a`', times.back),
    rowOf('`fromA2a` with the extension', times.backExtension),
  ]
}

/** The turns of a conversation as one task, which begins and does not end. */
function oneTask(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const [first] = events
  if (first === undefined) return []
  const { contextId, taskId, timestamp } = first
  const created: ContextAnyEvent = { kind: 'task-created', initiator: 'user', contextId, taskId, timestamp }
  const rest = events
    .filter(({ kind }) => kind !== 'task-created' && kind !== 'task-complete')
    .filter((event) => event.kind !== 'task-status' || event.status === 'working')
    .map((event) => ({ ...event, taskId }))
  return [created, ...rest].slice(0, COUNT)
}
