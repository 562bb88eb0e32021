/**
 * Gives each property the same cases in every run, so that a red run is due to a change and not to the draw. A test's
 * seed is a hash of its name: equal arbitraries give other cases in other tests.
 *
 * `FC_SEED=random` draws new cases, as the steps of `npm run test:all -- fuzz` do; `FC_SEED=<number>` repeats a failure.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach } from 'vitest'
import { runs } from './runs.ts'

const { FC_SEED } = process.env

function seedOf(name: string): number {
  if (FC_SEED === undefined) return createHash('sha256').update(name).digest().readInt32LE()
  const seed = Number(FC_SEED)
  if (!Number.isInteger(seed))
    throw new TypeError(`Expected FC_SEED to be "random" or an integer, got "${FC_SEED}".`)
  return seed
}

/** The number of cases of a property that states none: that of fast-check with `FC_SCALE=1`, and a fifth of it by default. */
const numRuns = runs(600, 100)

if (FC_SEED === 'random') fc.configureGlobal({ numRuns })
else beforeEach(({ task }) => fc.configureGlobal({ numRuns, seed: seedOf(`${task.file.name} ${task.name}`) }))
