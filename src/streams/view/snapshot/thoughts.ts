/** The events of the thoughts of a task, for a snapshot. */

import type { ThoughtPart } from '../parts.ts'
import { rangeOf } from './range.ts'
import { iterationOf, type TaskWriter, type Untimed } from './task-writer.ts'

/**
 * Writes the thoughts of one task. Thoughts that were completed in another order than they began in are written as
 * deltas first, so that both orders remain.
 */
export class ThoughtSerializer {
  /** The complete thoughts, by index, and from the next one on. */
  readonly #complete: readonly ThoughtPart[]
  #next = 0
  /** How to complete the thoughts whose turn has not come. */
  readonly #begun = new Map<ThoughtPart, (event: Untimed) => void>()

  constructor({ task: { parts } }: TaskWriter) {
    this.#complete = parts
      .filter((part): part is ThoughtPart => part.type === 'thought' && part.status === 'complete')
      .sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
  }

  write(part: ThoughtPart, write: (event: Untimed) => void): void {
    const { thoughtId, thoughtType, verbosity, text, status } = part
    if (this.#complete[this.#next] === part) {
      write(wholeThought(part))
      this.#next++
      this.#completeBegun()
      return
    }
    write({
      kind: 'thought-delta',
      thoughtId,
      delta: text,
      ...iterationOf(part),
      ...(thoughtType === undefined ? {} : { thoughtType }),
      ...(verbosity === undefined ? {} : { verbosity }),
      ...rangeOf(part),
    })
    if (status === 'complete') this.#begun.set(part, write)
  }

  /** Completes the thoughts that began before it was their turn. */
  #completeBegun(): void {
    for (; ; this.#next++) {
      const part = this.#complete[this.#next]
      const write = part && this.#begun.get(part)
      if (part === undefined || write === undefined) return
      write(wholeThought(part))
    }
  }
}

function wholeThought(part: ThoughtPart): Untimed {
  const { thoughtId, thoughtType = 'reasoning', verbosity = 'detailed', text: content } = part
  const { index = 0, metadata } = part
  return {
    kind: 'thought-stream',
    thoughtId,
    thoughtType,
    verbosity,
    content,
    index,
    ...iterationOf(part),
    ...(metadata === undefined ? {} : { metadata }),
  }
}
