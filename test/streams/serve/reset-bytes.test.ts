// Proves that many readers cost little more than one when they get the same reset, and that others get their turn meanwhile.
import type { ContextAnyEvent } from 'turnstream'
import { createStream, type Stream } from 'turnstream/streams'
import { expect, it } from 'vitest'

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
    if (new TextDecoder().decode(chunk).includes('\nid: ')) break
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
  for (const [i, chunk] of one.entries()) expect(other[i]).toBe(chunk)
  expect(operator[0]).not.toBe(one[0])
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
