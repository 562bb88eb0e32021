/** What follows the entries of a HAR file: further members, and the brackets that close it. */

import { faultAt, type Receive } from './recorded.ts'

/** The characters that matter; in a string, those that end it or escape another one. */
const STRUCTURE = /["{}[\]]/g
const IN_STRING = /["\\]/g

/** Reads the rest of the file, cut anywhere. Reports what is missing, and what comes after its end. */
export class HarEnd {
  readonly #receive: Receive
  /** How many objects and lists are open: the file, and its log. */
  #depth = 2
  #inString = false
  #isEscaped = false
  #hasMore = false
  /** The line of the entries' end. `undefined` before it. */
  #line: number | undefined

  constructor(receive: Receive) {
    this.#receive = receive
  }

  push(text: string, line: number): void {
    this.#line ??= line
    if (text === '') return
    let at = this.#isEscaped ? 1 : 0
    this.#isEscaped = false
    while (at < text.length && this.#depth > 0) {
      const pattern = this.#inString ? IN_STRING : STRUCTURE
      pattern.lastIndex = at
      const found = pattern.exec(text)
      if (found === null) return
      at = found.index + 1
      const char = found[0]
      if (char === '\\') {
        at++
        this.#isEscaped = at > text.length
      } else if (char === '"') this.#inString = !this.#inString
      else this.#depth += char === '{' || char === '[' ? 1 : -1
    }
    if (this.#depth > 0 || this.#hasMore || !/\S/.test(text.slice(at))) return
    this.#hasMore = true
    const message = 'Expected nothing after the end of the HAR file, got more text: it is not read.'
    this.#receive(faultAt(line, 'invalid-json', message))
  }

  end(): void {
    if (this.#line === undefined || this.#depth <= 0) return
    const message = 'Expected } at the end of the HAR file, got the end of the recording.'
    this.#receive(faultAt(this.#line, 'incomplete', message))
  }
}
