/** Text of any format, cut anywhere. */

import { decodeUtf8 } from '../../encoding/utf8.ts'
import { JsonLines } from './json-lines.ts'
import { JsonText } from './json-text.ts'
import { LineSplitter } from './lines.ts'
import { faultAt, parseJson, quoted, type Receive, tooLarge } from './recorded.ts'
import { isSseLine, SseLines } from './sse-lines.ts'

/** A format of text. */
interface Format {
  line(text: string, line: number): void
  skipped?(line: number): void
  end(): void
}

/** Reads text: decides on the format by the first line that has one. */
export class TextReader {
  readonly #receive: Receive
  readonly #limit: number
  readonly #lines = new LineSplitter()
  #rest: readonly number[] = []
  #isStart = true
  /** The number of the current line. */
  #line = 1
  /** The current line so far. */
  #text = ''
  /** Whether the current line has nothing but white space. */
  #isBlank = true
  #isTooLarge = false
  #format: Format | undefined
  /** The reader of text that is not read by the line. */
  #json: JsonText | undefined

  constructor(receive: Receive, limit: number) {
    this.#receive = receive
    this.#limit = limit
  }

  push(chunk: Uint8Array | string): void {
    let text: string
    if (typeof chunk === 'string') {
      text = this.#rest.length === 0 ? chunk : `\uFFFD${chunk}`
      this.#rest = []
    } else {
      const decoded = decodeUtf8(this.#rest, chunk)
      text = decoded.text
      this.#rest = decoded.rest
    }
    if (this.#isStart && text !== '') {
      this.#isStart = false
      if (text.startsWith('\uFEFF')) text = text.slice(1)
    }
    this.#lines.push(text, (part, isEnd) => this.#part(part, isEnd))
  }

  end(): void {
    if (this.#rest.length > 0) this.#part('\uFFFD', false)
    if (this.#json !== undefined) this.#json.end()
    else {
      if (this.#text !== '' || this.#isTooLarge) this.#endLine()
      this.#format?.end()
    }
  }

  #part(part: string, isEnd: boolean): void {
    if (this.#isBlank) {
      if (this.#json === undefined && this.#format === undefined) this.#decide(part)
      this.#isBlank = !/\S/.test(part)
    }
    if (this.#json !== undefined) {
      this.#json.push(part, this.#line)
      if (isEnd) this.#json.endLine()
      if (isEnd) this.#line++
      return
    }
    if (!this.#isTooLarge) {
      this.#text += part
      if (this.#text.length > this.#limit) {
        this.#isTooLarge = true
        this.#text = ''
      }
    }
    if (isEnd) this.#endLine()
  }

  /** A list may be one line of any length, so it is not read by the line. */
  #decide(part: string): void {
    if (!/^\s*\[/.test(part)) return
    this.#json = new JsonText(this.#receive, this.#limit)
    this.#text = ''
  }

  #endLine(): void {
    const line = this.#line++
    const text = this.#text
    const isBlank = this.#isBlank
    this.#text = ''
    this.#isBlank = true
    if (this.#isTooLarge) {
      this.#isTooLarge = false
      if (this.#format?.skipped !== undefined) this.#format.skipped(line)
      else this.#receive(tooLarge(line, this.#limit))
      return
    }
    if (this.#format === undefined) {
      if (isBlank) return
      this.#format = this.#formatOf(text)
    }
    if (this.#format !== undefined) this.#format.line(text, line)
    else {
      const message = `Expected JSON or an SSE field such as data, got ${quoted(text)}.`
      this.#receive(faultAt(line, 'invalid-line', message))
    }
  }

  #formatOf(text: string): Format | undefined {
    if (isSseLine(text)) return new SseLines(this.#receive, this.#limit)
    const isJson = text.trimStart().startsWith('{') || parseJson(text) !== undefined
    return isJson ? new JsonLines(this.#receive, this.#limit) : undefined
  }
}
