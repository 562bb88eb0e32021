/** Writers and readers of a stream whose slot moves from node to node, and to the replica of its node: each reader gets everything once and in order. */
import { deepStrictEqual, equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'turnstream'
import { type RedisEventLog, RedisLogError, redisLog } from 'turnstream/redis'
import { emptyView, foldEvents, follow, type View } from 'turnstream/streams'
import type { Lab } from '../lab.ts'
import { clusterClients } from './clients.ts'
import { startCluster } from './cluster.ts'

/** Two of three move the slot; in the third, the replica takes over. */
const MOVES = 30
const KEY = 'turnstream:{s}:meta'
const TIMEOUT_MS = 3000

/** Tries each client; resolves to what was seen. */
export async function resharded({ temporary }: Lab): Promise<string> {
  const seen: string[] = []
  for (const [name, connect] of Object.entries(clusterClients)) {
    const cluster = await startCluster(temporary)
    const connections = [await connect(cluster.port), await connect(cluster.port)] as const
    const counts = { appends: 0, repeats: 0, resets: 0, late: 0 }
    try {
      const logs = await Promise.all(
        connections.map(({ client }) => redisLog({ client, stream: 's', timeoutMs: TIMEOUT_MS })),
      )
      let isOver = false
      const writing = logs.map((log, n) => write(log, `task-${n}`, () => isOver, counts))
      const reading = logs.map((log) => read(log, counts))
      for (let n = 0; n < MOVES; n++) {
        await sleep(Math.random() * 400)
        if (n % 3 === 0) await cluster.failOver(KEY)
        else await cluster.moveSlotOf(KEY)
      }
      isOver = true
      const texts = await Promise.all(writing)
      await persist(() => (logs[0] as RedisEventLog).close(), counts)
      for (const view of await Promise.all(reading)) deepStrictEqual(textsOf(view), Object.fromEntries(texts))
      equal(counts.late, 0, `${name}: appends that did not end by their deadline`)
    } finally {
      for (const { close } of connections) close()
      await cluster.end()
    }
    const failovers = Math.ceil(MOVES / 3)
    const all = { moves: MOVES - failovers, failovers, ...counts, lost: 0, doubled: 0, disordered: 0 }
    seen.push(
      `${name}: ${Object.entries(all)
        .map(([what, count]) => `${what} ${count}`)
        .join(', ')}`,
    )
  }
  return seen.join('; ')
}

interface Counts {
  appends: number
  repeats: number
  resets: number
  late: number
}

/** Writes a text until it is over. Resolves to the task and its text. */
async function write(
  log: RedisEventLog,
  taskId: string,
  isOver: () => boolean,
  counts: Counts,
): Promise<readonly [string, string]> {
  const base = { contextId: 'c', taskId, timestamp: '2026-01-01T00:00:00Z' }
  let text = ''
  for (let index = 0; !isOver(); index++) {
    const delta = `<${index}>`
    const event = { ...base, kind: 'content-delta', delta, index } as ContextAnyEvent
    await persist(() => log.append(event), counts)
    counts.appends++
    text += delta
    await sleep(Math.random() * 5)
  }
  return [taskId, text]
}

/** Follows the log to its end. */
async function read(log: RedisEventLog, counts: Counts): Promise<View> {
  let view = emptyView
  let cursor: string | { stream: string; epoch: string; seq: number } | undefined
  for (;;) {
    try {
      for await (const part of follow(log, cursor)) {
        cursor = { stream: 's', epoch: part.epoch, seq: part.through }
        if (part.type === 'reset') counts.resets++
        view = foldEvents(part.type === 'reset' ? emptyView : view, part.events ?? [])
        if (part.type === 'batch' && part.closed === true) return view
      }
    } catch (error) {
      if (!(error instanceof RedisLogError)) throw error
    }
  }
}

/** Calls until it succeeds. Each call ends by its deadline, in the order of timers. */
async function persist<T>(call: () => Promise<T>, counts: Counts): Promise<T> {
  for (;;) {
    const timer = setTimeout(() => counts.late++, TIMEOUT_MS + 500)
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof RedisLogError) || error.code !== 'unavailable') throw error
      counts.repeats++
    } finally {
      clearTimeout(timer)
    }
  }
}

function textsOf({ tasks }: View): Readonly<Record<string, string>> {
  const textOf = (parts: View['tasks'][number]['parts']): string =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  return Object.fromEntries(tasks.map(({ taskId, parts }) => [taskId, textOf(parts)]))
}
