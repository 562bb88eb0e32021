/** Server-Sent Events, line by line. */

import { notJson } from './json-fault.ts'
import { faultAt, invalidLine, parseJson, type Receive, tooLarge } from './recorded.ts'

/** The name of any field, also one that clients ignore. */
const OTHER_FIELD = /^[\w-]+(?::|$)/
/** The comment in which `turnstream record` states when the messages after it have arrived. */
const TIME = /^: at (\S+)$/
const FIELD = /^(data|event|id|retry)(?::|$)/

/** Whether a line is one of SSE: a field or a comment. */
export function isSseLine(text: string): boolean {
  return text.startsWith(':') || FIELD.test(text)
}

/** Reads the messages of an event stream. */
export class SseLines {
  readonly #receive: Receive
  readonly #limit: number
  #data: string[] = []
  #size = 0
  /** The line of the first field of the message. */
  #start = 0
  #event = ''
  #id = ''
  #at: string | undefined

  constructor(receive: Receive, limit: number) {
    this.#receive = receive
    this.#limit = limit
  }

  /** Reads one line without its end. */
  line(text: string, line: number): void {
    if (text === '') {
      this.#dispatch()
      return
    }
    const field = FIELD.exec(text)?.[1]
    if (field === undefined) {
      if (text.startsWith(':')) {
        this.#at = TIME.exec(text)?.[1] ?? this.#at
        return
      }
      if (OTHER_FIELD.test(text)) {
        const message =
          'Expected the SSE field data, event, id or retry, got another one, which clients ignore.'
        this.#receive(faultAt(line, 'unknown-sse-field', message))
        return
      }
      this.#receive(invalidLine(line, 'an SSE field such as data', text))
      return
    }
    const from = field.length + (text.startsWith(': ', field.length) ? 2 : 1)
    const value = text.slice(from)
    if (field === 'event') this.#event = value
    else if (field === 'id') this.#id = value
    else if (field === 'data') {
      if (this.#data.length === 0 && this.#size === 0) this.#start = line
      this.#size += value.length + 1
      if (this.#size > this.#limit) this.#data = []
      else this.#data.push(value)
    }
  }

  /** Notes a line that was too long to read. */
  skipped(line: number): void {
    if (this.#size === 0) this.#start = line
    this.#size = this.#limit + 1
    this.#data = []
  }

  /** Reads the last message, which may lack the blank line after it. */
  end(): void {
    this.#dispatch()
  }

  #dispatch(): void {
    const lines = this.#data
    const event = this.#event
    const size = this.#size
    this.#data = []
    this.#event = ''
    this.#size = 0
    if (size > this.#limit) {
      this.#receive(tooLarge(this.#start, this.#limit))
      return
    }
    if (lines.length === 0) return
    const text = lines.join('\n')
    if (text.trim() === '' || text.trim() === '[DONE]') return
    const value = parseJson(text)
    if (value !== undefined) {
      this.#emit(value, this.#start, event)
      return
    }
    // Some tools remove blank lines, and the messages run together.
    const values = lines.length > 1 ? lines.map((each) => parseJson(each)) : []
    if (values.length > 0 && values.every((each, i) => each !== undefined || lines[i] === '[DONE]')) {
      for (const [i, each] of values.entries())
        if (each !== undefined) this.#emit(each, this.#start + i, event)
      return
    }
    const message = `Expected JSON as the data of a message, got ${notJson(text)}.`
    this.#receive(faultAt(this.#start, 'invalid-json', message))
  }

  #emit(value: unknown, line: number, event: string): void {
    this.#receive({
      value,
      line,
      ...(event !== '' && event !== 'message' && { event }),
      ...(this.#id !== '' && { id: this.#id }),
      ...(this.#at !== undefined && { at: this.#at }),
    })
  }
}
