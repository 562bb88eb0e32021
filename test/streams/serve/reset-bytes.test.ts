// Proves that many readers cost little more than one when they get the same reset, and that others get their turn meanwhile.
import type { ContextAnyEvent } from 'turnstream'
import { createStream, type EventLog, type Reset, type Stream } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { withSnapshot } from '../../../src/streams/log/reset-snapshot.ts'

const timestamp = '2026-01-01T00:00:00Z'

/** A stream of tasks with texts: more than one message of a reset. */
async function longStream(events: number): Promise<Stream> {
  const stream = createStream({ stream: 's', epoch: 'e', limits: { maxEvents: 1e6, maxBytes: 1e8 } })
  for (let i = 0; i < events; i++) {
    const base = { contextId: 'c', taskId: `t${i % 50}`, timestamp }
    const event = { ...base, kind: 'content-delta', delta: 'x'.repeat(200), index: Math.floor(i / 50) }
    await stream.append(event as ContextAnyEvent)
  }
  return stream
}

async function chunksOf(
  stream: Stream,
  audience: 'user' | 'operator',
  profile: 'named' | 'data-only' = 'named',
): Promise<Uint8Array[]> {
  const { body } = stream.respond('s:lost:5', { viewer: { audience }, profile })
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    // What follows the reset is sent once something is appended.
    if (profile === 'data-only' || new TextDecoder().decode(chunk).includes('\nid: ')) break
  }
  return chunks
}

it('gives readers who see the same the same bytes, however far each has read', async () => {
  const stream = await longStream(5000)
  const [one, other, operator, plain] = await Promise.all([
    chunksOf(stream, 'user'),
    chunksOf(stream, 'user'),
    chunksOf(stream, 'operator'),
    chunksOf(stream, 'user', 'data-only'),
  ])
  expect(one.length).toBeGreaterThan(2)
  // Compared by identity alone: a comparison of long arrays item by item takes seconds.
  expect(one.every((chunk, i) => other[i] === chunk)).toBe(true)
  expect(operator[0] === one[0]).toBe(false)
  expect(new TextDecoder().decode(plain[0])).not.toContain('event: ')
  const later = await chunksOf(stream, 'user')
  expect(Buffer.concat(later).equals(Buffer.concat(one))).toBe(true)
})

it('lets others run while a snapshot is made of many events', async () => {
  const stream = await longStream(5000)
  const order: string[] = []
  setTimeout(() => order.push('other'), 0)
  const snapshot = await stream.log.snapshot?.()
  order.push('snapshot')
  expect(order).toEqual(['other', 'snapshot'])
  expect(snapshot?.through).toBe(4999)
})

it('asks a log of any kind for one snapshot, for all who see the same', async () => {
  const { log } = await longStream(2000)
  let snapshots = 0
  const stream = createStream({
    log: {
      append: log.append,
      read: log.read,
      close: log.close,
      snapshot: async (filter, options) => {
        snapshots++
        return log.snapshot?.(filter, options)
      },
    },
  })
  const all = await Promise.all(Array.from({ length: 20 }, () => chunksOf(stream, 'user')))
  await chunksOf(stream, 'user')
  expect(snapshots).toBe(1)
  expect(all.every(([chunk]) => chunk !== undefined && chunk === all[0]?.[0])).toBe(true)
  await chunksOf(stream, 'operator')
  expect(snapshots).toBe(2)
})

it('asks for another snapshot if the log has failed, or has none for a reader', async () => {
  const { log } = await longStream(10)
  let calls = 0
  const failing: EventLog = {
    append: log.append,
    close: log.close,
    read: log.read,
    async snapshot(filter, options) {
      calls++
      if (calls === 1) throw new Error('down')
      return calls === 2 ? undefined : log.snapshot?.(filter, options)
    },
  }
  const reset = (await log.read('s:lost:5')) as Reset
  await expect(withSnapshot(reset, failing, undefined)).rejects.toThrow('down')
  expect((await withSnapshot(reset, failing, undefined)).events).toBeUndefined()
  expect((await withSnapshot(reset, failing, undefined)).events).not.toEqual([])
  expect(calls).toBe(3)
})
