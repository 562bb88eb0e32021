/** One stream, many readers: against a broadcast that an application writes by hand. */
import { createEmitter } from 'turnstream'
import { createStream } from 'turnstream/streams'
import { wordsFrom } from '../support/data.ts'
import { race } from '../support/race.ts'
import { atMost, type Effort, type Row, ratioRow } from '../support/row.ts'

const EVENTS = 200
const now = (): number => Date.UTC(2026, 2, 14)
const encoder = new TextEncoder()

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const rows: Row[] = []
  for (const [readers, limit] of [
    [100, 3],
    [1000, 2],
  ] as const) {
    const count = Math.ceil(readers * scale)
    const texts = Array.from({ length: Math.ceil(EVENTS * scale) }, wordsOf())
    const { ours, plain } = await race(rounds, {
      ours: () => stream(count, texts),
      plain: () => broadcast(count, texts),
    })
    const what = `\`createStream\`, 1 stream × ${readers} readers, against a broadcast by hand`
    rows.push(ratioRow(what, ours, plain, count * texts.length, atMost(limit)))
  }
  return rows
}

function wordsOf(): () => string {
  const words = wordsFrom(3)
  return () => words(4)
}

/** Reads bodies, and counts what came. */
class Readers {
  bytes = 0
  #chunks = 0
  #expected = 0

  async read(body: ReadableStream<Uint8Array> | null): Promise<void> {
    const reader = body?.getReader()
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      this.#chunks++
      this.bytes += next.value.length
    }
  }

  /** Resolves when all of so many readers have got one chunk more. */
  async one(count: number): Promise<void> {
    this.#expected += count
    while (this.#chunks < this.#expected) await new Promise((resolve) => setImmediate(resolve))
  }
}

async function stream(readers: number, texts: readonly string[]): Promise<number> {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now })
  const { append, respond, close } = createStream({ stream: 'task/1', epoch: 'epoch-1', now })
  await append(emit({ kind: 'task-created', initiator: 'user' }))
  const all = new Readers()
  const ends = Array.from({ length: readers }, () => all.read(respond().body))
  await all.one(readers)
  for (const delta of texts) {
    await append(emit({ kind: 'content-delta', delta }))
    await all.one(readers)
  }
  await close()
  await Promise.all(ends)
  return all.bytes
}

/** What an application without turnstream would do at the least: encode once, and enqueue. */
async function broadcast(readers: number, texts: readonly string[]): Promise<number> {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now })
  const controllers = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const all = new Readers()
  const ends = Array.from({ length: readers }, () => {
    return all.read(new ReadableStream({ start: (controller) => void controllers.add(controller) }))
  })
  for (const [i, delta] of texts.entries()) {
    const event = emit({ kind: 'content-delta', delta })
    const bytes = encoder.encode(`event: ${event.kind}\nid: ${i}\ndata: ${JSON.stringify(event)}\n\n`)
    for (const controller of controllers) controller.enqueue(bytes)
    await all.one(readers)
  }
  for (const controller of controllers) controller.close()
  await Promise.all(ends)
  return all.bytes
}
