/** Draws mutants, tests each with the tests of its folder, and collects the verdicts. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCompiler } from './compiler.ts'
import { declares, equivalents } from './equivalents.ts'
import { type Mutant, mutantsOf, shuffled } from './mutants.ts'
import type { RunOptions } from './options.ts'
import { describeMutant, type Verdict } from './report.ts'
import type { Workspace } from './workspace.ts'

/** The mutants that a run tests, and the verdicts on those it drew but does not test. */
export interface Draw {
  readonly mutants: readonly Mutant[]
  readonly verdicts: readonly Verdict[]
}

/** Draws mutants that compile, in equal shares of all folders. */
export function draw(root: string, { folders, count, seed }: RunOptions): Draw {
  const compiles = createCompiler(root)
  const mutants: Mutant[] = []
  const verdicts: Verdict[] = []
  const share = Math.ceil(count / folders.length)
  for (const folder of folders) {
    let drawn = 0
    for (const mutant of shuffled(mutantsOf(root, folder), seed)) {
      if (drawn === share) break
      if (!compiles(mutant)) verdicts.push({ mutant, status: 'refused' })
      else if (equivalents.some((entry) => declares(entry, mutant)))
        verdicts.push({ mutant, status: 'equivalent' })
      else {
        mutants.push(mutant)
        drawn++
      }
    }
  }
  return { mutants: shuffled(mutants, seed), verdicts }
}

/** The tests that mirror a file: those of its folder, or else of the nearest folder above that has tests. */
export function mirroredTests(root: string, path: string): string {
  for (let folder = dirname(path); folder !== 'src'; folder = dirname(folder)) {
    const tests = `${folder.replace(/^src/, 'test')}/`
    if (existsSync(join(root, tests))) return tests
  }
  throw new Error(`No tests mirror ${path}.`)
}

/**
 * How long each folder of tests takes without a change, in seconds of the processor.
 *
 * @throws Error if a test fails without a change.
 */
export function timeTests(workspace: Workspace, folders: readonly string[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const tests of folders) {
    const time = workspace.time(['run', tests])
    if (time === undefined) throw new Error(`The tests in ${tests} fail without a mutant.`)
    times.set(tests, time)
  }
  return times
}

/** Tests mutants in several workspaces at a time, until all are tested or `isOver`. */
export async function testMutants(
  root: string,
  { mutants }: Draw,
  workspaces: readonly Workspace[],
  times: ReadonlyMap<string, number>,
  { related }: RunOptions,
  isOver: () => boolean,
): Promise<Verdict[]> {
  const queue = [...mutants]
  const verdicts: Verdict[] = []
  const work = async (workspace: Workspace): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined && !isOver(); mutant = queue.shift()) {
      const tests = mirroredTests(root, mutant.path)
      const seconds = 5 + 2 * (times.get(tests) ?? 0)
      let outcome = await workspace.test(['run', tests], seconds, mutant)
      if (outcome === 'passed' && related)
        outcome = await workspace.test(['related', '--run', mutant.path], 600, mutant)
      if (isOver() && outcome !== 'passed') return
      const status = { passed: 'survived', failed: 'killed', timeout: 'timeout' } as const
      verdicts.push({ mutant, status: status[outcome] })
      // One that ran out of time is to be looked at too: it counts as killed only if it loops.
      if (outcome !== 'failed')
        console.log(`${verdicts.length}/${mutants.length} ${status[outcome]} ${describeMutant(mutant)}`)
    }
  }
  await Promise.all(workspaces.map(work))
  return verdicts
}
