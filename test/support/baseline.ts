/**
 * Compares what machines make of drawn cases with what they made of them before: a refactoring that changes behaviour is seen
 * here, also where no law names it. `UPDATE_BASELINES=1 npm run test:all -- "slow tests"` writes the digests anew if a change
 * is meant.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import { type Result, resultsOf } from './mapper-laws.ts'

/** Characters of a digest. */
const LENGTH = 4

/** Fields that are `undefined` are others than fields that are left out; ids that are drawn are those of any run. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (part === undefined ? '<undefined>' : part)).replaceAll(
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    'uuid',
  )

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, LENGTH)

/** The same cases in every run. */
export const drawn = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number, seed = 1): T[] =>
  fc.sample(arbitrary, { numRuns, seed })

/** What a machine makes of inputs. */
export const madeBy = (machine: unknown, inputs: readonly unknown[]): Result<unknown>[] =>
  resultsOf(machine as Machine<unknown, unknown, unknown>, JSON.parse(JSON.stringify(inputs)))

/** The check of the cases of a name, against the file of an area. */
export function baselineOf(
  area: string,
): <T>(name: string, cases: readonly T[], make: (one: T) => unknown) => Promise<void> {
  const path = `test/fixtures/baselines/${area}.json`
  const known: Record<string, string> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return async (name, cases, make) => {
    const made: string[] = []
    for (const one of cases) made.push(textOf(await make(one)))
    const digests = [digestOf(textOf(cases)), ...made.map(digestOf)]
    if (process.env.UPDATE_BASELINES !== undefined) {
      known[name] = digests.join('')
      writeFileSync(path, `${JSON.stringify(known, null, 2)}\n`)
    }
    const before = known[name] ?? ''
    const changed = digests.flatMap((digest, i) =>
      before.slice(i * LENGTH, (i + 1) * LENGTH) === digest ? [] : [i - 1],
    )
    const first = changed.find((i) => i >= 0) ?? -1
    const message = changed.includes(-1)
      ? `The cases of ${name} are drawn in another way: write the digests anew, on a commit that is known to be right.`
      : `${changed.length} of ${cases.length} cases of ${name} changed (UPDATE_BASELINES=1 writes them anew if that is meant); the first: ${textOf(cases[first])} became ${made[first]}`
    expect(changed, message.slice(0, 8000)).toEqual([])
  }
}
