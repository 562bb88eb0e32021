/** A cluster of two nodes with a replica each, whose slots can be moved. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type RedisServer, startRedis } from './server.ts'

export interface RedisCluster {
  /** The port of one node, which names the others. */
  readonly port: number
  /** Moves the slot of a key to the other node, one key after the other, as resharding does. */
  moveSlotOf(key: string): Promise<void>
  /** Lets the replica of the node that has a key take its place, without a loss. */
  failOver(key: string): Promise<void>
  end(): Promise<void>
}

interface Node {
  readonly server: RedisServer
  readonly id: string
  send(...args: (string | number)[]): Promise<unknown>
  quit(): void
}

export async function startCluster(temporary: string): Promise<RedisCluster> {
  const first = await startNode(temporary, false)
  const others = [await startNode(temporary, true), await startNode(temporary, true)] as const
  const last = await startNode(temporary, true)
  const nodes = [first, ...others, last]
  for (const { server, send } of nodes.slice(1)) {
    const bus = /@(\d+)/.exec(String(await send('CLUSTER', 'NODES')))?.[1] ?? ''
    await first.send('CLUSTER', 'MEET', '127.0.0.1', server.port, bus)
  }
  for (const node of nodes) {
    await until(async () =>
      /cluster_state:ok[\s\S]*cluster_known_nodes:4/.test(String(await node.send('CLUSTER', 'INFO'))),
    )
  }
  /** The shards: who leads each, and its replica. */
  const shards: [Node, Node][] = [
    [first, others[1]],
    [others[0], last],
  ]
  for (const [leader, replica] of shards) {
    await until(() =>
      replica.send('CLUSTER', 'REPLICATE', leader.id).then(
        () => true,
        () => false,
      ),
    )
  }
  for (const [, replica] of shards) await replicates(replica)
  /** The slots that the second shard has. */
  const moved = new Set<number>()
  const slotOf = async (key: string): Promise<number> => Number(await first.send('CLUSTER', 'KEYSLOT', key))

  return {
    port: first.server.port,
    async moveSlotOf(key) {
      const slot = await slotOf(key)
      const [from, to] = (moved.has(slot) ? shards.toReversed() : shards).map(([leader]) => leader) as [
        Node,
        Node,
      ]
      await to.send('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id)
      await from.send('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
      for (;;) {
        const [name] = (await from.send('CLUSTER', 'GETKEYSINSLOT', slot, 1)) as string[]
        if (name === undefined) break
        // A node that is slow to answer the others is down for a moment: the key is where it was.
        await until(() =>
          from.send('MIGRATE', '127.0.0.1', to.server.port, name, 0, 5000).then(
            () => true,
            (error: unknown) => {
              if (!String(error).includes('CLUSTERDOWN')) throw error
              return false
            },
          ),
        )
        await sleep(Math.random() * 30)
      }
      for (const node of [to, from]) await node.send('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
      if (!moved.delete(slot)) moved.add(slot)
    },
    async failOver(key) {
      const shard = shards[moved.has(await slotOf(key)) ? 1 : 0] as [Node, Node]
      const [leader, replica] = shard
      // No write is confirmed that the replica has not got.
      await leader.send('CLIENT', 'PAUSE', 20_000, 'WRITE')
      await until(async () => (await offsetOf(leader)) === (await offsetOf(replica)))
      await replica.send('CLUSTER', 'FAILOVER', 'TAKEOVER')
      await until(async () => ((await leader.send('ROLE')) as unknown[])[0] === 'slave')
      await leader.send('CLIENT', 'UNPAUSE')
      shard.reverse()
      await replicates(leader)
    },
    async end() {
      for (const node of nodes) {
        node.quit()
        await node.server.kill()
      }
    },
  }
}

/** How much of the writes a node has got. */
async function offsetOf(node: Node): Promise<string | undefined> {
  const info = String(await node.send('INFO', 'replication'))
  return /slave_repl_offset:(\d+)/.exec(info)?.[1] ?? /master_repl_offset:(\d+)/.exec(info)?.[1]
}

/** Waits until a node is a replica that has got everything. */
const replicates = (node: Node): Promise<void> =>
  until(async () => String(await node.send('INFO', 'replication')).includes('master_link_status:up'))

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await isSo()); await sleep(50)) {
    if (Date.now() > end) throw new Error('The cluster did not get ready in time.')
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
