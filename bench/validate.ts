/** Validating: what it adds to parsing, for events that come fresh from `JSON.parse`. */
import { deepStrictEqual } from 'node:assert'
import type { ContextAnyEvent } from '../src/index.ts'
import { decodeEvent } from '../src/index.ts'
import { contextAnyEventSchema } from '../src/zod/index.ts'
import { EVENTS, makeEvents } from './data.ts'
import { difference, nsPer, type Row, race, ratio, type Timing } from './harness.ts'

const ways = {
  parse: (line: string): ContextAnyEvent => JSON.parse(line),
  decode: (line: string): ContextAnyEvent | undefined => {
    const decoded = decodeEvent(JSON.parse(line))
    return decoded.status === 'known' ? decoded.event : undefined
  },
  zod: (line: string): ContextAnyEvent | undefined => contextAnyEventSchema.safeParse(JSON.parse(line)).data,
}

export async function bench(rounds: number): Promise<Row[]> {
  const events = makeEvents(EVENTS, 'ascii')
  const lines = events.map((event) => JSON.stringify(event))
  for (const way of Object.values(ways)) deepStrictEqual(lines.map(way), events)

  // Parsing is part of it: on objects that have been looked at before, checks are several times faster.
  const times = await race(rounds, {
    parse: () => total(lines, ways.parse),
    decode: () => total(lines, ways.decode),
    zod: () => total(lines, ways.zod),
  })
  const decode = difference(times.decode, times.parse)
  return [
    {
      what: 'validating one freshly parsed event',
      measured: `${nsPer('event', decode, EVENTS)}; parsing it ${nsPer('event', times.parse, EVENTS)}`,
      ratio: { ...ratio(times.decode, times.parse), against: 'JSON.parse, which is included' },
      budget: { figure: perEvent(decode), bound: 'at most', limit: 120, unit: 'ns' },
    },
    {
      what: 'the same by the schema: `contextAnyEventSchema.safeParse`',
      measured: nsPer('event', difference(times.zod, times.parse), EVENTS),
      ratio: { ...ratio(times.zod, times.parse), against: 'JSON.parse, which is included' },
    },
  ]
}

function total(lines: readonly string[], way: (line: string) => ContextAnyEvent | undefined): number {
  let sum = 0
  for (const line of lines) sum += way(line)?.timestamp.length ?? 0
  return sum
}

function perEvent({ median }: Timing): number {
  return (median * 1e6) / EVENTS
}
