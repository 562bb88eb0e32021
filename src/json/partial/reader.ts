/** Reading one piece of JSON text. */

import type { JsonValue } from '../../core/json-value.ts'
import type { Diagnostic } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'
import { toPointer } from '../../encoding/pointer.ts'
import { splitHalf } from '../../encoding/surrogates.ts'
import { MAX_DEPTH } from '../value.ts'
import { mayEndNumber, readNumber, shortNumber, startsNumber } from './number.ts'
import { type Frame, type Hidden, type Mode, type State, withValue } from './state.ts'
import { ValueWriter } from './value-writer.ts'

/** While an array, an object or a nesting is larger, its further children are hidden: each delta copies the rest. */
const SHOWN_ITEMS = 1024
const SHOWN_MEMBERS = 128
const SHOWN_DEPTH = 64

const QUOTE = 34
const BACKSLASH = 92

const LITERALS: Readonly<Record<string, JsonValue>> = { t: true, f: false, n: null }

/** The characters after a backslash, and what they stand for. */
const ESCAPES = '"\\/bfnrt'
const ESCAPED = '"\\/\b\f\n\r\t'

/** What the first character of a value other than a number begins. */
const STARTS: Readonly<Record<string, Mode>> = {
  '"': 'string',
  '[': 'first-item',
  '{': 'first-name',
  t: 'literal',
  f: 'literal',
  n: 'literal',
}

/** What the grammar requires next, in words, where the mode alone determines it. */
const EXPECTED: Partial<Readonly<Record<Mode, string>>> = {
  value: 'a value',
  'first-item': 'a value or "]"',
  'first-name': 'a name in double quotes or "}"',
  'name-start': 'a name in double quotes',
  colon: '":"',
  name: 'the end of the string, without control characters',
  string: 'the end of the string, without control characters',
}

/** The modes in which the last child of the innermost array or object is open. */
const CHILD_MODES: readonly Mode[] = ['value', 'colon', 'string', 'number', 'literal']

/** The mutable workspace of one delta. */
export class Reader {
  diagnostic: Diagnostic | undefined
  readonly #writer: ValueWriter
  readonly #stack: Frame[]
  #mode: Mode
  #token: string
  #part: string
  #escape: string
  #half: string
  #hidden: Hidden | null
  /** Where the hidden text of this delta starts. */
  #hiddenFrom = 0
  #at = 0
  readonly #offset: number
  readonly #text: string

  constructor(state: State, text: string) {
    const { stack, hidden } = state
    this.#mode = state.mode
    this.#stack = [...stack]
    this.#token = state.token
    this.#part = state.part
    this.#escape = state.escape
    this.#half = state.half
    this.#hidden = hidden
    this.#offset = state.position
    this.#text = text
    this.#writer = new ValueWriter(state.value, hidden === null ? stack : stack.slice(0, hidden.depth + 1))
  }

