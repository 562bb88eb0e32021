/** A log, copied to the server of Durable Streams as docs/durable-streams.md shows, and read by their client. */
import { deepStrictEqual } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type ContextAnyEvent, createEmitter, decodeEvent } from 'turnstream'
import { createStream, project } from 'turnstream/streams'
import { copyLog } from '../../../examples/docs/durable-streams.ts'
import type { Lab } from '../lab.ts'
import { Skipped, type Step } from '../step.ts'

interface DurableServer {
  start(): Promise<string>
  stop(): Promise<void>
}
type Server = new (options: { port: number; host: string }) => DurableServer
type Read = (options: { url: string; offset: string; live: false }) => Promise<{ json(): Promise<unknown[]> }>

export const durableStreamSteps: readonly Step[] = [
  { name: 'Durable Streams: a log is copied once, and read by its client', run: copyAndRead },
]

async function copyAndRead({ root }: Lab): Promise<string> {
  const folder = join(root, 'test/all/durable-streams')
  if (!existsSync(join(folder, 'node_modules')))
    throw new Skipped('run `npm install --prefix test/all/durable-streams`')
  const load = createRequire(join(folder, 'package.json'))
  const { DurableStreamTestServer } = load('@durable-streams/server') as { DurableStreamTestServer: Server }
  const { stream: read } = load('@durable-streams/client') as { stream: Read }
  const server = new DurableStreamTestServer({ port: 0, host: '127.0.0.1' })
  const url = `${await server.start()}/context/ctx-1`
  try {
    const stream = createStream({ stream: 'context/ctx-1', epoch: 'e' })
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const events: ContextAnyEvent[] = [
      emit({ kind: 'task-created', initiator: 'user', metadata: { input: 'Hello' } }),
      emit({ kind: 'internal:llm-call', model: 'm', iteration: 1, messageCount: 1, toolCount: 0 }),
      ...Array.from({ length: 20 }, (_, i) => emit({ kind: 'content-delta', delta: `${i} ` })),
      emit({ kind: 'task-status', status: 'completed' }),
    ]
    for (const event of events) await stream.append(event)
    // A first copy stops in the middle.
    const { fetch } = globalThis
    let requests = 0
    globalThis.fetch = (...args) => (++requests > 9 ? Promise.reject(new Error('killed')) : fetch(...args))
    try {
      await copyLog(stream.log, url).then(
        () => Promise.reject(new Error('The copy does not stop.')),
        () => undefined,
      )
    } finally {
      globalThis.fetch = fetch
    }
    await stream.close()
    await copyLog(stream.log, url)
    const items = await (await read({ url, offset: '-1', live: false })).json()
    const copied = items.flatMap((item) => {
      const result = decodeEvent(item)
      return result.status === 'known' ? [result.event as ContextAnyEvent] : []
    })
    const visible = events.flatMap((event) => project(event, { audience: 'user' }) ?? [])
    deepStrictEqual(copied, visible)
    return `${copied.length} of ${events.length} events`
  } finally {
    await server.stop()
  }
}
