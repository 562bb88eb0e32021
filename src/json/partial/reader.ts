/** Reading one piece of JSON text. */

import type { JsonValue } from '../../core/json-value.ts'
import type { Diagnostic } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'
import { toPointer } from '../../encoding/pointer.ts'
import { splitHalf } from '../../encoding/surrogates.ts'
import { MAX_DEPTH } from '../value.ts'
import { firstNumberPart, mayEndNumber, nextNumberPart } from './number.ts'
import { type Frame, type Hidden, type Mode, type State, withValue } from './state.ts'
import { ValueWriter } from './value-writer.ts'

/** While an array, an object or a nesting is larger, its further children are hidden: each delta copies the rest. */
const SHOWN_ITEMS = 1024
const SHOWN_MEMBERS = 128
const SHOWN_DEPTH = 64

const QUOTE = 34
const BACKSLASH = 92

const LITERALS: Readonly<Record<string, JsonValue>> = { t: true, f: false, n: null }
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** The mutable workspace of one delta. */
export class Reader {
  diagnostic: Diagnostic | undefined
  private readonly writer: ValueWriter
  private readonly stack: Frame[]
  private mode: Mode
  private token: string
  private part: State['part']
  private openEscape: string
  private half: string
  private hidden: Hidden | null
  /** Where the hidden text of this delta starts. */
  private hiddenFrom = 0
  private at = 0
  private readonly offset: number
  private readonly text: string

  constructor(state: State, text: string) {
    this.mode = state.mode
    this.stack = [...state.stack]
    this.token = state.token
    this.part = state.part
    this.openEscape = state.escape
    this.half = state.half
    this.hidden = state.hidden
    this.offset = state.position
    this.text = text
    this.writer = new ValueWriter(
      state.value,
      state.hidden === null ? this.stack : this.stack.slice(0, state.hidden.depth + 1),
    )
  }

  read(): void {
    while (this.at < this.text.length && this.mode !== 'invalid') {
      if (this.mode === 'string' || this.mode === 'name') this.readString()
      else if (this.mode === 'number') this.readNumber()
      else if (this.mode === 'literal') this.readLiteral()
      else this.readStructure()
    }
  }

  /** Ends the text: a number alone has no other end. */
  end(): void {
    if (this.mode === 'number' && this.stack.length === 0 && mayEndNumber(this.part)) this.endNumber()
  }

  /** The state after the delta. */
  state(): State {
    const { mode, writer, hidden } = this
    const state: State = {
      complete: mode === 'end',
      openPath: mode === 'end' || mode === 'invalid' ? null : this.openPath(),
      mode,
      position: this.offset + this.at,
      stack: this.stack,
      token: this.token,
      part: this.part,
      escape: this.openEscape,
      half: this.half,
      hidden: hidden && { depth: hidden.depth, text: hidden.text + this.text.slice(this.hiddenFrom) },
    }
    return writer.value === undefined ? state : withValue(state, writer.value)
  }

  /** What the grammar requires next, in words. */
  expected(): string {
    switch (this.mode) {
      case 'value':
        return 'a value'
      case 'first-item':
        return 'a value or "]"'
      case 'first-name':
        return 'a name in double quotes or "}"'
      case 'name-start':
        return 'a name in double quotes'
      case 'colon':
        return '":"'
      case 'separator':
        return this.stack.at(-1)?.isArray ? '"," or "]"' : '"," or "}"'
      case 'number':
        return mayEndNumber(this.part) ? 'the end of the number' : 'a digit'
      case 'literal':
        return `the rest of "${LITERALS[this.token.charAt(0)]}"`
      case 'name':
      case 'string':
        if (this.openEscape === '') return 'the end of the string, without control characters'
        return this.openEscape.length === 1 ? 'an escape sequence' : 'four hexadecimal digits'
      default:
        return 'the end of the text'
    }
  }

