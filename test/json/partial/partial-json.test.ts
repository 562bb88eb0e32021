// Proves that the value of JSON text is known while it is written, exactly, and independently of how it is cut.

import fc from 'fast-check'
import { type Diagnostic, run } from 'turnstream'
import { type PartialJson, parsePartialJson, partialJson } from 'turnstream/json'
import { describe, expect, it } from 'vitest'
import { parsePointer } from '../../../src/encoding/pointer.ts'
import { readJson } from '../../../src/json/partial/partial-json.ts'
import { initialState } from '../../../src/json/partial/state.ts'
import { valueAt } from '../../../src/json/value.ts'
import { counted } from '../../support/counting-text.ts'
import { jsonValue } from '../../support/json.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { runs } from '../../support/runs.ts'
import { certainValue } from './reference.ts'

const keys = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'a/b', '~', '', '"', '\\', '\ud83d\ude00', '\ud83d', '0', 'a'),
  fc.string(),
)
const scalars = fc.oneof(
  fc.constantFrom<fc.JsonValue>(0, -0.5, 1e21, 5e-324, '\ud83d', '\ud83d\ude00', '\ude00', '\n', true, null),
  jsonValue({ maxDepth: 0, stringUnit: 'binary' }),
)
const value: fc.Arbitrary<fc.JsonValue> = fc.letrec<{ value: fc.JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

/** Text of a value: spaced, and with any characters of strings escaped. */
const json: fc.Arbitrary<string> = fc
  .tuple(value, fc.constantFrom(undefined, 1, '\t\r\n'), fc.boolean())
  .map(([each, space, isEscaped]) => {
    const text = JSON.stringify(each, null, space)
    if (!isEscaped) return text
    return text.replace(
      /[^\x20-\x7e\r\n\t]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  })

/** Text near JSON: with a piece removed, repeated or replaced. */
const nearJson: fc.Arbitrary<string> = fc
  .tuple(
    json,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', ']', '}', '"', '\\', '-', '1', '.', 'e', '\n', ':', '{', 'x'),
  )
  .map(([text, at, count, piece]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + piece + text.slice(from + count)
  })

const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 })

function split(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] as number
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Whether a value may grow to another: strings by their end, arrays by items, objects by members. */
function isPrefix(early: unknown, late: unknown, isOpen = true): boolean {
  if (Object.is(early, late)) return true
  if (!isOpen || typeof early !== typeof late || early === null || late === null) return false
  if (typeof early === 'string') return (late as string).startsWith(early)
  if (typeof early !== 'object' || Array.isArray(early) !== Array.isArray(late)) return false
  const [some, all] = [Object.entries(early), new Map(Object.entries(late as object))]
  return some.every(([key, each]) => all.has(key) && isPrefix(each, all.get(key)))
}

describe('each prefix of JSON', () => {
  it('has the value that is certain, by a slow reference', () => {
    fc.assert(
      fc.property(json, (text) => {
        for (let end = 0; end <= text.length; end++) {
          const { value, complete, verdict } = parsePartialJson(text.slice(0, end))
          const isNumber = /^\s*-?\d/.test(text)
          if (!(isNumber && verdict === 'complete')) {
            const certain = certainValue(text.slice(0, end))
            expect([text.slice(0, end), value]).toEqual([text.slice(0, end), certain?.value])
          }
          expect(verdict).toBe(complete ? 'complete' : 'incomplete')
          expect(complete).toBe(parsed(text.slice(0, end)) !== undefined)
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('has a value that grows to the final one, and paths of values that are in it', () => {
    fc.assert(
      fc.property(json, cuts, (text, sizes) => {
        const final: unknown = JSON.parse(text)
        const machine = run(partialJson())
        for (const piece of split(text, sizes)) {
          const [partial] = machine.push(piece) as [PartialJson]
          if (partial.value !== undefined) expect(isPrefix(partial.value, final)).toBe(true)
          const path = partial.openPath === null ? [] : parsePointer(partial.openPath)
          expect(valueAt(final, path ?? ['?'])).toBeDefined()
        }
        const [last] = machine.end() as [PartialJson]
        expect(last).toMatchObject({ complete: true, openPath: null, verdict: 'complete' })
        expect(JSON.stringify(last.value)).toBe(JSON.stringify(final))
        expect(Object.is(last.value, final) || typeof final !== 'number').toBe(true)
      }),
      { numRuns: runs(400) },
    )
  })
})

describe('any text', () => {
  it('gets the verdict of JSON.parse, and one diagnostic if it is not complete', () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, fc.string(), fc.json()), (text) => {
        const { value, complete, verdict, diagnostics } = parsePartialJson(text)
        const expected = parsed(text)
        expect(verdict === 'complete').toBe(expected !== undefined)
        expect(complete).toBe(expected !== undefined)
        expect(diagnostics).toHaveLength(expected === undefined ? 1 : 0)
        if (expected !== undefined) expect(JSON.stringify(value)).toBe(JSON.stringify(expected.value))
        if (verdict !== 'invalid') return
        // It is invalid from the position on, and not before.
        const { position } = (diagnostics[0] as Diagnostic).detail as { position: number }
        expect(parsePartialJson(text.slice(0, position)).verdict).not.toBe('invalid')
        expect(parsePartialJson(text.slice(0, position + 1)).verdict).toBe('invalid')
      }),
      { numRuns: runs(1500) },
    )
  })

  it('gives the same state and diagnostics however it is cut', () => {
    fc.assert(
      fc.property(fc.oneof(json, nearJson), cuts, (text, sizes) => {
        const read = (pieces: readonly string[]): unknown => {
          const diagnostics: unknown[] = []
          const machine = run(partialJson(), { onDiagnostic: (each) => diagnostics.push(each) })
          for (const piece of pieces) machine.push(piece)
          return { state: machine.state, out: machine.end(), diagnostics }
        }
        expect(read(split(text, sizes))).toEqual(read([text]))
      }),
      { numRuns: runs(500) },
    )
  })

  it('is read by a machine', () => {
    const piece = fc.oneof(
      fc.constantFrom('{"a":', '"', '\\', '\\ud83d', '[', ']', '}', ',', '1', '"b":', '\ud83d', '__proto__'),
      fc.string({ maxLength: 4 }),
    )
    expectMachineLaw(partialJson(), fc.constantFrom('-0', '[-0', ',', ']'))
    expectMachineLaw(partialJson(), piece)
    expectMachineLaw(partialJson(), fc.oneof(jsonValue(), piece) as fc.Arbitrary<string>)
  })

  it('is read once', () => {
    fc.assert(
      fc.property(fc.oneof(json, nearJson), fc.integer({ min: 1, max: 300 }), (unit, count) => {
        const long = `[${`${unit},`.repeat(count)}`
        const { text, read } = counted(long)
        readJson(initialState, text)
        expect(read()).toBeLessThanOrEqual(4 * long.length + 32)
      }),
      { numRuns: runs(200) },
    )
  })
})
