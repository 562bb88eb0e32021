// Readers of one stream share what they read: each gets what it would get alone, and no reader that of another viewer.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { createMemoryLog, createStream, type EventLog, type Stream } from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import type { RespondOptions } from '../../../src/streams/serve/stream.ts'
import { runs } from '../../support/runs.ts'
import { delta } from '../log/support.ts'

/** Who reads: two that see the same, written differently, and others that see less or more. */
const readers: readonly RespondOptions[] = [
  {},
  { viewer: { audience: 'user' }, filter: {} },
  { viewer: { audience: 'operator' } },
  { viewer: { audience: 'operator' }, profile: 'data-only' },
  { viewer: { audience: 'user', removed: { 'content-delta': ['/metadata'] } } },
  { filter: { kinds: ['task-*'] } },
]

const events = [
  delta(0),
  { ...delta(1), metadata: { secret: 's', 'a.b': 1 } },
  { ...delta(2), kind: 'internal:debug', data: { secret: 's' } },
  { ...delta(3), kind: 'task-status', status: 'working', metadata: { audience: ['operator'], secret: 's' } },
] as unknown as readonly ContextAnyEvent[]

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ append: fc.constantFrom(...events) }) },
  { weight: 2, arbitrary: fc.constant('turn' as const) },
  {
    weight: 2,
    arbitrary: fc.record({ join: fc.nat(readers.length - 1), count: fc.constantFrom(1, 3, 300) }),
  },
)

async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  let text = ''
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>)
    text += Buffer.from(chunk).toString('latin1')
  // A position alone: where it is sent depends on when a reader asks.
  return text.replace(/^id: .*\n\n/gm, '')
}

/** Streams in memory, and over a log that waits by itself. */
const streams: Readonly<Record<string, () => Stream>> = {
  'in memory': () => createStream({ stream: 's', epoch: 'e', now: () => 0 }),
  'over a log': () => createStream({ log: otherLog() }),
}

/** A log that is not known to be one in memory. */
function otherLog(): EventLog {
  const { append, read, close } = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
  return { append, close, read: async (cursor, options) => read(cursor, options) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe.each(Object.entries(streams))('a stream %s', (_, create) => {
  it('gives each of many readers what it would get alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const stream = create()
        const joined: { readonly who: number; readonly text: Promise<string> }[] = []
        for (const next of steps) {
          if (next === 'turn') await turn()
          else if ('append' in next) await stream.append(next.append)
          else {
            for (let i = 0; i < next.count; i++) {
              joined.push({ who: next.join, text: textOf(stream.respond(null, readers[next.join]).body) })
            }
          }
        }
        await stream.close()
        const alone = await Promise.all(readers.map((options) => textOf(stream.respond(null, options).body)))
        for (const { who, text } of joined) expect(await text).toBe(alone[who])
      }),
      { numRuns: runs(40, 300) },
    )
  })
})

describe('readers of a log', () => {
  it('wait with one read, whatever their number, and with none once they have left', async () => {
    const log = otherLog()
    let waiting = 0
    const read: EventLog['read'] = async (cursor, options) => {
      const isWaiting = options?.wait === true
      if (isWaiting) waiting++
      return log.read(cursor, options).finally(() => {
        if (isWaiting) waiting--
      })
    }
    const stream = createStream({ log: { ...log, read } })
    const leaving = new AbortController()
    const texts = Array.from({ length: 100 }, (_, i) =>
      textOf(stream.respond(null, { ...readers[i % 4], signal: leaving.signal }).body),
    )
    for (const event of events) {
      await stream.append(event)
      await vi.waitFor(() => expect(waiting).toBe(1))
    }
    leaving.abort()
    await Promise.all(texts)
    await vi.waitFor(() => expect(waiting).toBe(0))
  })

  it('all fail with its error', async () => {
    const log = otherLog()
    let fail: (error: Error) => void = () => undefined
    const broken = new Promise<never>((_, reject) => {
      fail = reject
    })
    broken.catch(() => undefined)
    const read: EventLog['read'] = (cursor, options) => Promise.race([log.read(cursor, options), broken])
    const stream = createStream({ log: { ...log, read } })
    const texts = Array.from({ length: 300 }, () => textOf(stream.respond(null).body).catch(String))
    await stream.append(delta(0))
    await turn()
    fail(new Error('gone'))
    expect(new Set(await Promise.all(texts))).toEqual(new Set(['Error: gone']))
  })
})

it('gives other work its turn while many readers get an event', async () => {
  const stream = createStream({ stream: 's' })
  await stream.append(delta(0))
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  /** How many readers got the event in each turn of the event loop. */
  const gotIn = new Map<number, number>()
  const read = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
    let got = 0
    for await (const _ of (body ?? []) as AsyncIterable<Uint8Array>) {
      if (got++ === 0) continue
      gotIn.set(turns, (gotIn.get(turns) ?? 0) + 1)
      // As writing to a socket takes: a timer of no time is due again at once.
      for (const start = performance.now(); performance.now() - start < 0.02; );
      return
    }
  }
  const reading = Array.from({ length: 2000 }, () => read(stream.respond().body))
  for (let n = 0; n < 20; n++) await turn()
  count()
  await stream.append(delta(1))
  await Promise.all(reading)
  isOver = true
  expect([...gotIn.values()].reduce((sum, got) => sum + got, 0)).toBe(2000)
  expect(Math.max(...gotIn.values())).toBeLessThanOrEqual(512)
})
