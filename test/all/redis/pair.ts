/** A primary and its replica behind one address, as hosted services have them. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type RedisServer, startRedis } from './server.ts'

/** Its functions are about the primary. */
export interface RedisPair extends RedisServer {
  /**
   * Promotes the replica: clients are connected to it from then on, and what it had not got yet is lost. The primary was killed, or
   * could not be reached and takes writes until its connections break; then it is the replica.
   */
  failOver(isKilled: boolean): Promise<void>
  /** Ends both. */
  end(): Promise<void>
}

export async function startPair(temporary: string): Promise<RedisPair> {
  let [primary, replica] = [
    await startRedis(temporary, { storage: 'aof' }),
    await startRedis(temporary, { storage: 'aof' }),
  ]
  const replicate = (of: string, port: string): void =>
    void spawnSync('redis-cli', ['-p', `${replica.port}`, 'REPLICAOF', of, port], { timeout: 5000 })
  const follow = (): void => replicate('127.0.0.1', `${primary.port}`)
  follow()
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(primary.port, '127.0.0.1')
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill: () => primary.kill(),
    stop: () => primary.stop(),
    resume: () => primary.resume(),
    send: (...args) => primary.send(...args),
    start: (storage) => primary.start(storage),
    async failOver(isKilled) {
      if (isKilled) await primary.kill()
      replicate('NO', 'ONE')
      ;[primary, replica] = [replica, primary]
      cut()
      if (isKilled) await replica.start('none')
      follow()
    },
    async end() {
      proxy.close()
      cut()
      await Promise.all([primary.kill(), replica.kill()])
    },
  }
}
