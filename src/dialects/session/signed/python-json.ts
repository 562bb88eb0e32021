/** JSON as Python writes it, which signatures of version 1.0 cover. */

import { endOfString } from '../../../json/depth.ts'
import { JsonTextError, requireNew } from './members.ts'

/** An array or object that is not closed, or what is around all. */
interface Open {
  /** What is written of an array. */
  items: string
  /** What is written of the members of an object, by key. */
  readonly members?: Map<string, string>
  /** The key of the value that comes. */
  key?: string
}

/** What ends a number, `true`, `false` or `null`. */
const AFTER_SCALAR = /[\s,\]}]/

/**
 * A JSON value as `json.dumps(value, sort_keys=True, separators=(',', ':'))` of Python writes it. Reads the text in one pass,
 * without recursion.
 *
 * @param json - Text that `JSON.parse` accepts.
 * @throws JsonTextError for a key that comes twice, and a number that a double cannot hold.
 */
export function pythonJson(json: string): string {
  const outer: Open[] = []
  let open: Open = { items: '' }
  const add = (text: string): void => {
    // Appending copies nothing; joining would copy a value once for each level around it.
    if (open.members === undefined) open.items += open.items === '' ? text : `,${text}`
    else {
      open.members.set(open.key ?? '', text)
      delete open.key
    }
  }
  for (let at = 0; at < json.length; at++) {
    const char = json.charAt(at)
    if (char === '"') {
      const end = endOfString(json, at)
      const value = JSON.parse(json.slice(at, end + 1)) as string
      if (open.members === undefined || open.key !== undefined) add(pythonString(value))
      else {
        requireNew(open.members, value)
        open.key = value
      }
      at = end
    } else if (char === '{' || char === '[') {
      outer.push(open)
      open = char === '{' ? { items: '', members: new Map() } : { items: '' }
    } else if (char === '}' || char === ']') {
      const text = closed(open)
      open = outer.pop() ?? open
      add(text)
    } else if (/[^\s,:]/.test(char)) {
      // One match of all of it would need a stack as long.
      let end = at + 1
      while (end < json.length && !AFTER_SCALAR.test(json.charAt(end))) end++
      const scalar = json.slice(at, end)
      add(/[tfn]/.test(char) ? scalar : pythonNumber(scalar))
      at = end - 1
    }
  }
  return open.items
}

function closed({ items, members }: Open): string {
  if (members === undefined) return `[${items}]`
  let text = ''
  for (const [key, value] of [...members].sort(([a], [b]) => compareCodePoints(a, b))) {
    text += `${text === '' ? '' : ','}${pythonString(key)}:${value}`
  }
  return `{${text}}`
}

function pythonString(value: string): string {
  return JSON.stringify(value).replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Python escapes all of them.
    /[^\u0000-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function pythonNumber(text: string): string {
  // An integer has no other form than that of JSON.
  if (!/[.eE]/.test(text)) return text === '-0' ? '0' : text
  const value = Number(text)
  if (!Number.isFinite(value)) {
    throw new JsonTextError(`Expected numbers that a double can hold, got ${text.slice(0, 64)}.`)
  }
  return pythonFloat(value)
}

/** `repr` of a float: the shortest digits, with an exponent below 1e-4 and from 1e16 on. */
function pythonFloat(value: number): string {
  const [mantissa = '', power = ''] = Math.abs(value).toExponential().split('e')
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`
  }
  const digits = mantissa.replace('.', '')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const padded = digits.padEnd(exponent + 1, '0')
  return `${sign}${padded.slice(0, exponent + 1)}.${padded.slice(exponent + 1) || '0'}`
}

/** Compares by code point. Code units sort the characters beyond the BMP before those from U+E000. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [rankOf(a.charCodeAt(i)), rankOf(b.charCodeAt(i))]
    if (x !== y) return x - y
  }
  return a.length - b.length
}

function rankOf(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
