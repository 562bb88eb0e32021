/** Text of any format, cut anywhere. */

import { decodeUtf8 } from '../../encoding/utf8.ts'
import { byteLines, hasInvalidUtf8 } from './byte-text.ts'
import { entriesOf, HarEntries, type ReceiveBody } from './har.ts'
import { JsonLines } from './json-lines.ts'
import { JsonText } from './json-text.ts'
import { LineSplitter } from './lines.ts'
import { faultAt, invalidLine, parseJson, type Receive, type Recorded, tooLarge } from './recorded.ts'
import { isSseLine, SseLines } from './sse-lines.ts'

/** A format of text. */
interface Format {
  line(text: string, line: number): void
  skipped?(line: number): void
  end(): void
}

/** A format that is not read by the line: a value may be on one line with all others. */
type Running = Pick<JsonText, 'push' | 'endLine' | 'end'>

/** More faults before the first line that has a format are not held back. */
const MAX_WAITING = 256

/** Reads text: decides on the format by the first line that has one. */
export class TextReader {
  readonly #receive: Receive
  readonly #limit: number
  readonly #lines = new LineSplitter()
  #rest: readonly number[] = []
  /** Whether the current line has bytes that are no UTF-8. */
  #isInvalid = false
  #isStart = true
  /** The number of the current line. */
  #line = 1
  /** The current line so far. */
  #text = ''
  /** Whether the current line has nothing but white space. */
  #isBlank = true
  #isTooLarge = false
  /** Whether the file is no text. */
  #isBinary = false
  /** The faults before the first line that has a format: of a binary file, each of its lines has one. */
  #waiting: Recorded[] = []
  #format: Format | undefined
  #running: Running | undefined
  /** The beginning, while it may be that of a HAR file. `undefined` once that is decided. */
  #beginning: string | undefined = ''
  /** The beginning is looked at again when it is twice as long. */
  #decidedLength = 0
  readonly #receiveBody: ReceiveBody

  /** `receiveBody`: receives the bodies of the responses in a HAR file. */
  constructor(receive: Receive, limit: number, receiveBody: ReceiveBody) {
    this.#receive = receive
    this.#limit = limit
    this.#receiveBody = receiveBody
  }

  push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') {
      const isCut = this.#rest.length > 0
      if (isCut) this.#isInvalid = true
      this.#rest = []
      this.#read(isCut ? `\uFFFD${chunk}` : chunk)
      return
    }
    const { text, rest } = decodeUtf8(this.#rest, chunk)
    if (!hasInvalidUtf8(text, this.#rest, chunk)) {
      this.#rest = rest
      this.#read(text)
      return
    }
    for (const line of byteLines(chunk)) {
      const decoded = decodeUtf8(this.#rest, line)
      if (hasInvalidUtf8(decoded.text, this.#rest, line)) this.#isInvalid = true
      this.#rest = decoded.rest
      this.#read(decoded.text)
    }
  }

  #read(decoded: string): void {
    let text = decoded
    if (this.#isStart && text !== '') {
      this.#isStart = false
      if (text.startsWith('\uFEFF')) text = text.slice(1)
    }
    if (this.#beginning === undefined) this.#parts(text)
    else this.#begin(text, false)
  }

  end(): void {
    this.#begin('', true)
    if (this.#isBinary) return
    const line = this.#line
    if (this.#rest.length > 0) {
      this.#isInvalid = true
      this.#part('\uFFFD', false)
    }
    if (this.#running !== undefined) this.#running.end()
    else {
      if (this.#text !== '' || this.#isTooLarge) this.#endLine()
      this.#format?.end()
    }
    this.#reportInvalid(line)
    this.#flush()
  }

  /** Reads text that may begin a HAR file: it is kept until that is decided. */
  #begin(more: string, isEnd: boolean): void {
    if (this.#beginning === undefined) return
    const text = this.#beginning + more
    this.#beginning = text
    if (text.length < 2 * this.#decidedLength && !isEnd) return
    this.#decidedLength = text.length
    const entries = entriesOf(text)
    if (entries === undefined && !isEnd) return
    this.#beginning = undefined
    if (typeof entries !== 'number') {
      this.#parts(text)
      return
    }
    this.#lines.push(text.slice(0, entries), (_, isLineEnd) => {
      if (isLineEnd) this.#line++
    })
    this.#flush()
    this.#running = new HarEntries(this.#receive, this.#limit, this.#receiveBody)
    this.#parts(text.slice(entries))
  }

  #parts(text: string): void {
    this.#lines.push(text, (part, isEnd) => {
      const line = this.#line
      this.#part(part, isEnd)
      if (isEnd) this.#reportInvalid(line)
    })
  }

  /** Reports a line with bytes that are no UTF-8, after what it holds. */
  #reportInvalid(line: number): void {
    if (!this.#isInvalid || this.#isBinary) return
    this.#isInvalid = false
    const message = 'Expected UTF-8, got other bytes on the line; each is read as U+FFFD.'
    this.#report(faultAt(line, 'invalid-utf8', message))
  }

  /** Reports a fault of the text itself; before the format is known, once it is. */
  #report(fault: Recorded): void {
    const isDecided = this.#format !== undefined || this.#running !== undefined
    if (isDecided || this.#waiting.length >= MAX_WAITING) this.#flush()
    if (isDecided) this.#receive(fault)
    else this.#waiting.push(fault)
  }

  #flush(): void {
    const faults = this.#waiting
    this.#waiting = []
    faults.forEach(this.#receive)
  }

  /** Reports a file that is no text, in place of what its lines were reported for. */
  #endBinary(): void {
    this.#isBinary = true
    this.#waiting = []
    this.#text = ''
    const message = 'Expected text or a binary event stream, got other binary data.'
    this.#receive(faultAt(1, 'binary', message))
  }

  #part(part: string, isEnd: boolean): void {
    if (this.#isBinary) return
    // Text has no zero character.
    if (this.#format === undefined && this.#running === undefined && part.includes('\0')) {
      this.#endBinary()
      return
    }
    if (this.#isBlank) {
      if (this.#running === undefined && this.#format === undefined) this.#decide(part)
      this.#isBlank = !/\S/.test(part)
    }
    if (this.#running !== undefined) {
      this.#running.push(part, this.#line)
      if (isEnd) {
        this.#running.endLine()
        this.#line++
      }
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
    this.#flush()
    this.#running = new JsonText(this.#receive, this.#limit)
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
      else this.#report(tooLarge(line, this.#limit))
      return
    }
    if (this.#format === undefined) {
      if (isBlank) return
      this.#format = this.#formatOf(text)
      if (this.#format !== undefined) this.#flush()
    }
    if (this.#format !== undefined) this.#format.line(text, line)
    else {
      this.#report(invalidLine(line, 'JSON or an SSE field such as data', text))
    }
  }

  #formatOf(text: string): Format | undefined {
    if (isSseLine(text)) return new SseLines(this.#receive, this.#limit)
    const isJson = text.trimStart().startsWith('{') || parseJson(text) !== undefined
    return isJson ? new JsonLines(this.#receive, this.#limit) : undefined
  }
}
