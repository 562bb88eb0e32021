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

/** A problem to add. */
export type NewProblem = Omit<Problem, 'after' | 'count'>

export class ProblemList {
  readonly all: Problem[] = []
  /** Number of problems by severity, also of those that are not kept. */
  readonly counts: Record<Severity, number> = { error: 0, warn: 0, info: 0 }
  /** The most severe problem of each event that has an error or a warning. */
  readonly severityOf: Map<number, 'error' | 'warn'> = new Map()
  /** The events to show errors and warnings at: their own, or the last one before them. */
  readonly places: Set<number> = new Set()
  readonly #marked: Marked
  readonly #infos = new Map<string, Problem>()
  /** Problems whose event may be the next one. */
  #pending: Problem[] = []

  constructor(marked: Marked) {
    this.#marked = marked
  }

  /**
   * Adds a problem. Its event may be added later.
   *
   * @param isOfLine - Whether a problem without an index belongs to the next event of its line, or else to the latest
   * event of it. If not, or if there is none, it marks no event.
   */
  add(problem: NewProblem, isOfLine = false): void {
    const { severity, code } = problem
    this.counts[severity]++
    const same = severity === 'info' ? this.#infos.get(code) : undefined
    if (same !== undefined) {
      same.count++
      return
    }
    const last = this.#marked.lines.length - 1
    const kept: Problem = { ...problem, after: last, count: 1 }
    if (severity === 'info') this.#infos.set(code, kept)
    if (this.all.length < MAX_PROBLEMS) this.all.push(kept)
    if (kept.index === undefined ? isOfLine : kept.index > last) this.#pending.push(kept)
    else this.#mark(kept)
  }

  /** Gives the problems that wait for an event theirs. Called after each event, and at the end. */
  settle(): void {
    if (this.#pending.length === 0) return
    const { lines } = this.#marked
    const last = lines.length - 1
    for (const problem of this.#pending) {
      // Of several events of the line, the one before is as good, once a later line was read.
      const index = problem.index ?? [last, last - 1].find((at) => at >= 0 && lines[at] === problem.line)
      if (index !== undefined) problem.index = index
      this.#mark(problem)
    }
    this.#pending = []
  }

  #mark({ index, after, severity }: Problem): void {
    if (severity === 'info') return
    this.places.add(index ?? after)
    if (index === undefined) return
    if (this.severityOf.get(index) !== 'error') this.severityOf.set(index, severity)
    const row = this.#marked.timeline.rowOf[index]
    if (row === undefined) return
    if (row.severity !== 'error') row.severity = severity
    if (row.problems.at(-1) !== index) row.problems.push(index)
  }
}