  private openPath(): string {
    const top = this.stack.at(-1)
    if (top === undefined) return ''
    const isChild = ['value', 'colon', 'string', 'number', 'literal'].includes(this.mode)
    return isChild ? top.pointer + toPointer([top.key]) : top.pointer
  }

  private fail(): void {
    const position = this.offset + this.at
    const message = `Expected ${this.expected()} at position ${position}, got ${describeValue(this.text.slice(this.at, this.at + 1))}.`
    this.stop({ code: 'invalid-json', message, path: this.openPath(), detail: { position } })
  }

  private stop(diagnostic: Diagnostic): void {
    this.diagnostic = diagnostic
    this.mode = 'invalid'
    this.hidden = null
  }

  /** Reads one character between strings, numbers and literals. */
  private readStructure(): void {
    const char = this.text.charCodeAt(this.at)
    // Space, tab, LF, CR
    if (char === 32 || char === 9 || char === 10 || char === 13) {
      this.at++
      return
    }
    const { mode } = this
    switch (char) {
      case QUOTE:
        if (mode === 'first-name' || mode === 'name-start') this.startName()
        else if (this.startValue('string')) this.set('')
        return
      case 91: // [
        if (this.startValue('first-item')) this.open(true)
        return
      case 123: // {
        if (this.startValue('first-name')) this.open(false)
        return
      case 93: // ]
      case 125: {
        // }
        const isArray = char === 93
        const mayClose = mode === (isArray ? 'first-item' : 'first-name') || mode === 'separator'
        if (mayClose && this.stack.at(-1)?.isArray === isArray) this.close()
        else this.fail()
        return
      }
      case 44: // ,
        if (mode !== 'separator') {
          this.fail()
          return
        }
        this.mode = this.stack.at(-1)?.isArray ? 'value' : 'name-start'
        if (this.mode === 'value') this.nextItem()
        this.at++
        return
      case 58: // :
        if (mode !== 'colon') {
          this.fail()
          return
        }
        this.mode = 'value'
        this.at++
        return
      default:
        this.startScalar(char)
    }
  }

  private startScalar(char: number): void {
    const part = firstNumberPart(char)
    const first = this.text.slice(this.at, this.at + 1)
    if (part === undefined && !Object.hasOwn(LITERALS, first)) {
      this.fail()
      return
    }
    if (!this.startValue(part === undefined ? 'literal' : 'number')) return
    this.token = first
    if (part !== undefined) this.part = part
  }

  /** Enters the mode of a value, where one may start, past its first character. */
  private startValue(mode: Mode): boolean {
    if (this.mode !== 'value' && this.mode !== 'first-item') {
      this.fail()
      return false
    }
    if (this.mode === 'first-item') this.nextItem()
    this.mode = mode
    this.at++
    return true
  }

  /** Moves to the next item of an array; the first one has index 0. */
  private nextItem(): void {
    const top = this.stack.at(-1) as Frame
    if (top.count >= SHOWN_ITEMS) this.hide(this.at + 1)
    this.stack[this.stack.length - 1] = { ...top, key: top.count, count: top.count + 1 }
  }

  private startName(): void {
    const top = this.stack.at(-1) as Frame
    if (top.count >= SHOWN_MEMBERS) this.hide(this.at)
    this.token = ''
    this.mode = 'name'
    this.at++
  }

  private endName(): void {
    const top = this.stack.at(-1) as Frame
    this.stack[this.stack.length - 1] = { ...top, key: this.token, count: top.count + 1 }
    this.token = ''
    this.mode = 'colon'
  }

  private open(isArray: boolean): void {
    const outer = this.stack.at(-1)
    const pointer = outer === undefined ? '' : outer.pointer + toPointer([outer.key])
    if (this.stack.length === MAX_DEPTH) {
      const message = `The JSON is nested more than ${MAX_DEPTH} levels deep.`
      const detail = { position: this.offset + this.at - 1 }
      this.stop({ code: 'too-deep', message, path: pointer, detail })
      return
    }
    this.set(isArray ? [] : {})
    const frame: Frame = { pointer, isArray, key: 0, count: 0 }
    this.stack.push(frame)
    if (this.hidden === null) this.writer.enter()
    if (this.stack.length > SHOWN_DEPTH) this.hide(this.at)
  }

