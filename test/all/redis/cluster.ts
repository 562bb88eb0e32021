/** A cluster of two nodes, whose slots can be moved. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type RedisServer, startRedis } from './server.ts'

export interface RedisCluster {
  /** The port of one node, which names the other. */
  readonly port: number
  /** Moves the slot of a key to the other node, one key after the other, as resharding does. */
  moveSlotOf(key: string): Promise<void>
  end(): Promise<void>
}

interface Node {
  readonly server: RedisServer
  readonly id: string
  send(...args: (string | number)[]): Promise<unknown>
  quit(): void
}

export async function startCluster(temporary: string): Promise<RedisCluster> {
  const nodes = [await startNode(temporary, false), await startNode(temporary, true)] as const
  const [first, second] = nodes
  const addresses = String(await second.send('CLUSTER', 'NODES'))
  const bus = /@(\d+)/.exec(addresses)?.[1] ?? ''
  await first.send('CLUSTER', 'MEET', '127.0.0.1', second.server.port, bus)
  for (const node of nodes) {
    while (!/cluster_state:ok[\s\S]*cluster_known_nodes:2/.test(String(await node.send('CLUSTER', 'INFO')))) {
      await sleep(50)
    }
  }
  /** The slots that the second node has. */
  const moved = new Set<number>()

  return {
    port: first.server.port,
    async moveSlotOf(key) {
      const slot = Number(await first.send('CLUSTER', 'KEYSLOT', key))
      const [from, to] = moved.has(slot) ? [second, first] : nodes
      await to.send('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id)
      await from.send('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
      for (;;) {
        const [name] = (await from.send('CLUSTER', 'GETKEYSINSLOT', slot, 1)) as string[]
        if (name === undefined) break
        await from.send('MIGRATE', '127.0.0.1', to.server.port, name, 0, 5000)
        await sleep(Math.random() * 30)
      }
      for (const node of [to, from]) await node.send('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
      if (!moved.delete(slot)) moved.add(slot)
    },
    async end() {
      for (const node of nodes) {
        node.quit()
        await node.server.kill()
      }
    },
  }
}

async function startNode(temporary: string, hasNoSlots: boolean): Promise<Node> {
  const server = await startRedis(temporary, { cluster: true, hasNoSlots })
  const admin = new Redis(server.port, '127.0.0.1', { retryStrategy: () => null })
  admin.on('error', () => {})
  const send = (...[name = '', ...args]: (string | number)[]): Promise<unknown> =>
    admin.call(String(name), ...args)
  return { server, id: String(await send('CLUSTER', 'MYID')), send, quit: () => admin.disconnect() }
}
