/** The problems of a recording, and the events they belong to. */
import type { Problem, Severity } from './problem.ts'
import type { Row } from './row.ts'

/** The most problems that are kept. */
export const MAX_PROBLEMS = 10_000

/** What a problem marks: events, by their lines and rows. */
export interface Marked {
  readonly lines: readonly number[]
  readonly timeline: { readonly rowOf: readonly Row[] }
}

export class ProblemList {
  readonly all: Problem[] = []
  /** Number of problems by severity, also of those that are not kept. */
  readonly counts: Record<Severity, number> = { error: 0, warn: 0, info: 0 }
  /** The most severe problem of each event that has an error or a warning, or that is followed by a value with one. */
  readonly severityOf: Map<number, 'error' | 'warn'> = new Map()
  readonly #marked: Marked
  readonly #infos = new Map<string, Problem>()
  /** Problems whose event may be the next one. */
  #pending: Problem[] = []

  constructor(marked: Marked) {
    this.#marked = marked
  }

  /**
   * Adds a problem. Without an index, it belongs to the next event of its line, or else to the latest event of it, or else
   * to none, and marks the event before it.
   */
  add(problem: Omit<Problem, 'count'>): void {
    const { severity, code } = problem
    this.counts[severity]++
    const same = severity === 'info' ? this.#infos.get(code) : undefined
    if (same !== undefined) {
      same.count++
      return
    }
    const kept: Problem = { ...problem, count: 1 }
    if (severity === 'info') this.#infos.set(code, kept)
    if (this.all.length < MAX_PROBLEMS) this.all.push(kept)
    if (kept.index === undefined) this.#pending.push(kept)
    else this.#mark(kept)
  }

  /** Gives the problems that wait for an event theirs. Called after each event, and at the end. */
  settle(): void {
    if (this.#pending.length === 0) return
    const { lines } = this.#marked
    const last = lines.length - 1
    for (const problem of this.#pending) {
      // Of several events of the line, the one before is as good, once a later line was read.
      const latest = [last, last - 1].filter((at) => at >= 0)
      const { line } = problem
      const index = latest.find((at) => lines[at] === line)
      if (index !== undefined) problem.index = index
      else if (line === undefined || last < 0) continue
      else problem.near = latest.find((at) => (lines[at] ?? 0) < line) ?? last
      this.#mark(problem)
    }
    this.#pending = []
  }

  #mark({ near, index = near, severity }: Problem): void {
    if (index === undefined || severity === 'info') return
    if (this.severityOf.get(index) !== 'error') this.severityOf.set(index, severity)
    const row = this.#marked.timeline.rowOf[index]
    if (row === undefined) return
    if (row.severity !== 'error') row.severity = severity
    if (row.problems.at(-1) !== index) row.problems.push(index)
  }
}
