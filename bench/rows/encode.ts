/** Writing: events to SSE, against `JSON.stringify`. */
import { strictEqual } from 'node:assert'
import { encodeEvent } from 'turnstream/sse'
import { makeEvents, sseOf } from '../support/data.ts'
import { race } from '../support/race.ts'
import { atMost, type Effort, type Row, ratioRow } from '../support/row.ts'

const COUNT = 30_000

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const events = makeEvents(Math.ceil(COUNT * scale), 'ascii').map((event, n) => ({ event, id: `${n}` }))
  const stream = sseOf(events.map(({ event }) => event))
  strictEqual(events.map(({ event, id }) => encodeEvent(event, { viewer: 'all', id })).join(''), stream)

  const times = await race(rounds, {
    stringify: () => sum(events, ({ event }) => JSON.stringify(event)),
    encode: () => sum(events, ({ event }) => encodeEvent(event, { viewer: 'all' })),
    withId: () => sum(events, ({ event, id }) => encodeEvent(event, { viewer: 'all', id })),
  })
  return [
    ratioRow('`encodeEvent`', times.encode, times.stringify, events.length, atMost(1.15)),
    ratioRow('`encodeEvent` with an id', times.withId, times.stringify, events.length, atMost(1.15)),
  ]
}

function sum<T>(values: readonly T[], write: (value: T) => string): number {
  let length = 0
  for (const value of values) length += write(value).length
  return length
}
