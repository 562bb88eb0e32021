/** How long to wait before the next connection. */
import { mismatch } from '../../core/require.ts'

/** What a delay depends on. */
export interface Backoff {
  /** How many connections in a row brought nothing new, including this one; at least 1. */
  readonly failures: number
  /** The longest first delay, in milliseconds, at least 1. No delay is shorter than half of it. */
  readonly min: number
  /** The reconnection time that the server sent, in milliseconds. Replaces a shorter `min` as the longest first delay. */
  readonly retry: number | undefined
  /** The longest delay, in milliseconds, at least 1. */
  readonly max: number
}

/** The longest time a `Retry-After` header is obeyed for, in milliseconds: an hour. */
const MAX_RETRY_AFTER = 3_600_000

/**
 * The delay in milliseconds: exponential backoff with jitter, a random time of at most `min`, or a longer `retry`, times
 * 2^(failures − 1), so that the clients of a server that restarts do not return at the same time. Never shorter than half
 * of `min`: no server makes a client connect in a loop, whatever it sends.
 *
 * @throws TypeError if `random` returns anything but a number from 0 to 1.
 */
export function backoffDelay({ failures, min, retry = 0, max }: Backoff, random: () => number): number {
  const floor = Math.min(max, min) / 2
  const ceiling = Math.min(max, Math.max(min, retry) * 2 ** (failures - 1))
  const share = random()
  if (!(share >= 0 && share <= 1)) throw mismatch('random()', 'a number from 0 to 1', share)
  return Math.ceil(floor + share * (ceiling - floor))
}

/** The time of a `Retry-After` header, in milliseconds from now, at most an hour. 0 if it has none. */
export function retryAfter(header: string | null, now: () => number): number {
  const text = header?.trim() ?? ''
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : date - now()
  return wait > 0 ? Math.min(MAX_RETRY_AFTER, wait) : 0
}
