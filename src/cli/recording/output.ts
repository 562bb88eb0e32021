/** The result of a command, written in batches while a recording is read. */
import type { Terminal } from '../terminal.ts'

/** How much text waits before it is written at once. */
const BATCH = 64 * 1024

export class Output {
  readonly #terminal: Terminal
  #text = ''

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  add(text: string): void {
    this.#text += text
  }

  /** Writes what waits if it is much. Call it after each chunk: memory stays flat, however long the result is. */
  async continue(): Promise<void> {
    if (this.#text.length > BATCH) await this.flush()
  }

  /** Writes what waits, and waits until its reader has taken it. */
  async flush(): Promise<void> {
    this.#terminal.out(this.#text)
    this.#text = ''
    await this.#terminal.drained?.()
  }
}
