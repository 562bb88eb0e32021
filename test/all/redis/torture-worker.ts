/**
 * A process of the torture run: a writer that runs tasks, or a reader that follows the stream and reports all it gets.
 * Reports go to the parent process, which checks them.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'turnstream'
import { type RedisEventLog, RedisLogError, redisLog, redisStore } from 'turnstream/redis'
import { type Cursor, emptyView, foldEvents, follow, type View } from 'turnstream/streams'
import { clients } from './clients.ts'
import { idOf, type Report, type WorkerOptions } from './torture-report.ts'

const options = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as WorkerOptions
/** The deadline of a call. */
const TIMEOUT_MS = 3000
const { stream, port, client: name, leaseMs } = options

async function main(): Promise<void> {
  const connect = clients[name]
  if (connect === undefined) throw new Error(`No client is called ${name}.`)
  const { client } = await connect(port)
  ;(client as unknown as NodeJS.EventEmitter).on('ready', () => report({ type: 'reconnected' }))
  const open = (): Promise<RedisEventLog> =>
    redisLog({ client, stream, leaseMs, limits: options.limits ?? {}, timeoutMs: TIMEOUT_MS })
  if (options.role === 'writer') return write(open)
  // It ends the tasks of writers that are killed.
  redisStore({
    ...{ client, leaseMs, limits: options.limits ?? {}, timeoutMs: TIMEOUT_MS },
    onDiagnostic: ({ code, message }) => report({ type: 'diagnostic', text: `${code}: ${message}` }),
  })
  await read(open)
}

/** Runs one task after another, until it is killed. */
async function write(open: () => Promise<RedisEventLog>): Promise<void> {
  let log = await persist(open)
  for (let n = 0; ; n++) {
    const taskId = `${options.id}/${n}`
    const base = { contextId: 'ctx', taskId }
    const draft = [
      { kind: 'task-created', initiator: 'user' },
      { kind: 'task-status', status: 'working' },
      ...Array.from({ length: 5 + Math.floor(Math.random() * 40) }, (_, index) => ({
        kind: 'content-delta',
        delta: `<${taskId}:${index}>`,
        index,
      })),
      { kind: 'task-status', status: 'completed' },
    ]
    try {
      // Some events in one go, others one after the other.
      const waiting: Promise<void>[] = []
      for (const [i, fields] of draft.entries()) {
        const timestamp = new Date().toISOString()
        const event = { ...base, ...fields, timestamp } as unknown as ContextAnyEvent
        const done = appended(log, event, `${taskId}#${i}`)
        // It may fail before it is waited for.
        done.catch(() => {})
        waiting.push(done)
        if (Math.random() < 0.5) await Promise.all(waiting.splice(0))
        if (Math.random() < 0.3) await sleep(Math.random() * 30)
      }
      await Promise.all(waiting)
    } catch (error) {
      report({ type: 'rejected', code: error instanceof RedisLogError ? error.code : String(error) })
      // Not released: its tasks are open until this process is killed, and then another one ends them.
      log = await persist(open)
    }
  }
}

/** Appends the same object until it is confirmed: it is stored once. */
async function appended(log: RedisEventLog, event: ContextAnyEvent, id: string): Promise<void> {
  const own = { ...event, path: [id] } as ContextAnyEvent
  for (;;) {
    try {
      const { epoch, seq } = await ended(log.append(own))
      return report({ type: 'appended', epoch, seq, id })
    } catch (error) {
      if (!(error instanceof RedisLogError) || error.code !== 'unavailable') throw error
      report({ type: 'repeated' })
    }
  }
}

/** What a call gives, which ends by its deadline. A process that is stopped meanwhile sees both timers at once, in order. */
async function ended<T>(call: Promise<T>): Promise<T> {
  const timer = setTimeout(() => report({ type: 'late' }), TIMEOUT_MS + 500)
  try {
    return await call
  } finally {
    clearTimeout(timer)
  }
}

/** Follows the stream to its end. A slow reader rests after each batch. */
async function read(open: () => Promise<RedisEventLog>): Promise<void> {
  let cursor: Cursor | undefined = options.cursor
  let view: View = options.view ?? emptyView
  let checkpoint = 0
  for (;;) {
    try {
      const log = await persist(open)
      for await (const part of follow(log, cursor, { maxBytes: options.isSlow ? 4096 : 65_536 })) {
        cursor = { stream, epoch: part.epoch, seq: part.through }
        view = foldEvents(part.type === 'reset' ? emptyView : view, part.events ?? [])
        if (part.type === 'reset') {
          report({ type: 'reset', reason: part.reason, hasSnapshot: part.events !== undefined, cursor })
        } else {
          const events = part.events.map((event, i) => ({ seq: part.seqs[i] ?? -1, id: idOf(event) }))
          report({ type: 'batch', after: part.after, events, cursor })
          if (part.closed === true) return report({ type: 'end', view })
        }
        if (part.type === 'reset' || Date.now() > checkpoint + 500) {
          checkpoint = Date.now()
          report({ type: 'checkpoint', cursor, view })
        }
        if (options.isSlow) await sleep(Math.random() * 400)
      }
    } catch (error) {
      report({ type: 'rejected', code: error instanceof RedisLogError ? error.code : String(error) })
    }
  }
}

async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch {
      await sleep(100)
    }
  }
}

function report(what: Report): void {
  process.send?.(what)
}

process.on('disconnect', () => process.exit())
main().catch((error: unknown) => {
  report({ type: 'failed', error: String(error instanceof Error ? error.stack : error) })
})
