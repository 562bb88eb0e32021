/** From an emitter through a log and a filter to the SSE of a connection, layer by layer. */
import { ok } from 'node:assert'
import { type ContextAnyEvent, createEmitter, type Emitter } from 'turnstream'
import { encodeEvent } from 'turnstream/sse'
import { createMemoryLog, encodeBatch, follow, type ReadFilter, readFilter } from 'turnstream/streams'
import { wordsFrom } from '../support/data.ts'
import { race } from '../support/race.ts'
import { atMost, type Effort, nsEach, type Row } from '../support/row.ts'

const STREAMS = 100
const EVENTS = 60
const epoch = 'epoch-1'
const now = (): number => Date.UTC(2026, 2, 14)
const filter = readFilter({ audience: 'user' })

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const streams = Math.ceil(STREAMS * scale)
  const words = wordsFrom(3)
  const texts = Array.from({ length: EVENTS }, () => words(4))
  const emitAll = (take: (event: ContextAnyEvent) => number): number => {
    let sum = 0
    for (const emitter of emitters(streams)) {
      for (const delta of texts) sum += take(emitter.emit({ kind: 'content-delta', delta }))
    }
    return sum
  }
  const sent = await deliver(streams, texts, filter)
  ok(sent > 0)
  const times = await race(rounds, {
    emit: () => emitAll((event) => event.timestamp.length),
    encode: () => emitAll((event) => encodeEvent(event, { viewer: 'all' }).length),
    follow: () => deliver(streams, texts),
    filter: () => deliver(streams, texts, filter),
  })
  const rowOf = (what: string, layer: keyof typeof times): Row => {
    return { what, figure: nsEach(times[layer], streams * EVENTS) / 1e3, unit: 'µs' }
  }
  return [
    rowOf('`createEmitter`', 'emit'),
    rowOf('`createEmitter` and `encodeEvent`', 'encode'),
    rowOf('emitter → `createMemoryLog` → `follow` → `encodeBatch`', 'follow'),
    { ...rowOf('emitter → log → `readFilter` → `follow` → `encodeBatch`', 'filter'), budget: atMost(15) },
  ]
}

function emitters(count: number): Emitter[] {
  return Array.from({ length: count }, (_, n) =>
    createEmitter({ contextId: 'ctx-1', taskId: `task-${n}`, now }),
  )
}

/**
 * Streams with one connection each: an event at a time, every one of which is read before the next of its
 * stream. Returns how much was sent.
 */
async function deliver(count: number, texts: readonly string[], visible?: ReadFilter): Promise<number> {
  let length = 0
  let batches = 0
  const streams = emitters(count).map((emitter, n) => {
    const log = createMemoryLog({ stream: `task/${n}`, epoch, now })
    const connection = async (): Promise<void> => {
      for await (const part of follow(log, null, visible && { filter: visible })) {
        length += encodeBatch(part, visible ? {} : { viewer: 'all' }).length
        batches++
      }
    }
    return { emitter, log, connection: connection() }
  })
  for (const delta of texts) {
    for (const { emitter, log } of streams) await log.append(emitter.emit({ kind: 'content-delta', delta }))
    // Every reader gets its turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(streams.map(({ log }) => log.close()))
  await Promise.all(streams.map(({ connection }) => connection))
  ok(batches >= count * texts.length, 'Each event is a batch of its own.')
  return length
}
