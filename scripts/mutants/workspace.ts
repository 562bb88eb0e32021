/** Copies of the project in which mutants are tested, so that the working tree never changes. */
import { spawn, spawnSync } from 'node:child_process'
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
  test(args: readonly string[], seconds: number, mutant: Mutant): Promise<Outcome>
  /** The time of the processor that tests take without a change, in seconds; `undefined` if one fails. */
  time(args: readonly string[]): number | undefined
  remove(): void
}

/** What tests read, besides `package.json` and the like. */
const FOLDERS = ['src', 'test', 'scripts', 'schemas', 'conformance', 'examples', 'docs']
const FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'README.md', 'CONTRIBUTING.md']

/** Copies the project into a temporary folder. */
export function createWorkspace(root: string): Workspace {
  const copy = mkdtempSync(join(tmpdir(), 'turnstream-mutants-'))
  for (const name of [...FOLDERS, ...FILES]) cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return {
    async test(args, seconds, mutant) {
      const file = join(copy, mutant.path)
      const original = readFileSync(file, 'utf8')
      writeFileSync(file, mutant.text)
      const outcome = await runVitest(copy, args, seconds)
      // The copy is gone when the runner was interrupted meanwhile.
      if (existsSync(copy)) writeFileSync(file, original)
      return outcome
    },
    time(args) {
      const script = '"$@" >&2; code=$?; times; exit $code'
      const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', ...commandOf(copy, args)], {
        cwd: copy,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return status === 0 ? childTime(stdout) : undefined
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  }
}

/** One process and no workers, so that killing it ends an endless loop too. */
const OPTIONS = ['--pool=threads', '--no-isolate', '--no-file-parallelism', '--bail=1', '--reporter=dot']

/** A process that only waits is ended after this many times its time of the processor. */
const MAX_WAIT = 20

function commandOf(folder: string, args: readonly string[]): string[] {
  return [process.execPath, join(folder, 'node_modules/vitest/vitest.mjs'), ...args, ...OPTIONS]
}

/** The seconds in what `times` of the shell prints: the second line is the time of its children. */
function childTime(times: string): number {
  const [, children = ''] = times.trim().split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + 60 * Number(m) + Number(s),
    0,
  )
}

function runVitest(folder: string, args: readonly string[], seconds: number): Promise<Outcome> {
  const limited = ['-c', `ulimit -t ${Math.ceil(seconds)}; exec "$@"`, 'sh']
  const child = spawn('sh', [...limited, ...commandOf(folder, args)], { cwd: folder, stdio: 'ignore' })
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 1000 * seconds * MAX_WAIT)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGXCPU' || signal === 'SIGKILL') resolve('timeout')
      else resolve(code === 0 ? 'passed' : 'failed')
    })
  })
}
