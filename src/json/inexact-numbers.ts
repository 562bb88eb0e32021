/** Finds numbers in JSON text whose value changes when it is parsed. */

import { toPointer } from '../encoding/pointer.ts'
import { endOfString } from './depth.ts'

/** Fewer digits are always kept. Written out, because engines skip ahead by the characters at the start. */
const LONG_NUMBER = /[0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.]{8}/
/** Smaller exponents are always in range, unless the number is long. */
const LARGE_EXPONENT = /[0-9][eE][+-]?[0-9]{3}/

/** A double keeps every decimal of this many digits, unless it is too small or too large. */
const KEPT_DIGITS = 15
/** No double needs more digits to differ from the next one. */
const MAX_DIGITS = 17
/** From here to 0, doubles keep fewer digits. */
const MIN_NORMAL = 2.3e-308
/** How many numbers of 16 or 17 digits are compared: it takes several times as long as parsing them. */
const MAX_COMPARED = 20_000

/** A number that a double cannot hold. */
export interface InexactNumber {
  /** Location of the number: a JSON pointer. */
  readonly path: string
  /** The number as it is written. */
  readonly text: string
}

/** Whether a text may hold inexact numbers: hardly any does, and only those need {@link inexactNumbers}. */
export function mayBeInexact(text: string): boolean {
  return LARGE_EXPONENT.test(text) || LONG_NUMBER.test(text)
}

/**
 * The numbers of a JSON text that a double cannot hold, at most `limit`: integers over 2^53 without a double, decimals
 * with more digits than a double keeps, and numbers that overflow or vanish. Compares values: `1.0` is exact. Of
 * numbers with 16 or 17 digits, only the first 20 000 are compared.
 *
 * @param json - Text that `JSON.parse` accepts.
 */
export function inexactNumbers(json: string, limit: number): InexactNumber[] {
  const found: InexactNumber[] = []
  /** Where the value is: indexes of arrays, and positions of names in the text as negative numbers. */
  const path: number[] = []
  let compared = 0
  let lastString = 0
  for (let at = 0; at < json.length && found.length < limit; at++) {
    switch (json.charCodeAt(at)) {
      case 34: // "
        lastString = at
        at = endOfString(json, at)
        break
      case 58: // :
        path[path.length - 1] = -lastString
        break
      case 91: // [
        path.push(0)
        break
      case 123: // {
        path.push(-1)
        break
      case 93: // ]
      case 125: // }
        path.pop()
        break
      case 44: {
        // A comma. The name of a member follows by itself.
        const index = path[path.length - 1] as number
        if (index >= 0) path[path.length - 1] = index + 1
        break
      }
      default: {
        const end = endOfNumber(json, at)
        if (end === at) break
        if (!isShort(json, at, end)) {
          const number = decimal(json, at, end)
          const isLong = number.count > KEPT_DIGITS && number.count <= MAX_DIGITS
          if (isLong) compared++
          if (!(isLong && compared > MAX_COMPARED) && !isExact(json, at, end, number)) {
            found.push({ path: toPointer(path.map((step) => nameAt(json, step))), text: json.slice(at, end) })
          }
        }
        at = end - 1
      }
    }
  }
  return found
}

/** A step of a path: an index, or the name at a position. */
function nameAt(json: string, step: number): number | string {
  return step >= 0 ? step : (JSON.parse(json.slice(-step, endOfString(json, -step) + 1)) as string)
}

/** The end of the number that starts at `start`; `start` if none does. */
function endOfNumber(json: string, start: number): number {
  let end = start
  for (;;) {
    const char = json.charCodeAt(end)
    const isDigit = char >= 48 && char <= 57
    // 45 is '-', 46 '.', 43 '+', 69 'E', 101 'e'. The last three are never first.
    const isOther =
      char === 45 || (end > start && (char === 46 || char === 43 || char === 69 || char === 101))
    if (!isDigit && !isOther) return end
    end++
  }
}

/** Whether a number is so short that it is exact. Most are. */
function isShort(json: string, start: number, end: number): boolean {
  if (end - start > KEPT_DIGITS) return false
  for (let at = start; at < end; at++) if (isExponentSign(json.charCodeAt(at))) return false
  return true
}

/** E or e */
function isExponentSign(char: number): boolean {
  return char === 69 || char === 101
}

/** Where the significant digits of a number are: those without the zeros around them. */
interface Decimal {
  /** How many there are; 0 for zero. */
  readonly count: number
  readonly first: number
  readonly last: number
  /** The position of the decimal point, also if it is not written. */
  readonly point: number
  /** The end of the digits: that of the number, or its `e`. */
  readonly end: number
}

function decimal(json: string, start: number, end: number): Decimal {
  let first = -1
  let last = -1
  let point = -1
  let at = start
  for (; at < end; at++) {
    const char = json.charCodeAt(at)
    if (isExponentSign(char)) break
    if (char === 46) point = at
    else if (char > 48) {
      last = at
      if (first === -1) first = at
    }
  }
  if (point === -1) point = at
  const count = first === -1 ? 0 : last - first + (first < point && point < last ? 0 : 1)
  return { count, first, last, point, end: at }
}

/** Whether a double holds a number. */
function isExact(json: string, start: number, end: number, number: Decimal): boolean {
  const { count } = number
  if (count === 0) return true
  if (count > MAX_DIGITS) return false
  const value = Math.abs(Number(json.slice(start, end)))
  if (!Number.isFinite(value) || value === 0) return false
  if (count <= KEPT_DIGITS && value >= MIN_NORMAL) return true
  const nearest = String(value)
  return (
    canonical(json, end, number) === canonical(nearest, nearest.length, decimal(nearest, 0, nearest.length))
  )
}

/** The value of a number as text: its significant digits, and the power of ten of the last. */
function canonical(json: string, end: number, { first, last, point, end: mantissaEnd }: Decimal): string {
  const digits = json.slice(first, last + 1).replace('.', '')
  const exponent = Number(json.slice(mantissaEnd + 1, end))
  return `${digits}e${exponent + point - last - (last < point ? 1 : 0)}`
}