  read(): void {
    while (this.#at < this.#text.length && this.#mode !== 'invalid') if (!this.#readNext()) this.#fail()
  }

  /** Ends the text: a number alone has no other end. */
  end(): void {
    if (this.#mode === 'number' && this.#top === undefined && mayEndNumber(this.#part)) this.#endNumber()
  }

  /** The state after the delta. */
  state(): State {
    const mode = this.#mode
    const hidden = this.#hidden
    const { value } = this.#writer
    const state: State = {
      complete: mode === 'end',
      openPath: mode === 'end' || mode === 'invalid' ? null : this.#openPath(),
      mode,
      position: this.#offset + this.#at,
      stack: this.#stack,
      token: this.#token,
      part: this.#part,
      escape: this.#escape,
      half: this.#half,
      hidden: hidden && { depth: hidden.depth, text: hidden.text + this.#text.slice(this.#hiddenFrom) },
    }
    return value === undefined ? state : withValue(state, value)
  }

  /** What the grammar requires next, in words. */
  expected(): string {
    const mode = this.#mode
    if (mode === 'separator') return this.#top?.isArray ? '"," or "]"' : '"," or "}"'
    if (mode === 'number') return mayEndNumber(this.#part) ? 'the end of the number' : 'a digit'
    if (mode === 'literal') return `the rest of "${LITERALS[this.#token.charAt(0)]}"`
    if (this.#escape === '') return EXPECTED[mode] ?? 'the end of the text'
    return this.#escape.length === 1 ? 'an escape sequence' : 'four hexadecimal digits'
  }

  get #top(): Frame | undefined {
    return this.#stack.at(-1)
  }

  /** The pointer to the last child of the innermost array or object; to the whole value if none is open. */
  #childPath(): string {
    const top = this.#top
    return top === undefined ? '' : top.pointer + toPointer([top.key])
  }

  #openPath(): string {
    return CHILD_MODES.includes(this.#mode) ? this.#childPath() : (this.#top?.pointer ?? '')
  }

  #fail(): void {
    const actual = describeValue(this.#text.charAt(this.#at))
    const message = `Expected ${this.expected()} at position ${this.#offset + this.#at}, got ${actual}.`
    this.#stop('invalid-json', message, this.#openPath())
  }

  #stop(code: string, message: string, path: string): void {
    this.diagnostic = { code, message, path, detail: { position: this.#offset + this.#at } }
    this.#mode = 'invalid'
    this.#hidden = null
  }

  /** Reads at least one character; returns `false` if the grammar does not allow it. */
  #readNext(): boolean {
    switch (this.#mode) {
      case 'string':
      case 'name':
        return this.#escape === '' ? this.#readString() : this.#readEscape()
      case 'number':
        return this.#readNumber()
    }
    const char = this.#text.charAt(this.#at)
    const isAllowed = this.#mode === 'literal' ? this.#readLiteral(char) : this.#readStructure(char)
    if (isAllowed) this.#at++
    return isAllowed
  }

  /** Reads one character between strings, numbers and literals. */
  #readStructure(char: string): boolean {
    const mode = this.#mode
    const isArray = this.#top?.isArray
    switch (char) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        return true
      case ',':
        if (mode !== 'separator') return false
        this.#mode = isArray ? 'value' : 'name-start'
        if (isArray) this.#nextChild()
        return true
      case ':':
        if (mode !== 'colon') return false
        this.#mode = 'value'
        return true
      case ']':
        return isArray === true && (mode === 'first-item' || mode === 'separator') && this.#close()
      case '}':
        return isArray === false && (mode === 'first-name' || mode === 'separator') && this.#close()
    }
    if (char === '"' && (mode === 'first-name' || mode === 'name-start')) {
      if ((this.#top as Frame).count >= SHOWN_MEMBERS) this.#hide(this.#at)
      this.#mode = 'name'
      return true
    }
    const next = STARTS[char] ?? (startsNumber(char) ? 'number' : undefined)
    if (next === undefined || (mode !== 'value' && mode !== 'first-item')) return false
    if (mode === 'first-item') this.#nextChild()
    this.#mode = next
    if (next === 'string') this.#set('')
    else if (next === 'first-item' || next === 'first-name') this.#open(next === 'first-item')
    else {
      this.#token = char
      if (next === 'number') this.#part = char
    }
    return true
  }

  /** Moves to the next item of an array, the first of which has index 0, or to the member of a name. */
  #nextChild(name?: string): void {
    const top = this.#top as Frame
    if (name === undefined && top.count >= SHOWN_ITEMS) this.#hide(this.#at + 1)
    this.#stack[this.#stack.length - 1] = { ...top, key: name ?? top.count, count: top.count + 1 }
  }

  #open(isArray: boolean): void {
    const pointer = this.#childPath()
    if (this.#stack.length === MAX_DEPTH) {
      this.#stop('too-deep', `The JSON is nested more than ${MAX_DEPTH} levels deep.`, pointer)
      return
    }
    this.#set(isArray ? [] : {})
    this.#stack.push({ pointer, isArray, key: 0, count: 0 })
    if (this.#hidden === null) this.#writer.enter()
    if (this.#stack.length > SHOWN_DEPTH) this.#hide(this.#at + 1)
  }

  #close(): true {
    const hidden = this.#hidden
    if (hidden?.depth === this.#stack.length - 1) {
      const text = hidden.text + this.#text.slice(this.#hiddenFrom, this.#at)
      this.#writer.extend(JSON.parse(this.#top?.isArray ? `[${text}]` : `{${text}}`))
      this.#hidden = null
    }
    this.#stack.pop()
    if (this.#hidden === null) this.#writer.leave()
    this.#endValue()
    return true
  }

  #hide(from: number): void {
    if (this.#hidden !== null) return
    this.#hidden = { depth: this.#stack.length - 1, text: '' }
    this.#hiddenFrom = from
  }

  #set(value: JsonValue): void {
    if (this.#hidden === null) this.#writer.set(this.#top?.key, value)
  }

  #endValue(): void {
    this.#token = ''
    this.#mode = this.#top === undefined ? 'end' : 'separator'
  }

  #readNumber(): boolean {
    const number = readNumber(this.#part, this.#text, this.#at)
    const end = this.#at + number.length - this.#part.length
    const isOpen = end === this.#text.length
    this.#token += this.#text.slice(this.#at, end)
    this.#at = end
    if (!isOpen && mayEndNumber(number)) {
      this.#endNumber()
      return true
    }
    this.#part = shortNumber(number)
    return isOpen
  }

  #endNumber(): void {
    this.#set(Number(this.#token))
    this.#part = ''
    this.#endValue()
  }

  #readLiteral(char: string): boolean {
    const value = LITERALS[this.#token.charAt(0)] as JsonValue
    const word = String(value)
    if (char !== word.charAt(this.#token.length)) return false
    this.#token += char
    if (this.#token === word) {
      this.#set(value)
      this.#endValue()
    }
    return true
  }

  #readString(): boolean {
    const text = this.#text
    const start = this.#at
    let at = start
    let char = 0
    for (; at < text.length; at++) {
      char = text.charCodeAt(at)
      if (char === QUOTE || char === BACKSLASH || char < 32) break
    }
    this.#at = at
    if (at > start) this.#append(text.slice(start, at))
    if (at === text.length) return true
    if (char !== QUOTE && char !== BACKSLASH) return false
    if (char === BACKSLASH) this.#escape = '\\'
    else {
      if (this.#half !== '') this.#appendWhole(this.#half)
      this.#half = ''
      if (this.#mode === 'name') {
        this.#nextChild(this.#token)
        this.#token = ''
        this.#mode = 'colon'
      } else this.#endValue()
    }
    this.#at++
    return true
  }

  #readEscape(): boolean {
    const char = this.#text.charAt(this.#at)
    const sequence = this.#escape + char
    const letter = sequence.length === 2 ? ESCAPES.indexOf(char) : -1
    if (letter === -1 && !/^\\u[\da-fA-F]{0,4}$/.test(sequence)) return false
    this.#at++
    const isOpen = letter === -1 && sequence.length < 6
    this.#escape = isOpen ? sequence : ''
    if (letter !== -1) this.#append(ESCAPED.charAt(letter))
    else if (!isOpen) this.#append(String.fromCharCode(Number.parseInt(sequence.slice(2), 16)))
    return true
  }

  /** Appends text to the open string or name; the first half of a surrogate pair waits for the second. */
  #append(text: string): void {
    const [whole, half] = splitHalf(this.#half + text)
    this.#half = half
    if (whole !== '') this.#appendWhole(whole)
  }

  #appendWhole(text: string): void {
    if (this.#mode === 'name') this.#token += text
    else if (this.#hidden === null) this.#writer.append(this.#top?.key, text)
  }
}
