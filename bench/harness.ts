/** Measuring side by side, and the rows that come of it. */
import { existsSync, readFileSync } from 'node:fs'

/** One line of the result. */
export interface Row {
  readonly what: string
  /** What was measured, for people: amounts with their units. */
  readonly measured: string
  /** How many times as long it takes as `against`. */
  readonly ratio?: Ratio & { readonly against: string }
  /** What is promised, if anything is. */
  readonly budget?: Budget
}

/** A promise, and the figure that must keep it. */
export interface Budget {
  readonly figure: number
  readonly bound: 'at most' | 'at least'
  readonly limit: number
  /** `x` for a ratio. */
  readonly unit: 'x' | 'ns' | 'KiB'
}

/** Milliseconds a contender took. */
export interface Timing {
  readonly samples: readonly number[]
  readonly median: number
  readonly best: number
}

/** How two amounts compare. */
export interface Ratio {
  /** Median over the rounds: each compares what ran within the same second or two. */
  readonly typical: number
  /** Of the two best samples: what is left when the machine does not interfere. */
  readonly best: number
}

const WARM_UP_ROUNDS = 2

/**
 * Runs every contender once a round, in an order that moves on by one each round, so that a change of
 * the machine's mood hits all of them alike. Young garbage is collected before each sample, outside of
 * it. A full collection would cost the next contender dearly: with the last event it forgets what the
 * engine has learnt about the shapes of events, which no process at work does.
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

/** How many times as long `a` takes as `b`. */
export function ratio(a: Timing, b: Timing): Ratio {
  return {
    typical: median(a.samples.map((sample, round) => sample / (b.samples[round] ?? Number.NaN))),
    best: a.best / b.best,
  }
}

/** What `a` takes longer than `b`, as a timing. */
export function difference(a: Timing, b: Timing): Timing {
  const samples = a.samples.map((sample, round) => sample - (b.samples[round] ?? Number.NaN))
  // Not the smallest difference: that is the round in which `b` was held up most.
  return { samples, median: median(samples), best: a.best - b.best }
}

function collectYoung(): void {
  const collect = globalThis.gc as ((options: { type: 'minor' }) => void) | undefined
  collect?.({ type: 'minor' })
}

function timingOf(samples: readonly number[]): Timing {
  return { samples, median: median(samples), best: Math.min(...samples) }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

const THREAD_TIME = `/proc/self/task/${process.pid}/schedstat`
const cell = new Int32Array(new SharedArrayBuffer(4))

/** What {@link race} goes by. */
export const clockName: 'main-thread CPU time' | 'wall time' = existsSync(THREAD_TIME)
  ? 'main-thread CPU time'
  : 'wall time'

/**
 * Milliseconds. Where the system reports it, of CPU time of the main thread, which leaves out what
 * others do on the machine and what helper threads of the engine do for anybody.
 */
function clock(): number {
  if (clockName === 'wall time') return performance.now()
  // The kernel brings the figure up to date at its next tick, or as soon as the thread waits.
  Atomics.wait(cell, 0, 0, 0.1)
  return Number(readFileSync(THREAD_TIME, 'utf8').split(' ')[0]) / 1e6
}

/** A time per unit of work in nanoseconds, for people. */
export function nsPer(unit: string, timing: Timing, count: number): string {
  const ns = (ms: number): string => ((ms * 1e6) / count).toFixed(ms * 1e6 < 100 * count ? 1 : 0)
  return `${ns(timing.median)} ns/${unit} (best ${ns(timing.best)})`
}

/** A time, for people. */
export function ms(timing: Timing): string {
  return `${timing.median.toFixed(1)} ms (best ${timing.best.toFixed(1)})`
}
