/** Measuring contenders side by side. */
import { existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Milliseconds a contender took. */
export interface Timing {
  readonly samples: readonly number[]
  readonly median: number
}

const WARM_UP_ROUNDS = 2

/**
 * Runs every contender once a round, in an order that moves on by one each round, so that changes of the
 * machine's speed hit all of them alike. Young garbage is collected before each sample, outside of it. A full
 * collection would discard what the engine has learnt about the shapes of events, which no process at work does.
 *
 * @param contenders - Each does its whole job and returns a sum over what came out. The sum keeps the
 * work from being optimised away; it must be the same every time.
 */
export async function race<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, Timing>> {
  const names = Object.keys(contenders) as Name[]
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]))
  const sums = new Map<Name, number>()
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + WARM_UP_ROUNDS) % names.length] as Name
      collectYoung()
      const start = clock()
      const sum = await contenders[name]()
      const time = clock() - start
      if ((sums.get(name) ?? sum) !== sum) throw new Error(`${name} does not do the same work every time.`)
      sums.set(name, sum)
      if (round >= 0) samples.get(name)?.push(time)
    }
  }
  const timings = names.map((name) => [name, timingOf(samples.get(name) ?? [])])
  return Object.fromEntries(timings) as Record<Name, Timing>
}

/** How many times as long `a` takes as `b`: the median over the rounds, each of which compares neighbours. */
export function ratio(a: Timing, b: Timing): number {
  return median(a.samples.map((sample, round) => sample / (b.samples[round] ?? Number.NaN)))
}

/** What `a` takes longer than `b`. */
export function difference(a: Timing, b: Timing): Timing {
  return timingOf(a.samples.map((sample, round) => sample - (b.samples[round] ?? Number.NaN)))
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

function timingOf(samples: readonly number[]): Timing {
  return { samples, median: median(samples) }
}

function collectYoung(): void {
  const collect = globalThis.gc as ((options: { type: 'minor' }) => void) | undefined
  collect?.({ type: 'minor' })
}

const THREAD_TIME = `/proc/self/task/${process.pid}/schedstat`
const cell = new Int32Array(new SharedArrayBuffer(4))

/** What {@link race} goes by. */
export const clockName: 'main-thread CPU time' | 'wall time' =
  isMainThread && existsSync(THREAD_TIME) ? 'main-thread CPU time' : 'wall time'

/**
 * Milliseconds. Where the system reports it, of CPU time of the main thread, which leaves out what other
 * processes do and what helper threads of the engine do.
 */
function clock(): number {
  if (clockName === 'wall time') return performance.now()
  // The kernel brings the figure up to date at its next tick, or as soon as the thread waits.
  Atomics.wait(cell, 0, 0, 0.1)
  return Number(readFileSync(THREAD_TIME, 'utf8').split(' ')[0]) / 1e6
}
