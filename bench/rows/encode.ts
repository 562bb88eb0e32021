/** Writing: events to SSE. */
import { strictEqual } from 'node:assert'
import type { ContextAnyEvent } from '../src/index.ts'
import { encodeEvent } from '../src/sse/index.ts'
import { EVENTS, makeEvents, sseOf } from './data.ts'
import { nsPer, type Row, race, ratio, type Timing } from './harness.ts'

const slab = new Uint8Array(65_536)
const encoder = new TextEncoder()

type Write = (event: ContextAnyEvent, id: string) => string

const plain: Write = (event) => JSON.stringify(event)
const ours: Write = (event) => encodeEvent(event)
const oursWithId: Write = (event, id) => encodeEvent(event, { id })

export async function bench(rounds: number): Promise<Row[]> {
  const events = makeEvents(EVENTS, 'ascii')
  const ids = events.map((_, number) => `${number}`)
  const write = (way: Write, measure: (text: string) => number): number => {
    let sum = 0
    for (let i = 0; i < events.length; i++)
      sum += measure(way(events[i] as ContextAnyEvent, ids[i] as string))
    return sum
  }
  const stream = sseOf(events)
  strictEqual(events.map((event, i) => oursWithId(event, ids[i] as string)).join(''), stream)
  strictEqual(events.map((event) => ours(event, '')).join(''), stream.replace(/^id: .*\n/gm, ''))

  const times = await race(rounds, {
    plain: () => write(plain, lengthOf),
    ours: () => write(ours, lengthOf),
    withId: () => write(oursWithId, lengthOf),
    plainBytes: () => write(plain, writeBytes),
    withIdBytes: () => write(oursWithId, writeBytes),
  })
  const rowOf = (what: string, time: Timing): Row => {
    const whole = ratio(time, times.plain)
    return {
      what,
      measured: `${nsPer('event', time, EVENTS)}; JSON.stringify ${nsPer('event', times.plain, EVENTS)}`,
      ratio: { ...whole, against: 'JSON.stringify alone' },
      budget: { figure: whole.typical, bound: 'at most', limit: 1.15, unit: 'x' },
    }
  }
  return [
    rowOf('`encodeEvent`', times.ours),
    rowOf('`encodeEvent` with an id', times.withId),
    {
      // A joined text is put together only when somebody reads it, which writing bytes does.
      what: '`encodeEvent` with an id, and `TextEncoder.encodeInto` a buffer',
      measured: nsPer('event', times.withIdBytes, EVENTS),
      ratio: { ...ratio(times.withIdBytes, times.plainBytes), against: 'JSON.stringify and encodeInto' },
    },
  ]
}

function lengthOf(text: string): number {
  return text.length
}

function writeBytes(text: string): number {
  return encoder.encodeInto(text, slab).written
}
