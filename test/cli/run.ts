/** Running commands: in this process, or as a program. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { runCli } from '../../src/cli/run-cli.ts'
import { compiled } from '../support/compiled.ts'

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

/** The binary. */
export const mainFile = (): string => compiled(new URL('../../src/cli/main.ts', import.meta.url))

/** The command line of the binary, for a shell. */
export const binary = (): string => `"${process.execPath}" "${mainFile()}"`

/** Runs a line of shell, in which `turnstream` is the binary. */
export function shell(line: string, input?: string): SpawnSyncReturns<string> {
  const command = line.replaceAll('turnstream', binary)
  return spawnSync('sh', ['-c', command], { encoding: 'utf8', ...(input !== undefined && { input }) })
}
