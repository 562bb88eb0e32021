/** Copies of the project in which mutants are tested, so that the working tree never changes. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'

/** How a test run ended. */
export type Outcome = 'passed' | 'failed' | 'timeout'

/** One copy of the project. */
export interface Workspace {
  /**
   * Runs tests up to the first failure, with a change or without. `seconds` limits the time of the processor, which
   * does not depend on what else the machine does.
   */
  test(args: readonly string[], seconds: number, mutant?: Mutant): Promise<Outcome>
  remove(): void
}

/** What tests read, besides `package.json` and the like. */
const FOLDERS = ['src', 'test', 'scripts', 'schemas', 'examples', 'docs']
const FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'README.md', 'CONTRIBUTING.md']

/** Copies the project into a temporary folder. */
export function createWorkspace(root: string): Workspace {
  const copy = mkdtempSync(join(tmpdir(), 'agentwire-mutants-'))
  for (const name of [...FOLDERS, ...FILES]) cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return {
    async test(args, seconds, mutant) {
      if (mutant === undefined) return runVitest(copy, args, seconds)
      const file = join(copy, mutant.path)
      const original = readFileSync(file, 'utf8')
      writeFileSync(file, mutant.text)
      const outcome = await runVitest(copy, args, seconds)
      // The copy is gone when the runner was interrupted meanwhile.
      if (existsSync(copy)) writeFileSync(file, original)
      return outcome
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}

/** One process and no workers, so that killing it ends an endless loop too. */
const OPTIONS = ['--pool=threads', '--no-isolate', '--no-file-parallelism', '--bail=1', '--reporter=dot']

/** A process that only waits is ended after this many times its time of the processor. */
const MAX_WAIT = 20

function runVitest(folder: string, args: readonly string[], seconds: number): Promise<Outcome> {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const limited = ['-c', `ulimit -t ${Math.ceil(seconds)}; exec "$@"`, 'sh']
  const command = [process.execPath, vitest, ...args, ...OPTIONS]
  const child = spawn('sh', [...limited, ...command], { cwd: folder, stdio: 'ignore' })
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 1000 * seconds * MAX_WAIT)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGXCPU' || signal === 'SIGKILL') resolve('timeout')
      else resolve(code === 0 ? 'passed' : 'failed')
    })
  })
}
