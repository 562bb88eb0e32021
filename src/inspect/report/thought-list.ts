/** The thoughts of one task. */

import type { ThoughtReport } from './report.ts'
import { type Budget, longestText, MAX_OPEN, shortened } from './text.ts'

interface OpenThought {
  readonly report: { -readonly [K in keyof ThoughtReport]: ThoughtReport[K] }
  /** The beginning of the text, as it came. */
  raw: string
}

/** Lists thoughts, and counts those that are not listed. */
export class ThoughtList {
  readonly listed: ThoughtReport[] = []
  count = 0
  /** The length of all thoughts in UTF-16 code units. */
  length = 0
  readonly #budget: Budget
  readonly #open = new Map<string, OpenThought>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Adds a piece of a thought. */
  append(id: string, delta: string, line: number): void {
    const thought = this.#thought(id, line)
    const { report } = thought
    report.length += delta.length
    this.length += delta.length
    const longest = longestText(this.#budget)
    if (thought.raw.length > 2 * longest) return
    thought.raw += delta
    report.text = shortened(thought.raw, longest)
  }

  /** Ends a thought with its whole text. */
  complete(id: string, content: string, line: number): void {
    const { report } = this.#thought(id, line)
    this.#open.delete(id)
    this.length += content.length - report.length
    report.length = content.length
    report.text = shortened(content, longestText(this.#budget))
  }

  #thought(id: string, line: number): OpenThought {
    let thought = this.#open.get(id)
    if (thought === undefined) {
      this.count++
      thought = { report: { line, text: '', length: 0 }, raw: '' }
      if (this.#open.size < MAX_OPEN) this.#open.set(id, thought)
      if (this.#budget.items-- > 0) this.listed.push(thought.report)
    }
    return thought
  }
}
