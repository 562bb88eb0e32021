/** Canonical forms of JSON, which signatures cover. */

import { type JsonNode, JsonTextError } from './json-text.ts'

/** How one canonical form writes keys, strings and numbers. */
interface Form {
  readonly compare: (a: string, b: string) => number
  readonly string: (value: string) => string
  readonly number: (text: string) => string
}

const isInteger = (text: string): boolean => /^-?\d+$/.test(text)

/** RFC 8785, the JSON Canonicalization Scheme. */
export const rfc8785: Form = {
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  string(value) {
    if (/\p{Surrogate}/u.test(value))
      throw new JsonTextError('Expected whole surrogate pairs, got half of one.')
    return JSON.stringify(value)
  },
  number(text) {
    const value = finite(text)
    // Another reader may keep the digits that a double cannot hold.
    if (isInteger(text) && !Number.isSafeInteger(value)) {
      throw new JsonTextError(`Expected integers within ±(2^53 - 1), got ${text}.`)
    }
    return JSON.stringify(value)
  },
}

/** `json.dumps(value, sort_keys=True, separators=(',', ':'))` of Python. */
export const python: Form = {
  compare: compareCodePoints,
  string: (value) =>
    JSON.stringify(value).replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: Python escapes all of them.
      /[^\u0000-\u007e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  number: (text) => (isInteger(text) ? BigInt(text).toString() : pythonFloat(finite(text))),
}

/**
 * Writes a value in canonical form.
 *
 * @throws JsonTextError if the value has none.
 */
export function canonicalize(node: JsonNode, form: Form): string {
  switch (node.type) {
    case 'object': {
      const entries = [...node.entries].sort(([a], [b]) => form.compare(a, b))
      return `{${entries.map(([key, value]) => `${form.string(key)}:${canonicalize(value, form)}`).join(',')}}`
    }
    case 'array':
      return `[${node.items.map((item) => canonicalize(item, form)).join(',')}]`
    case 'string':
      return form.string(node.value)
    case 'number':
      return form.number(node.text)
    case 'literal':
      return node.text
  }
}

function finite(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value))
    throw new JsonTextError(`Expected numbers that a double can hold, got ${text}.`)
  return value
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
