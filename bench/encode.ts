/** Writing: events to SSE. */
import { strictEqual } from 'node:assert'
import type { ContextAnyEvent } from '../src/index.ts'
import { encodeEvent } from '../src/sse/index.ts'
import { EVENTS, makeEvents, sseOf } from './data.ts'
import { nsPer, type Row, race, ratio } from './harness.ts'

const slab = new Uint8Array(65_536)
const encoder = new TextEncoder()

type Write = (event: ContextAnyEvent, number: number) => string

const ours: Write = (event, number) => encodeEvent(event, { id: `${number}` })
const plain: Write = (event) => JSON.stringify(event)

export async function bench(rounds: number): Promise<Row[]> {
  const events = makeEvents(EVENTS, 'ascii')
  strictEqual(events.map(ours).join(''), sseOf(events))

  // A joined text is put together only when somebody reads it, which writing bytes does.
  const times = await race(rounds, {
    ours: () => total(events, ours, lengthOf),
    plain: () => total(events, plain, lengthOf),
    oursBytes: () => total(events, ours, writeBytes),
    plainBytes: () => total(events, plain, writeBytes),
  })
  const asText = ratio(times.ours, times.plain)
  return [
    {
      what: '`encodeEvent` with an id',
      measured: `${nsPer('event', times.ours, EVENTS)}; JSON.stringify ${nsPer('event', times.plain, EVENTS)}`,
      ratio: { ...asText, against: 'JSON.stringify alone' },
      budget: { figure: asText.typical, bound: 'at most', limit: 1.15, unit: 'x' },
    },
    {
      what: 'the same, and into a buffer by `TextEncoder.encodeInto`',
      measured: `${nsPer('event', times.oursBytes, EVENTS)}; JSON.stringify ${nsPer('event', times.plainBytes, EVENTS)}`,
      ratio: { ...ratio(times.oursBytes, times.plainBytes), against: 'JSON.stringify and encodeInto' },
    },
  ]
}

function total(events: readonly ContextAnyEvent[], write: Write, measure: (text: string) => number): number {
  let sum = 0
  for (let number = 0; number < events.length; number++) {
    sum += measure(write(events[number] as ContextAnyEvent, number))
  }
  return sum
}

function lengthOf(text: string): number {
  return text.length
}

function writeBytes(text: string): number {
  return encoder.encodeInto(text, slab).written
}
