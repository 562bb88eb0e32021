/** The SSE parsing rules of WHATWG HTML §9.2.6, over chunks cut anywhere. */
import type { SseState } from './sse-state.ts'

/** A message, or the place of one that is over the size limit: it has no data. */
export interface ReadMessage {
  event: string
  data: string | undefined
  /** The id in effect, also where the block does not set one. */
  id: string
}

const LF = 10
const SPACE = 32
const COLON = 58

/** The longest a line can be before its value: `event: `. */
const LONGEST_PREFIX = 7

/**
 * Reads text chunk by chunk. Lives for one chunk only: it is made from a state and gives one back.
 *
 * A line ends at CR, LF or CRLF. It is acted on at the CR, and an LF that comes right after is
 * swallowed, so that nothing waits for the next chunk.
 */
export class SseReader {
  /** What has been read, in order. */
  readonly messages: ReadMessage[] = []
  readonly #limit: number
  #lastEventId: string
  #retry: number | undefined
  #phase: SseState['phase']
  #line: string
  #event: string
  /** Data of earlier chunks, and of this one. Apart, so that the latter can be copied at the end. */
  #heldData: string | undefined
  #data: string | undefined
  #id: string | undefined
  #tooLarge: boolean

  constructor(state: SseState, limit: number) {
    this.#limit = limit
    this.#lastEventId = state.lastEventId
    this.#retry = state.retry
    this.#phase = state.phase
    this.#line = state.line
    this.#event = state.event
    this.#heldData = state.data
    this.#data = undefined
    this.#id = state.id
    this.#tooLarge = state.tooLarge === true
  }

  /** Reads one chunk and says where that leads. */
  read(text: string, bytes: readonly number[]): SseState {
    if (text !== '') this.#readLines(text, this.#firstLineStart(text))
    return {
      lastEventId: this.#lastEventId,
      retry: this.#retry,
      phase: this.#phase,
      bytes,
      line: this.#line,
      event: this.#event,
      data: this.#data === undefined ? this.#heldData : join(this.#heldData, detach(this.#data, text.length)),
      id: this.#id,
      tooLarge: this.#tooLarge ? true : undefined,
    }
  }

