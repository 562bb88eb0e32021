/** Running commands: in this process, or as a program. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runCli } from '../../src/cli/run-cli.ts'

/** What a command printed, and its exit code. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command in this process. */
export async function run(...args: readonly string[]): Promise<Outcome> {
  let out = ''
  let err = ''
  const code = await runCli(args, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** The command line of the binary, for a shell. */
export const binary: string = `"${process.execPath}" --import tsx "${main}"`

/** Runs a line of shell, in which `agentwire` is the binary. */
export function shell(line: string, input?: string): SpawnSyncReturns<string> {
  const command = line.replaceAll('agentwire', () => binary)
  return spawnSync('sh', ['-c', command], { encoding: 'utf8', ...(input !== undefined && { input }) })
}
