/** The programs that the live example is tried with: its own server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lineOf } from '../redis/server.ts'

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

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
