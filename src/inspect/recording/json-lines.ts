/** JSON Lines: a value on each line. */

import { notJson } from './json-fault.ts'
import { JsonText } from './json-text.ts'
import { faultAt, parseJson, type Receive, type Recorded } from './recorded.ts'

/** Reads one value a line; several on one line, and those that take several lines, as well. */
export class JsonLines {
  readonly #receive: Receive
  readonly #limit: number
  /** A value that takes several lines. Omitted if the last one was complete. */
  #open: JsonText | undefined
  #isFirst = true

  constructor(receive: Receive, limit: number) {
    this.#receive = receive
    this.#limit = limit
  }

  line(text: string, line: number): void {
    if (this.#open !== undefined) {
      this.#open.push(text, line)
      this.#open.endLine()
      if (this.#open.isBetween) this.#open = undefined
      return
    }
    const value = parseJson(text)
    if (value !== undefined) {
      this.#isFirst = false
      if (Array.isArray(value)) for (const each of value) this.#receive({ value: each, line })
      else this.#receive({ value, line })
      return
    }
    const trimmed = text.trim()
    if (trimmed === '' || trimmed === '[DONE]') return
    // Only a first value, or a bracket by itself, begins a value of several lines: otherwise a line that was cut off
    // would take the next ones with it.
    if (trimmed === '{' || trimmed === '[' || (this.#isFirst && trimmed.startsWith('{'))) {
      this.#isFirst = false
      this.#open = new JsonText(this.#receive, this.#limit)
      this.#open.push(text, line)
      this.#open.endLine()
      if (this.#open.isBetween) this.#open = undefined
      return
    }
    this.#isFirst = false
    this.#several(text, line)
  }

  end(): void {
    this.#open?.end()
  }

  /** Reads a line with several values. */
  #several(text: string, line: number): void {
    const found: Recorded[] = []
    const values = new JsonText((recorded) => found.push(recorded), this.#limit)
    values.push(text, line)
    values.endLine()
    if (values.isBetween && found.every((each) => 'value' in each)) found.forEach(this.#receive)
    else
      this.#receive(faultAt(line, 'invalid-json', `Expected a JSON value on the line, got ${notJson(text)}.`))
  }
}
