/** HAR files: the bodies of their responses, entry by entry. */

import { fromBase64 } from '../../encoding/base64.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import { HarEnd } from './har-end.ts'
import { JsonText } from './json-text.ts'
import { faultAt, type HarEntry, type Receive, type Recorded } from './recorded.ts'

/** Media types of streams. */
const STREAM_TYPE = /event-?stream|ndjson|jsonl|json-seq/

/** What is before the entries may be so long, in UTF-16 code units; after that it is no HAR file. */
const LONGEST_START = 2 ** 24

/** The characters that matter before the entries. */
const STRUCTURE = /["{}[\]]/g
const STRING_END = /["\\]/g

/** Where the list of the entries begins; `null` if the text is no HAR file, `undefined` if more of it is needed. */
export function entriesOf(text: string): number | null | undefined {
  const begin = text.slice(0, 1024).replace(/\s/g, '').slice(0, 8)
  if (!'{"log":{'.startsWith(begin)) return null
  let depth = 0
  let at = 0
  let isEntries = false
  for (;;) {
    STRUCTURE.lastIndex = at
    const found = STRUCTURE.exec(text)
    if (found === null) return text.length > LONGEST_START ? null : undefined
    at = found.index + 1
    const char = found[0]
    if (char === '"') {
      const end = stringEnd(text, at)
      if (end === undefined) return text.length > LONGEST_START ? null : undefined
      isEntries = depth === 2 && text.slice(at, end) === 'entries'
      at = end + 1
      continue
    }
    if (char === '[' && isEntries) return found.index
    isEntries = false
    depth += char === '{' || char === '[' ? 1 : -1
    if (depth <= 0) return null
  }
}

/** Where a string ends; `undefined` if it does not. */
function stringEnd(text: string, from: number): number | undefined {
  let at = from
  for (;;) {
    STRING_END.lastIndex = at
    const found = STRING_END.exec(text)
    if (found === null) return undefined
    if (found[0] === '"') return found.index
    at = found.index + 2
  }
}

/** Receives the body of a response. */
export type ReceiveBody = (body: string | Uint8Array, entry: HarEntry) => void

/** A body that waits. */
interface Waiting {
  readonly content: Fields
  readonly entry: HarEntry
}

/**
 * Reads the list of entries: the bodies that hold streams; without any, those that are JSON. One entry is kept at a time,
 * and the bodies that are JSON until there is a stream.
 */
export class HarEntries {
  readonly #receive: Receive
  readonly #receiveBody: ReceiveBody
  readonly #limit: number
  readonly #list: JsonText
  readonly #rest: HarEnd
  #count = 0
  #hasStream = false
  #waiting: Waiting[] = []
  #waitingSize = 0

  constructor(receive: Receive, limit: number, receiveBody: ReceiveBody) {
    this.#receive = receive
    this.#receiveBody = receiveBody
    this.#limit = limit
    const onEntry = (recorded: Recorded, text: string): void => {
      this.#count++
      if ('value' in recorded) this.#entry(recorded.value, recorded.line, text)
      else receive(recorded)
    }
    this.#rest = new HarEnd(receive)
    this.#list = new JsonText(onEntry, limit, (text, line) => this.#rest.push(text, line))
  }

  /** Reads a part of a line, without its end. */
  push(text: string, line: number): void {
    this.#list.push(text, line)
  }

  endLine(): void {
    this.#list.endLine()
  }

  end(): void {
    this.#list.end()
    this.#rest.end()
    for (const { content, entry } of this.#waiting) this.#body(content, entry)
  }

  #entry(value: unknown, line: number, text: string): void {
    const entry = { number: this.#count, line: line + bodyLine(text), request: requestOf(value) }
    if (!isFields(value)) {
      this.#report(
        entry,
        `Expected an object as entry ${this.#count}, got ${value === null ? 'null' : typeof value}.`,
      )
      return
    }
    const content = contentOf(value)
    if (content === undefined) return
    const type = String(content.mimeType)
    if (typeof content.text !== 'string') {
      if (STREAM_TYPE.test(type)) {
        this.#report(
          entry,
          'Expected the text of the response, got none: the recording was saved without it.',
        )
      }
      return
    }
    if (STREAM_TYPE.test(type)) {
      this.#hasStream = true
      this.#waiting = []
      this.#body(content, entry)
    } else if (/json/.test(type) && !this.#hasStream) {
      this.#waitingSize += content.text.length
      if (this.#waitingSize <= this.#limit) this.#waiting.push({ content, entry })
      else {
        const message = `Expected bodies of at most ${this.#limit} characters in all, got longer ones: left out this one.`
        this.#receive({ ...faultAt(entry.line, 'too-large', message), entry })
      }
    }
  }

  #body({ text, encoding }: Fields, entry: HarEntry): void {
    const body = encoding === 'base64' ? fromBase64(text as string) : (text as string)
    if (body === undefined) {
      this.#report(entry, 'Expected Base64 as the text of the response, got other text.')
      return
    }
    this.#receiveBody(body, entry)
  }

  #report(entry: HarEntry, message: string): void {
    this.#receive({ ...faultAt(entry.line, 'invalid-message', message), entry })
  }
}

function contentOf(entry: unknown): Fields | undefined {
  const response = isFields(entry) ? entry.response : undefined
  const content = isFields(response) ? response.content : undefined
  return isFields(content) ? content : undefined
}

/** What was asked for, such as `POST https://example.com/chat`. Without the query, which may hold secrets. */
function requestOf(entry: unknown): string {
  const request = isFields(entry) && isFields(entry.request) ? entry.request : {}
  const { method, url } = request
  return [method, typeof url === 'string' ? url.replace(/[?#].*/s, '') : undefined]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 200)
}

/** How many lines after the start of an entry its body is: 0 if the entry is on one line. */
function bodyLine(entry: string): number {
  if (!entry.includes('\n')) return 0
  const lines = entry.split('\n')
  const content = lines.findIndex((line) => /^\s*"content"\s*:\s*\{/.test(line))
  const text = lines.findIndex(
    (line, i) => i >= content && /^\s*(?:"content"\s*:\s*\{\s*)?"text"\s*:/.test(line),
  )
  return content < 0 || text < 0 ? 0 : text
}
