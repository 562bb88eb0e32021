/** Validating: what `decodeEvent` adds to parsing, for events that come fresh from `JSON.parse`. */
import { strictEqual } from 'node:assert'
import { decodeEvent } from 'turnstream'
import { schemas } from 'turnstream/zod'
import { makeEvents } from '../support/data.ts'
import { difference, race } from '../support/race.ts'
import { atMost, type Budget, type Effort, nsEach, type Row, timeText } from '../support/row.ts'

const COUNT = 30_000

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const events = makeEvents(Math.ceil(COUNT * scale), 'ascii')
  const nulls = { parentTaskId: null, path: null, indexEnd: null, timestampEnd: null }
  const deltas = events.filter(({ kind }) => kind === 'content-delta')
  const withNulls = deltas.map((event) => ({ ...event, ...nulls }))
  const unknown = events.map((event) => ({ ...event, kind: `next:${event.kind}` }))
  const compare = (what: string, values: readonly object[], status: string, budget?: Budget) =>
    compareWithParse(rounds, what, values, (value) => decodeEvent(value).status === status, budget)
  return [
    await compare('`decodeEvent`, one fresh event', events, 'known', atMost(120)),
    await compare(
      '`decodeEvent`, one event with four optional fields `null`',
      withNulls,
      'known',
      atMost(600),
    ),
    await compare('`decodeEvent`, one event of an unknown kind', unknown, 'unknown', atMost(150)),
    await compareWithParse(
      rounds,
      'its zod schema, `schemas.event` of `turnstream/zod`',
      events,
      (value) => schemas.event.safeParse(value).success,
    ),
  ]
}

/** Parsing is part of the work: on objects that have been looked at before, checks are several times faster. */
async function compareWithParse(
  rounds: number,
  what: string,
  values: readonly object[],
  isAsExpected: (value: unknown) => boolean,
  budget?: Budget,
): Promise<Row> {
  const lines = values.map((value) => JSON.stringify(value))
  const count = (accept: (value: unknown) => boolean): number => {
    let accepted = 0
    for (const line of lines) if (accept(JSON.parse(line))) accepted++
    return accepted
  }
  strictEqual(count(isAsExpected), lines.length)
  const times = await race(rounds, {
    parse: () => count((value) => value !== null),
    check: () => count(isAsExpected),
  })
  const figure = nsEach(difference(times.check, times.parse), lines.length)
  const detail = `parsing it ${timeText(nsEach(times.parse, lines.length))}`
  return { what, figure, unit: 'ns', ...(budget && { budget }), detail }
}
