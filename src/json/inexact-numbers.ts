/** Finds numbers in JSON text whose value changes when it is parsed. */

import { toPointer } from '../encoding/pointer.ts'
import { endOfString } from './depth.ts'

/** Fewer digits are always kept. Written out, because engines skip ahead by the characters at the start. */
const LONG_NUMBER = /[0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.]{8}/
/** Smaller exponents are always in range, unless the number is long. */
const LARGE_EXPONENT = /[0-9][eE][+-]?[0-9]{3}/

/** A character of a number. */
const NUMBER = /[-+.\deE]/

/** A double keeps every decimal of this many digits, unless it is too small or too large. */
const KEPT_DIGITS = 15
/** No double needs more digits to differ from the next one. */
const MAX_DIGITS = 17
/** From here to 0, doubles keep fewer digits. */
const MIN_NORMAL = 2.3e-308
const MINUS = 45
const ZERO = 48
const NINE = 57
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
    const char = json.charCodeAt(at)
    switch (char) {
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
        if (char !== MINUS && (char < ZERO || char > NINE)) break
        const start = at
        while (NUMBER.test(json.charAt(at + 1))) at++
        const text = json.slice(start, at + 1)
        // Most are so short that they are exact.
        if (text.length <= KEPT_DIGITS && !/e/i.test(text)) break
        const number = decimalOf(text)
        const { length } = number.digits
        if (length > KEPT_DIGITS && length <= MAX_DIGITS && ++compared > MAX_COMPARED) break
        if (!isExact(text, number))
          found.push({ path: toPointer(path.map((step) => nameAt(json, step))), text })
      }
    }
  }
  return found
}

/** A step of a path: an index, or the name at a position. */
function nameAt(json: string, step: number): number | string {
  return step >= 0 ? step : (JSON.parse(json.slice(-step, endOfString(json, -step) + 1)) as string)
}

/** A number without its sign: `0.<digits>` times ten to the power, without zeros around the digits. */
interface Decimal {
  /** Empty for zero. */
  readonly digits: string
  readonly power: number
}

function decimalOf(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.split(/e/i)
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  let first = 0
  let end = digits.length
  while (digits.charCodeAt(first) === ZERO) first++
  while (end > first && digits.charCodeAt(end - 1) === ZERO) end--
  return { digits: digits.slice(first, end), power: Number(exponent) + whole.length - first }
}

/** Whether a double holds a number. */
function isExact(text: string, { digits, power }: Decimal): boolean {
  if (digits === '') return true
  if (digits.length > MAX_DIGITS) return false
  const value = Math.abs(Number(text))
  if (!Number.isFinite(value) || value === 0) return false
  if (digits.length <= KEPT_DIGITS && value >= MIN_NORMAL) return true
  const nearest = decimalOf(String(value))
  return digits === nearest.digits && power === nearest.power
}
