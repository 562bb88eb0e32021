// Proves that exactly the numbers are found whose value changes when JSON is parsed, wherever they are.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parsePointer } from '../../src/encoding/pointer.ts'
import { inexactNumbers, mayBeInexact } from '../../src/json/inexact-numbers.ts'
import { valueAt } from '../../src/json/value.ts'
import { runs } from '../support/runs.ts'

const digits = (max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max })

/** Numbers as JSON writes them, around the limits of a double. */
const number: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(20).map((text) => text.replace(/^0+(?=.)/, '')),
    fc.option(digits(20)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(420))),
  )
  .map(([sign, whole, fraction, exponent]) =>
    [sign, whole, fraction === null ? '' : `.${fraction}`, ...(exponent ?? [])].join(''),
  )

const name = fc.oneof(
  fc.string(),
  fc.constantFrom('a/b', '"', '\\', '1e400', ':', '[', '12345678901234567890'),
)

/** JSON text with numbers of any spelling. */
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    number,
    name.map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' , ')}]`),
    fc
      .uniqueArray(fc.tuple(name, tie('value')), { maxLength: 3, selector: ([key]) => key })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join(',')}}`),
  ),
})).value

/** Whether two decimals have the same value, by integers. */
function isSameValue(a: string, b: string): boolean {
  const scaled = (text: string): bigint => {
    const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
    const [whole = '', fraction = ''] = mantissa.split('.')
    return BigInt(whole + fraction) * 10n ** BigInt(900 + Number(exponent) - fraction.length)
  }
  return scaled(a) === scaled(b)
}

it('finds a number if and only if its value changes', () => {
  fc.assert(
    fc.property(number, (text) => {
      const value = Number(text)
      const isExact = Number.isFinite(value) && isSameValue(text, String(value))
      expect(inexactNumbers(text, 9)).toEqual(isExact ? [] : [{ path: '', text }])
      if (!isExact) expect(mayBeInexact(text)).toBe(true)
    }),
    { numRuns: runs(2000) },
  )
})

it('finds numbers at their paths, in order', () => {
  fc.assert(
    fc.property(json, (text) => {
      const value: unknown = JSON.parse(text)
      const all = inexactNumbers(text, 1000)
      for (const { path, text: written } of all) {
        expect(inexactNumbers(written, 9)).toHaveLength(1)
        expect(valueAt(value, parsePointer(path) ?? ['?'])).toEqual({ value: Number(written) })
      }
      const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? []
      expect(all.map((one) => one.text)).toEqual(numbers.filter((one) => inexactNumbers(one, 9).length > 0))
      if (all.length > 0) expect(mayBeInexact(text)).toBe(true)
      expect(inexactNumbers(text, 1)).toEqual(all.slice(0, 1))
    }),
    { numRuns: runs(1000) },
  )
})

it('compares a bounded number of long numbers, and finds longer ones behind them', () => {
  const many = `[${'0.1234567890123456,'.repeat(20_000)}`
  expect(inexactNumbers(`${many}0.12345678901234561]`, 9).map(({ path }) => path)).toEqual([])
  expect(inexactNumbers(`${many}12345678901234567890]`, 9).map(({ path }) => path)).toEqual(['/20000'])
})
