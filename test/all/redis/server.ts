/** A redis-server of our own, on a free port: it can be killed and started again. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Skipped } from '../step.ts'

/** How a server stores its data. */
export type Storage = 'none' | 'aof'

export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Sends a command, and returns what it answers. */
  send(...args: readonly string[]): string
  /** Ends it at once, as a crash does, and resolves when it has gone. */
  kill(): Promise<void>
  /** Stops it: it keeps its connections, and answers nothing until it resumes. */
  stop(): void
  resume(): void
  /** Starts it again, on the same port and with what it has stored. */
  start(storage: Storage): Promise<void>
}

export interface RedisServerOptions {
  /** @defaultValue `'none'` */
  readonly storage?: Storage
  /** Whether it is a cluster of one node that holds all slots. */
  readonly cluster?: boolean
  /** Whether it holds none of them. */
  readonly hasNoSlots?: boolean
}

/** Starts a Redis in a new folder. */
export async function startRedis(temporary: string, options: RedisServerOptions = {}): Promise<RedisServer> {
  if (spawnSync('redis-server', ['--version']).error !== undefined) {
    throw new Skipped('there is no redis-server: install the Debian package of that name')
  }
  const port = await freePort()
  const dir = mkdtempSync(join(temporary, 'redis-'))
  let child: ChildProcess | undefined

  async function start(storage: Storage): Promise<void> {
    const flags = {
      ...{ port, bind: '127.0.0.1', dir, save: '', 'repl-diskless-load': 'disabled' },
      ...{ appendonly: storage === 'aof' ? 'yes' : 'no', appendfsync: 'everysec' },
      ...(options.cluster === true && {
        'cluster-enabled': 'yes',
        'cluster-port': await freePort(),
        'cluster-announce-ip': '127.0.0.1',
        // A node without slots is no replica.
        'cluster-allow-replica-migration': 'no',
      }),
    }
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`])
    child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await lineOf(child, /Ready to accept connections/)
  }

  const send: RedisServer['send'] = (...args) =>
    spawnSync('redis-cli', ['-p', `${port}`, ...args], { encoding: 'utf8' }).stdout

  await start(options.storage ?? 'none')
  if (options.cluster === true && options.hasNoSlots !== true) {
    send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    while (!send('CLUSTER', 'INFO').includes('cluster_state:ok'))
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    send,
    stop: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Starts a sentinel of the server at a port. */
export async function startSentinel(
  temporary: string,
  port: number,
): Promise<{ readonly port: number; kill(): void }> {
  const own = await freePort()
  const file = join(mkdtempSync(join(temporary, 'sentinel-')), 'sentinel.conf')
  writeFileSync(file, `port ${own}\nsentinel monitor main 127.0.0.1 ${port} 1\n`)
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'inherit'] })
  await lineOf(child, /\+monitor master main/)
  return { port: own, kill: () => void child.kill() }
}

/** The first line a program prints that looks so. Throws when it ends before that. */
export async function lineOf(child: ChildProcess, like: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('What the program prints is not to be read.')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!like.test(line)) continue
    // Nobody reads on, and the program must not wait for that.
    child.stdout.resume()
    return line
  }
  throw new Error(`${child.spawnargs.join(' ')} did not start.`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
