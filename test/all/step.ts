/** What a slow check is. */
import type { Lab } from './lab.ts'

export interface Step {
  readonly name: string
  /**
   * Resolves with what was checked, in a few words. Throws when that does not hold, and
   * {@link Skipped} when it cannot be checked here.
   */
  readonly run: (lab: Lab) => Promise<string>
}

/** A tool is missing. The message names it and where to get it. */
export class Skipped extends Error {}

/** The seed of what a step draws by itself: the number that `FC_SEED` states, and a new one without it. */
export function stepSeed(): number {
  const seed = Number(process.env.FC_SEED ?? 'random')
  return Number.isInteger(seed) ? seed : Math.floor(Math.random() * 2 ** 31)
}
