/** The clients that are tried, connected to a server. */

import { Cluster, Redis } from 'ioredis'
import { createClient, createCluster, createSentinel } from 'redis'
import type { RedisClient } from 'turnstream/redis'

export interface Connected {
  readonly client: RedisClient
  close(): void
}

/** How to connect with each client. */
export const clients: Readonly<Record<string, (port: number) => Promise<Connected>>> = {
  'node-redis': async (port) => {
    const client = createClient({
      url: `redis://127.0.0.1:${port}`,
      socket: { reconnectStrategy: (retries) => Math.min(retries * 20, 500) },
    })
    client.on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  ioredis: async (port) => {
    const client = new Redis(port, '127.0.0.1', { retryStrategy: (times) => Math.min(times * 20, 500) })
    client.on('error', () => {})
    await new Promise((resolve) => client.once('ready', resolve))
    return { client, close: () => client.disconnect() }
  },
}

/** The same for a cluster. */
export const clusterClients: typeof clients = {
  'a cluster with node-redis': async (port) => {
    const client = createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${port}` }] })
    client.on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  'a cluster with ioredis': async (port) => {
    const client = new Cluster([{ host: '127.0.0.1', port }])
    client.on('error', () => {})
    return { client, close: () => client.disconnect() }
  },
}

/** The same for a sentinel of `main`. */
export const sentinelClients: typeof clients = {
  'createSentinel of node-redis': async (port) => {
    const client = createSentinel({ name: 'main', sentinelRootNodes: [{ host: '127.0.0.1', port }] })
    client.on('error', () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  'a sentinel with ioredis': async (port) => {
    const client = new Redis({ sentinels: [{ host: '127.0.0.1', port }], name: 'main' })
    client.on('error', () => {})
    return { client, close: () => client.disconnect() }
  },
}