  private close(): void {
    const { hidden } = this
    if (hidden !== null && hidden.depth === this.stack.length - 1) {
      const isArray = this.stack.at(-1)?.isArray === true
      const text = hidden.text + this.text.slice(this.hiddenFrom, this.at)
      this.writer.extend(JSON.parse(isArray ? `[${text}]` : `{${text}}`))
      this.hidden = null
    }
    this.stack.pop()
    if (this.hidden === null) this.writer.leave()
    this.endValue()
    this.at++
  }

  private hide(from: number): void {
    if (this.hidden !== null) return
    this.hidden = { depth: this.stack.length - 1, text: '' }
    this.hiddenFrom = from
  }

  private set(value: JsonValue): void {
    if (this.hidden === null) this.writer.set(this.stack.at(-1)?.key, value)
  }

  private endValue(): void {
    this.mode = this.stack.length === 0 ? 'end' : 'separator'
  }

  private readNumber(): void {
    const start = this.at
    let { part } = this
    for (; this.at < this.text.length; this.at++) {
      const next = nextNumberPart(part, this.text.charCodeAt(this.at))
      if (next === undefined) break
      part = next
    }
    this.part = part
    this.token += this.text.slice(start, this.at)
    if (this.at === this.text.length) return
    if (mayEndNumber(part)) this.endNumber()
    else this.fail()
  }

  private endNumber(): void {
    this.set(Number(this.token))
    this.token = ''
    this.endValue()
  }

  private readLiteral(): void {
    const value = LITERALS[this.token.charAt(0)] as JsonValue
    const word = String(value)
    const char = this.text.slice(this.at, this.at + 1)
    if (char !== word.charAt(this.token.length)) {
      this.fail()
      return
    }
    this.token += char
    this.at++
    if (this.token.length < word.length) return
    this.token = ''
    this.set(value)
    this.endValue()
  }

  private readString(): void {
    if (this.openEscape !== '') {
      this.readEscape()
      return
    }
    const start = this.at
    let char = 0
    for (; this.at < this.text.length; this.at++) {
      char = this.text.charCodeAt(this.at)
      if (char === QUOTE || char === BACKSLASH || char < 32) break
    }
    if (this.at > start) this.append(this.text.slice(start, this.at))
    if (this.at === this.text.length) return
    if (char === BACKSLASH) {
      this.openEscape = '\\'
      this.at++
    } else if (char === QUOTE) {
      if (this.half !== '') this.appendWhole(this.half)
      this.half = ''
      if (this.mode === 'name') this.endName()
      else this.endValue()
      this.at++
    } else this.fail()
  }

  private readEscape(): void {
    const char = this.text.slice(this.at, this.at + 1)
    const isLetter = this.openEscape.length === 1
    const isValid = isLetter ? char === 'u' || Object.hasOwn(ESCAPES, char) : /^[0-9a-fA-F]$/.test(char)
    if (!isValid) {
      this.fail()
      return
    }
    this.openEscape += char
    this.at++
    if (isLetter && char !== 'u') this.endEscape(ESCAPES[char] as string)
    else if (this.openEscape.length === 6)
      this.endEscape(String.fromCharCode(Number.parseInt(this.openEscape.slice(2), 16)))
  }

  private endEscape(text: string): void {
    this.openEscape = ''
    this.append(text)
  }

  /** Appends text to the open string or name; the first half of a surrogate pair waits for the second. */
  private append(text: string): void {
    const [whole, half] = splitHalf(this.half + text)
    this.half = half
    if (whole !== '') this.appendWhole(whole)
  }

  private appendWhole(text: string): void {
    if (this.mode === 'name') this.token += text
    else if (this.hidden === null) this.writer.append(this.stack.at(-1)?.key, text)
  }
}
