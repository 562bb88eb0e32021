/** What the tasks of a report share. */

import { LONG, SHORT } from './text.ts'

/** More texts, thoughts or calls of one task that are open at once are not distinguished. */
export const MAX_OPEN = 256

/** How much of a recording a report may still hold. */
export interface Budget {
  /** How many more tools and thoughts are listed. */
  items: number
  /** Whether texts are kept up to 16 Ki characters, not only their beginning. */
  readonly isFull: boolean
}

/** The longest text that is kept. */
export function longestText({ isFull }: Budget): number {
  return isFull ? LONG : SHORT
}
