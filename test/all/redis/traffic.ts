/** What the nodes of a cluster send each other for the messages of new events: those of one stream go to its node alone. */
import { equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { redisStore } from 'turnstream/redis'
import type { Lab } from '../lab.ts'
import { clusterClients } from './clients.ts'
import { type RedisServer, startRedis } from './server.ts'

const STREAMS = 60
const EVENTS = 20
/** The nodes of a cluster know that they are alive by messages of other types. */
const SENT = /cluster_stats_messages_publish(?:shard)?_sent:(\d+)/g

export async function traffic({ temporary }: Lab): Promise<string> {
  const seen: string[] = []
  for (const count of [3, 6]) {
    for (const [name, connect] of Object.entries(clusterClients)) {
      const nodes = await startNodes(temporary, count)
      const { client, close } = await connect(nodes[0]?.port as number)
      try {
        seen.push(`${count} nodes, ${name}: ${await measured(nodes, client)}`)
      } finally {
        close()
        for (const { kill } of nodes) await kill()
      }
    }
  }
  return seen.join('; ')
}

async function measured(
  nodes: readonly RedisServer[],
  client: Parameters<typeof redisStore>[0]['client'],
): Promise<string> {
  const codes: string[] = []
  const store = redisStore({ client, mayAccess: () => true, onDiagnostic: ({ code }) => codes.push(code) })
  const stop = new AbortController()
  let got = 0
  const streams = await Promise.all(Array.from({ length: STREAMS }, (_, n) => store.open(`s-${n}`)))
  for (const stream of streams) {
    const reader = stream.respond(null, { signal: stop.signal }).body?.getReader()
    void (async () => {
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        got += new TextDecoder().decode(part.value).split('"kind":"content-delta"').length - 1
    })()
  }
  await sleep(2000)
  const before = sum(nodes.map(sentBy))
  const own = nodes.map(published)
  for (let index = 0; index < EVENTS; index++) {
    const event = { kind: 'content-delta', contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    await Promise.all(streams.map((stream) => stream.append({ ...event, delta: 'x', index } as never)))
    await sleep(20)
  }
  await sleep(500)
  const sent = sum(nodes.map(sentBy)) - before
  stop.abort()
  await store.close()
  const all = STREAMS * EVENTS
  equal(got, all)
  equal(codes.join(), '')
  const each = nodes.map((node, n) => published(node) - (own[n] ?? 0))
  // Moves of streams alone are announced to all.
  if (process.env.NO_CHECK === undefined)
    ok(sent < all / 10, `${sent} messages between nodes for ${all} events`)
  return `${all} events, ${sent} messages between nodes, ${Math.max(...each)} of the busiest node itself`
}

function sentBy(node: RedisServer): number {
  return sum([...node.send('CLUSTER', 'INFO').matchAll(SENT)].map(([, count]) => Number(count)))
}

/** How often a node was told to publish. */
function published(node: RedisServer): number {
  const all = node.send('INFO', 'commandstats').matchAll(/cmdstat_s?publish:calls=(\d+)/g)
  return sum([...all].map(([, calls]) => Number(calls)))
}

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)

async function startNodes(temporary: string, count: number): Promise<RedisServer[]> {
  const nodes: RedisServer[] = []
  for (let n = 0; n < count; n++) {
    const node = await startRedis(temporary, { cluster: true, hasNoSlots: true })
    const bounds = [n, n + 1].map((at) => Math.floor((at * 16384) / count)) as [number, number]
    node.send('CLUSTER', 'ADDSLOTSRANGE', `${bounds[0]}`, `${bounds[1] - 1}`)
    nodes.push(node)
  }
  for (const node of nodes.slice(1)) {
    const bus = /@(\d+)/.exec(node.send('CLUSTER', 'NODES'))?.[1] ?? ''
    nodes[0]?.send('CLUSTER', 'MEET', '127.0.0.1', `${node.port}`, bus)
  }
  const isReady = (node: RedisServer): boolean =>
    new RegExp(`cluster_state:ok[\\s\\S]*cluster_known_nodes:${count}\\b`).test(node.send('CLUSTER', 'INFO'))
  for (const end = Date.now() + 30_000; !nodes.every(isReady); await sleep(100))
    if (Date.now() > end) throw new Error('The cluster did not get ready in time.')
  return nodes
}
