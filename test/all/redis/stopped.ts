/**
 * A Redis that is stopped or killed, or whose port is a black hole: everything that is called ends by its deadline, readers included, and what was
 * appended again after it is stored once.
 */
import { equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'turnstream'
import { redisLog, redisStore } from 'turnstream/redis'
import type { Lab } from '../lab.ts'
import { startBlackHole } from './black-hole.ts'
import { type Connected, clients, clusterClients, sentinelClients } from './clients.ts'
import { startRedis, startSentinel } from './server.ts'

const TIMEOUT_MS = 1500
/** How much later than its deadline a call may end on a busy machine. */
const SLACK_MS = 3000
/** After this, a waiting reader looks whether Redis still answers. */
const LOOK_MS = 15_000

const eventOf = (index: number): ContextAnyEvent => ({
  ...{ kind: 'content-delta', contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' },
  ...{ delta: `<${index}>`, index },
})

/** How Redis fails, and how it comes back. */
interface Failure {
  begin(): unknown
  end(): unknown
}

/** Tries each client; resolves to what was seen. */
export async function stopped(lab: Lab): Promise<string> {
  const seen: string[] = []
  for (const cluster of [false, true]) {
    for (const [name, connect] of Object.entries(cluster ? clusterClients : clients)) {
      for (const failure of ['stop', 'kill'] as const) {
        const server = await startRedis(lab.temporary, { cluster, storage: 'aof' })
        try {
          const failures: Record<typeof failure, Failure> = {
            stop: { begin: server.stop, end: server.resume },
            kill: { begin: server.kill, end: () => server.start('aof') },
          }
          seen.push(`${name}, ${failure}: ${await tryFailure(await connect(server.port), failures[failure])}`)
        } finally {
          await server.kill()
        }
      }
    }
  }
  return seen.join('; ')
}

/** Tries each client, also those of a sentinel, on a port that becomes a black hole. */
export async function blackHoles(lab: Lab): Promise<string> {
  const seen: string[] = []
  for (const [kind, all] of Object.entries({
    single: clients,
    cluster: clusterClients,
    sentinel: sentinelClients,
  })) {
    for (const [name, connect] of Object.entries(all)) {
      const ends: (() => unknown)[] = []
      try {
        const server = await startRedis(lab.temporary, { cluster: kind === 'cluster' })
        ends.push(server.kill)
        const hole = await startBlackHole(server.port)
        ends.push(hole.close)
        if (kind === 'cluster') await server.send('CONFIG', 'SET', 'cluster-announce-port', `${hole.port}`)
        let { port } = hole
        if (kind === 'sentinel') {
          const sentinel = await startSentinel(lab.temporary, port)
          ends.push(sentinel.kill)
          port = sentinel.port
        }
        seen.push(`${name}: ${await tryFailure(await connect(port), hole)}`)
      } finally {
        for (const end of ends.toReversed()) await end()
      }
    }
  }
  return seen.join('; ')
}

async function tryFailure({ client, close }: Connected, failure: Failure): Promise<string> {
  const stream = randomUUID()
  const options = { client, timeoutMs: TIMEOUT_MS, leaseMs: 120_000 }
  const [log, doomed] = [
    await retry(() => redisLog({ ...options, stream })),
    await retry(() => redisLog({ ...options, stream: 'doomed' })),
  ]
  const store = redisStore(options)
  const opened = await retry(() => store.open(`store/${stream}`))
  const [first, ...events] = [0, 1, 2, 3].map(eventOf) as [ContextAnyEvent, ContextAnyEvent]
  const { epoch } = await retry(() => log.append(first))
  await retry(() => opened.append(first))
  const waiting = log.read({ stream, epoch, seq: 0 }, { wait: true }).then(
    () => 'an event',
    ({ code }: { code: string }) => code,
  )
  const body = new Response(opened.respond(null).body).text().catch(() => 'an error')
  await sleep(200)
  await failure.begin()
  const start = Date.now()
  await Promise.all([
    ...events.map((event) => endsInTime('append', log.append(event))),
    endsInTime('read', log.read()),
    endsInTime('snapshot', log.snapshot()),
    endsInTime('loadState', log.loadState()),
    endsInTime('appendIf', doomed.appendIf({ epoch, next: 1, version: '0' }, [], {})),
    endsInTime('release', log.release()),
    endsInTime('close', doomed.close()),
    endsInTime('redisLog', redisLog({ ...options, stream: 'new' })),
    endsInTime('open of a store', store.open('new')),
    ...events.map((event) => endsInTime('append to a stream', opened.append(event))),
    // Those that are known here.
    endsInTime('requests', opened.requests(), 'an answer'),
  ])
  equal(await waiting, 'unavailable')
  await body
  const readersMs = Date.now() - start
  ok(readersMs < LOOK_MS + TIMEOUT_MS + SLACK_MS, `readers ended after ${readersMs} ms`)
  await failure.end()
  for (const event of events) {
    await retry(() => log.append(event))
    await retry(() => opened.append(event))
  }
  for (const each of [log, opened.log]) {
    // A server that was started again begins a new epoch; what it has stored is there.
    const { events: found = [] } = await retry(() => each.read(undefined, { maxBytes: 1e6 }))
    equal(found.map((event) => ('index' in event ? event.index : -1)).join(), '0,1,2,3')
  }
  close()
  return `readers ended after ${(readersMs / 1000).toFixed(1)} s`
}

async function endsInTime(name: string, call: Promise<unknown>, how = 'unavailable'): Promise<void> {
  const start = Date.now()
  const code = await call.then(
    () => 'an answer',
    (error: { code?: string }) => String(error.code ?? error),
  )
  const ms = Date.now() - start
  ok(ms < TIMEOUT_MS + SLACK_MS, `${name} ended after ${ms} ms with ${code}`)
  equal(code, how, name)
}

async function retry<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === 20) throw error
      await sleep(200)
    }
  }
}
