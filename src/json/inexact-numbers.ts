/** Finds numbers in JSON text whose value changes when it is parsed. */

import { toPointer } from '../encoding/pointer.ts'
import { endOfString } from './depth.ts'

/** Fewer digits are always kept. Written out, because engines skip ahead by the characters at the start. */
const LONG_NUMBER = /[0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.][0-9.]{8}/
/** Smaller exponents are always in range, unless the number is long. */
const LARGE_EXPONENT = /[0-9][eE][+-]?[0-9]{3}/

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
 * with more digits than a double keeps, and numbers that overflow or vanish. Compares values: `1.0` is exact.
 *
 * @param json - Text that `JSON.parse` accepts.
 */
export function inexactNumbers(json: string, limit: number): InexactNumber[] {
  const found: InexactNumber[] = []
  const path: (string | number)[] = []
  let text = ''
  for (let at = 0; at < json.length && found.length < limit; at++) {
    const char = json[at] as string
    const last = path.length - 1
    if (char === '"') {
      const end = endOfString(json, at)
      text = json.slice(at, end + 1)
      at = end
    } else if (char === ':') path[last] = JSON.parse(text) as string
    else if (char === '[') path.push(0)
    else if (char === '{') path.push('')
    else if (char === ']' || char === '}') path.pop()
    else if (char === ',') {
      const index = path[last]
      // The name of a member follows by itself.
      if (typeof index === 'number') path[last] = index + 1
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const end = endOfNumber(json, at)
      const number = json.slice(at, end)
      if (!isExact(number)) found.push({ path: toPointer(path), text: number })
      at = end - 1
    }
  }
  return found
}

function endOfNumber(json: string, start: number): number {
  let end = start + 1
  while (end < json.length && '0123456789.eE+-'.includes(json[end] as string)) end++
  return end
}

function isExact(number: string): boolean {
  const value = Number(number)
  return Number.isFinite(value) && canonical(number) === canonical(String(value))
}

/** The value of a decimal as text: its digits without outer zeros, and the power of ten. */
function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace(/^-/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let start = 0
  let end = digits.length
  while (digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return '0'
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
