/** How long to wait before the next connection. */
import { mismatch } from '../../core/require.ts'

/** What a delay depends on. */
export interface Backoff {
  /** How many connections in a row brought nothing new, including this one; at least 1. */
  readonly failures: number
  /** The longest first delay, in milliseconds. */
  readonly base: number
  /** The longest delay, in milliseconds. */
  readonly max: number
}

/** The longest time a `Retry-After` header is obeyed for, in milliseconds: an hour. */
const MAX_RETRY_AFTER = 3_600_000

/**
 * The delay in milliseconds: exponential backoff with full jitter, a random time from 0 to `base` · 2^(failures − 1),
 * so that the clients of a server that restarts do not return at the same time.
 *
 * @throws TypeError if `random` returns anything but a number from 0 to 1.
 */
export function backoffDelay({ failures, base, max }: Backoff, random: () => number): number {
  // At least 1 ms, so that a base of 0 grows.
  const ceiling = Math.min(max, Math.max(1, base) * 2 ** (failures - 1))
  const share = random()
  if (!(share >= 0 && share <= 1)) throw mismatch('random()', 'a number from 0 to 1', share)
  return Math.round(share * ceiling)
}

/** The time of a `Retry-After` header, in milliseconds from now, at most an hour. 0 if it has none. */
export function retryAfter(header: string | null, now: () => number): number {
  const [, seconds, date] = /^\s*(?:(\d+)|(.* GMT))\s*$/.exec(header ?? '') ?? []
  const wait = seconds === undefined ? Date.parse(date ?? '') - now() : Number(seconds) * 1000
  return wait > 0 ? Math.min(MAX_RETRY_AFTER, wait) : 0
}
