/** One line of the result: what was measured, the figure, and the budget. */
import { ratio, type Timing } from './race.ts'

/** How much work a group does. */
export interface Effort {
  /** How many samples each contender gives, from 1. */
  readonly rounds: number
  /** Factor on the amounts of input: 1 when measuring, less to find out whether the code runs. */
  readonly scale: number
}

/** One line of the result. */
export interface Row {
  readonly what: string
  readonly figure: number
  readonly unit: Unit
  /** Omitted if nothing is promised. */
  readonly budget?: Budget
  /** What the figure is made of. */
  readonly detail?: string
}

/** The unit of a figure. `×`: a ratio. */
export type Unit = '×' | 'ns' | 'µs' | 'ms' | 'M/s' | 'KiB' | 'MiB'

/** What is promised, in the unit of the row. */
export interface Budget {
  readonly bound: '≤' | '≥'
  readonly limit: number
}

/** A limit that depends on the version of Node. Others have that of the next later one. */
export interface LimitByNode {
  readonly 20: number
  readonly 24: number
}

export function atMost(limit: number | LimitByNode): Budget {
  return { bound: '≤', limit: typeof limit === 'number' ? limit : limitOfThisNode(limit) }
}

export function atLeast(limit: number): Budget {
  return { bound: '≥', limit }
}

function limitOfThisNode(limit: LimitByNode): number {
  return Number.parseInt(process.versions.node, 10) <= 20 ? limit[20] : limit[24]
}

export function isMet({ figure, budget }: Row): boolean {
  if (budget === undefined) return true
  return budget.bound === '≤' ? figure <= budget.limit : figure >= budget.limit
}

/** Nanoseconds per unit of work. */
export function nsEach({ median }: Timing, count: number): number {
  return (median * 1e6) / count
}

/** A row for how many times as long `work` takes as `base`, with the time of one of `count`. */
export function ratioRow(what: string, work: Timing, base: Timing, count: number, budget?: Budget): Row {
  const detail = `${timeText(nsEach(work, count))} against ${timeText(nsEach(base, count))}`
  return { what, figure: ratio(work, base), unit: '×', ...(budget && { budget }), detail }
}

/** A time, for people. */
export function timeText(ns: number): string {
  if (ns < 100) return `${ns.toFixed(1)} ns`
  if (ns < 10_000) return `${ns.toFixed(0)} ns`
  return ns < 1e6 ? `${(ns / 1e3).toFixed(1)} µs` : `${(ns / 1e6).toFixed(1)} ms`
}
