/** JSON text of any layout: a list, values one after the other, on one line or on many. */

import { notJson } from './json-fault.ts'
import { faultAt, parseJson, type Recorded, tooLarge } from './recorded.ts'

/** Receives what is read, and the text of a value. */
type ReceiveText = (recorded: Recorded, text: string) => void

/** Characters that matter within a value. */
const STRUCTURE = /["{}[\]]/g
/** What ends a string, or part of it. */
const STRING_END = /["\\]/g
/** What a number or a word of JSON ends before. */
const WORD_END = /[\s,\]}[{":]/g

/**
 * Finds where each value begins and ends, and parses it. The elements of a list are values of their own. A value that
 * breaks off is reported, and reading continues with the next line.
 */
export class JsonText {
  readonly #receive: ReceiveText
  readonly #limit: number
  readonly #onRest: ((text: string, line: number) => void) | undefined
  #text = ''
  #size = 0
  #start = 0
  /** How many objects and lists of the current value are open. */
  #depth = 0
  #inString = false
  #isEscaped = false
  /** Whether a number or a word is open. */
  #inWord = false
  /** Whether the list around all values is open. */
  #inList = false
  /** Whether the rest of the line is ignored, as it is no JSON. */
  #isIgnored = false
  /** Whether the only list has ended. */
  #isOver = false
  /** Whether nothing of the current line was read. */
  #isLineStart = true

  /** `onRest`: given if the text is one list, and receives what follows it. */
  constructor(receive: ReceiveText, limit: number, onRest?: (text: string, line: number) => void) {
    this.#receive = receive
    this.#limit = limit
    this.#onRest = onRest
  }

  /** Whether no value has begun. */
  get isBetween(): boolean {
    return this.#size === 0 && !this.#inList && !this.#isIgnored
  }

  /** Reads a part of a line, without its end. */
  push(text: string, line: number): void {
    if (text === '') return
    if (this.#isLineStart && this.#depth === 1 && text.startsWith('{') && this.#text.startsWith('{')) {
      // No object has an object where a name should be: the one before was cut off.
      this.#breakOff('the next value')
    }
    this.#isLineStart = false
    let at = 0
    while (at < text.length && !this.#isIgnored && !this.#isOver) at = this.#read(text, at, line)
    if (this.#isOver) this.#onRest?.(text.slice(at), line)
  }

  /** Ends the line. */
  endLine(): void {
    if (this.#inString) this.#breakOff('the end of the line')
    else if (this.#inWord) this.#finish()
    else if (this.#depth > 0) this.#keep('\n')
    this.#isIgnored = false
    this.#isLineStart = true
  }

  /** Ends the text. */
  end(): void {
    if (this.#inWord) this.#finish()
    if (this.#size > 0) this.#breakOff('the end of the recording')
    else if (this.#inList) {
      const message = 'Expected ] at the end of the list, got the end of the recording.'
      this.#receive(faultAt(this.#start, 'incomplete', message), '')
    }
  }

  /** Reads from a position up to where something changes. Returns where that is. */
  #read(text: string, at: number, line: number): number {
    if (this.#inString) return this.#readString(text, at)
    if (this.#inWord) {
      const end = indexOf(WORD_END, text, at)
      this.#keep(text.slice(at, end))
      if (end < text.length) this.#finish()
      return end
    }
    if (this.#depth === 0) return this.#begin(text, at, line)
    let next = at - 1
    // One slice up to the next string or the end of the value: one for each character would need more memory than the text.
    do {
      next = indexOf(STRUCTURE, text, next + 1)
      const char = text[next]
      if (char === '"') this.#inString = true
      else if (char === '{' || char === '[') this.#depth++
      else if (char !== undefined) this.#depth--
    } while (next < text.length && !this.#inString && this.#depth > 0)
    this.#keep(text.slice(at, next + 1))
    if (this.#depth === 0) this.#finish()
    return next + 1
  }

  #readString(text: string, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    let end = indexOf(STRING_END, text, at)
    // One slice for the whole string: a slice for each escape would need more memory than the text.
    while (text[end] === '\\') {
      at = end + 2
      end = indexOf(STRING_END, text, at)
    }
    this.#isEscaped = at > text.length
    this.#keep(text.slice(from, end + 1))
    if (text[end] === '"') {
      this.#inString = false
      if (this.#depth === 0) this.#finish()
    }
    return end + 1
  }

  /** Reads what is between two values. */
  #begin(text: string, at: number, line: number): number {
    const char = text[at] ?? ''
    if (/\s/.test(char) || char === '\u001e' || (char === ',' && this.#inList)) return at + 1
    if (char === '[' && !this.#inList) this.#inList = true
    else if (char === ']' && this.#inList) {
      this.#inList = false
      this.#isOver = this.#onRest !== undefined
    } else if (/[}\]:,]/.test(char)) {
      this.#isIgnored = true
      this.#receive(faultAt(line, 'invalid-json', `Expected a JSON value, got ${char}.`), '')
    } else {
      this.#keep(char)
      if (char === '{' || char === '[') this.#depth = 1
      else if (char === '"') this.#inString = true
      else this.#inWord = true
    }
    if (this.#size <= 1) this.#start = line
    return at + 1
  }

  #keep(text: string): void {
    this.#size += text.length
    if (this.#size <= this.#limit) this.#text += text
    else this.#text = ''
  }

  #reset(): void {
    this.#text = ''
    this.#size = 0
    this.#depth = 0
    this.#inString = this.#isEscaped = this.#inWord = false
  }

  #finish(): void {
    const text = this.#text
    const isTooLarge = this.#size > this.#limit
    this.#reset()
    if (isTooLarge) {
      this.#receive(tooLarge(this.#start, this.#limit), '')
      return
    }
    const value = parseJson(text)
    if (value === undefined) {
      // One report for a line that is no JSON; a list may have all its values on one line.
      this.#isIgnored = !this.#inList
      this.#receive(faultAt(this.#start, 'invalid-json', `Expected a JSON value, got ${notJson(text)}.`), '')
    } else this.#receive({ value, line: this.#start }, text)
  }

  #breakOff(by: string): void {
    const text = this.#text
    this.#reset()
    const message = `Expected the rest of a JSON value after ${text.trimEnd().length} characters, got ${by}.`
    this.#receive(faultAt(this.#start, 'incomplete', message), '')
  }
}

/** Where a pattern is found next; the end of the text if it is not. */
function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found === null ? text.length : found.index
}