  #firstLineStart(text: string): number {
    const phase = this.#phase
    if (phase === 'start' || phase === 'after-cr') {
      this.#phase = 'line'
      if (text.charCodeAt(0) === (phase === 'start' ? 0xfeff : LF)) return 1
    }
    return 0
  }

  #readLines(text: string, start: number): void {
    let at = start
    let lf = text.indexOf('\n', at)
    let cr = text.indexOf('\r', at)
    while (lf !== -1 || cr !== -1) {
      const atCr = cr !== -1 && (lf === -1 || cr < lf)
      const end = atCr ? cr : lf
      this.#endLine(text, at, end)
      at = end + 1
      if (atCr) {
        if (at === text.length) this.#phase = 'after-cr'
        else if (text.charCodeAt(at) === LF) at++
        cr = text.indexOf('\r', at)
      }
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at)
    }
    if (at < text.length) this.#keep(text, at)
  }

  #endLine(text: string, start: number, end: number): void {
    if (this.#phase === 'skip') {
      this.#phase = 'line'
    } else if (this.#line === '') {
      this.#takeLine(text, start, end)
    } else {
      const line = this.#line + text.slice(start, end)
      this.#line = ''
      this.#takeLine(line, 0, line.length)
    }
  }

  /** Keeps the start of a line for the next chunk, unless it is too long already. */
  #keep(text: string, start: number): void {
    if (this.#phase === 'skip') return
    this.#line += text.slice(start)
    if (this.#line.length <= this.#limit + LONGEST_PREFIX) return
    this.#dropLine(this.#line, 0)
    this.#line = ''
    this.#phase = 'skip'
  }

  #takeLine(text: string, start: number, end: number): void {
    if (start === end) {
      this.#endBlock()
      return
    }
    if (end - start > this.#limit + LONGEST_PREFIX) {
      this.#dropLine(text, start)
      return
    }
    const field = fieldAt(text, start, end)
    if (field === OTHER) return
    const value = text.slice(valueStart(text, start + field.length, end), end)
    switch (field) {
      case DATA:
        this.#addData(value)
        break
      case EVENT:
        this.#event = value
        this.#checkSize()
        break
      case ID:
        if (hasNul(value)) break
        this.#id = value
        this.#checkSize()
        break
      case RETRY:
        if (/^[0-9]+$/.test(value) && Number(value) <= Number.MAX_SAFE_INTEGER) this.#retry = Number(value)
        break
    }
  }

  #addData(value: string): void {
    if (this.#tooLarge) return
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    this.#checkSize()
  }

  #checkSize(): void {
    const held = this.#heldData === undefined ? 0 : this.#heldData.length + (this.#data === undefined ? 0 : 1)
    const size = held + (this.#data?.length ?? 0) + this.#event.length + (this.#id?.length ?? 0)
    if (size > this.#limit) this.#giveUp()
  }

  /** A line that is over the limit by itself. */
  #dropLine(text: string, start: number): void {
    const field = fieldAt(text, start, text.length)
    if (field === DATA || field === EVENT || field === ID) this.#giveUp()
  }

  #giveUp(): void {
    this.#tooLarge = true
    this.#event = ''
    this.#heldData = undefined
    this.#data = undefined
    if (this.#id !== undefined && this.#id.length > this.#limit) this.#id = undefined
  }

  /** A blank line: the block is complete. */
  #endBlock(): void {
    if (this.#id !== undefined) {
      this.#lastEventId = this.#id
      this.#id = undefined
    }
    if (this.#tooLarge) {
      this.#tooLarge = false
      this.#event = ''
      this.#heldData = undefined
      this.#data = undefined
      this.messages.push({ event: 'message', data: undefined, id: this.#lastEventId })
      return
    }
    const event = this.#event
    const data = this.#data === undefined ? this.#heldData : join(this.#heldData, this.#data)
    this.#event = ''
    this.#heldData = undefined
    this.#data = undefined
    if (data === undefined) return
    this.messages.push({ event: event === '' ? 'message' : event, data, id: this.#lastEventId })
  }
}

const DATA = 'data'
const EVENT = 'event'
const ID = 'id'
const RETRY = 'retry'
const OTHER = ''

/**
 * The field a line is, by its name, which ends at a colon or with the line. A comment, which begins
 * with a colon, and a name that has no meaning are `OTHER`.
 *
 * Character by character: it runs for every line, and `startsWith` takes many times as long.
 */
function fieldAt(text: string, start: number, end: number): 'data' | 'event' | 'id' | 'retry' | '' {
  switch (text.charCodeAt(start)) {
    // d, a, t, a
    case 100:
      return text.charCodeAt(start + 1) === 97 &&
        text.charCodeAt(start + 2) === 116 &&
        text.charCodeAt(start + 3) === 97 &&
        isNameEnd(text, start + 4, end)
        ? DATA
        : OTHER
    // e, v, e, n, t
    case 101:
      return text.charCodeAt(start + 1) === 118 &&
        text.charCodeAt(start + 2) === 101 &&
        text.charCodeAt(start + 3) === 110 &&
        text.charCodeAt(start + 4) === 116 &&
        isNameEnd(text, start + 5, end)
        ? EVENT
        : OTHER
    // i, d
    case 105:
      return text.charCodeAt(start + 1) === 100 && isNameEnd(text, start + 2, end) ? ID : OTHER
    // r, e, t, r, y
    case 114:
      return text.charCodeAt(start + 1) === 101 &&
        text.charCodeAt(start + 2) === 116 &&
        text.charCodeAt(start + 3) === 114 &&
        text.charCodeAt(start + 4) === 121 &&
        isNameEnd(text, start + 5, end)
        ? RETRY
        : OTHER
    default:
      return OTHER
  }
}

function isNameEnd(text: string, at: number, end: number): boolean {
  return at === end || (at < end && text.charCodeAt(at) === COLON)
}

/** By hand: ids are short, and `includes` costs more to call than they are long. */
function hasNul(id: string): boolean {
  for (let i = 0; i < id.length; i++) if (id.charCodeAt(i) === 0) return true
  return false
}

/** Where the value begins: after the colon, and after one space. */
function valueStart(text: string, colon: number, end: number): number {
  if (colon === end) return end
  return colon + 1 < end && text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1
}

function join(held: string | undefined, data: string): string {
  return held === undefined ? data : `${held}\n${data}`
}

/**
 * A copy where a slice would keep a much longer chunk alive: a message may be put together from
 * very many chunks.
 */
function detach(slice: string, chunkLength: number): string {
  return slice.length * 2 < chunkLength ? ` ${slice}`.slice(1) : slice
}
