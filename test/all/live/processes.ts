/** The programs that the live example is tried with: its own server, and Redis. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Skipped } from '../step.ts'

export interface Started {
  readonly url: string
  /** Ends it at once, as a crash does, and resolves when it has gone. */
  kill(): Promise<void>
}

/** Starts the server of the live example as its users do, on a free port. */
export async function startLive(root: string, args: readonly string[]): Promise<Started> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'examples/live/server.ts', '--port', '0', ...args],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await lineOf(child, /^http:\S+$/)
  return { url, kill: () => killed(child) }
}

/** Starts a Redis that stores nothing, on a free port. */
export async function startRedis(temporary: string): Promise<Started> {
  if (spawnSync('redis-server', ['--version']).error !== undefined) {
    throw new Skipped('there is no redis-server: install the Debian package of that name')
  }
  const port = await freePort()
  const dir = mkdtempSync(join(temporary, 'redis-'))
  const child = spawn(
    'redis-server',
    ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await lineOf(child, /Ready to accept connections/)
  return { url: `redis://127.0.0.1:${port}`, kill: () => killed(child) }
}

/** The first line a program prints that looks so. Throws when it ends before that. */
async function lineOf(child: ChildProcess, like: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('What the program prints is not to be read.')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!like.test(line)) continue
    // Nobody reads on, and the program must not wait for that.
    child.stdout.resume()
    return line
  }
  throw new Error(`${child.spawnargs.join(' ')} did not start.`)
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
