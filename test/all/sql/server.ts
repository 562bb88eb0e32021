/** A Postgres of our own, on a free port: it can be stopped, killed and started again. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../redis/server.ts'
import { Skipped } from '../step.ts'

export interface PostgresServer {
  readonly port: number
  readonly user: string
  /** Stops all its processes: they keep their connections, and answer nothing until they resume. */
  stop(): void
  resume(): void
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
  /** Starts it again with what it has stored. */
  start(): Promise<void>
}

const VERSIONS = '/usr/lib/postgresql'

/** Starts a Postgres in a new folder. */
export async function startPostgres(temporary: string = tmpdir()): Promise<PostgresServer> {
  const [version] = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort().reverse() : []
  if (version === undefined) throw new Skipped('there is no Postgres: install the Debian package postgresql')
  const bin = (name: string): string => join(VERSIONS, version, 'bin', name)
  const port = await freePort()
  const folder = mkdtempSync(join(temporary, 'turnstream-postgres-'))
  const account = accountOf(folder)
  const data = join(folder, 'data')
  const settings = { ...account, stdio: 'ignore' as const }
  execFileSync(
    bin('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'],
    settings,
  )
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const flags = ['-D', data, '-p', `${port}`, '-k', folder, '-c', 'listen_addresses=127.0.0.1']
    child = spawn(bin('postgres'), flags, { ...settings, detached: true })
    for (let attempt = 0; attempt < 200; attempt++) {
      try {
        execFileSync(bin('pg_isready'), ['-h', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' })
        return
      } catch {
        await sleep(100)
      }
    }
    throw new Error('Postgres did not start.')
  }

  /** The server, and the processes of its connections: each is the leader of a group of its own. */
  function signalAll(signal: NodeJS.Signals): void {
    const { pid } = child ?? {}
    if (pid === undefined) return
    for (const each of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(each, signal)
      } catch {
        // It has just ended.
      }
    }
  }

  await start()
  return {
    port,
    user: 'postgres',
    start,
    stop: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      signalAll('SIGKILL')
      await gone
    },
  }
}

/** Postgres does not run as root: the account that its package creates. */
function accountOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (kind: 'u' | 'g'): number =>
    Number(execFileSync('id', [`-${kind}`, 'postgres'], { encoding: 'utf8' }))
  const account = { uid: idOf('u'), gid: idOf('g') }
  chmodSync(folder, 0o755)
  execFileSync('chown', [`${account.uid}:${account.gid}`, folder])
  return account
}

function childrenOf(pid: number): number[] {
  try {
    const text = execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' })
    return text.split('\n').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
