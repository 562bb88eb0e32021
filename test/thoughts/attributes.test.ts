/** Proves which names and values attributes have, and that every ignored one is named. */

import fc from 'fast-check'
import type { ThoughtOutput } from 'turnstream/thoughts'
import { thoughtExtractor } from 'turnstream/thoughts'
import { describe, expect, test } from 'vitest'
import { type Diagnostic, run } from '../../src/core/machine.ts'

function read(text: string): { outputs: ThoughtOutput[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(thoughtExtractor(), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  return { outputs: [...push(text), ...end()], diagnostics }
}

const isThought = (text: string): boolean => read(text).outputs.some(({ type }) => type === 'thought')

describe('the name of an attribute', () => {
  const all = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit))
  const letters = all.filter((char) => /[A-Za-z_:]/.test(char))
  const others = all.filter((char) => /[0-9.-]/.test(char))

  test.each([...letters, ...others])('contains %j', (char) => {
    expect(isThought(`<thinking a${char}b="1">x</thinking>`)).toBe(true)
  })
  test.each(letters)('starts with %j', (char) => {
    expect(isThought(`<thinking ${char}b="1">x</thinking>`)).toBe(true)
  })
  test.each(others)('does not start with %j', (char) => {
    expect(isThought(`<thinking ${char}b="1">x</thinking>`)).toBe(false)
  })
  test('contains nothing else', () => {
    const rest = all.filter((char) => !letters.includes(char) && !others.includes(char))
    // Whitespace and `=` end the name; what follows is no tag either.
    for (const char of rest) expect(isThought(`<thinking a${char}b="1">x</thinking>`), char).toBe(false)
  })
})

describe('a value without quotes', () => {
  const all = Array.from({ length: 160 }, (_, unit) => String.fromCharCode(unit))
  const isThoughtWith = (value: string): boolean => isThought(`<thinking a=${value}>x</thinking>`)

  test('contains anything but whitespace, quotes and what would be a mistake in HTML', () => {
    const refused = all.filter((char) => !isThoughtWith(`b${char}c`))
    expect(refused.join('')).toBe('\t\n\r "\'<=`')
  })
  test('starts with anything of these but a slash; whitespace before it is ignored', () => {
    const refused = all.filter((char) => !isThoughtWith(`${char}b`))
    expect(refused.join('')).toBe('"\'/<=>`')
  })
})

describe('the thought of an attribute', () => {
  const thoughtWith = (name: string, value: string): unknown =>
    read(`<thinking ${name}="${value}">x</thinking>`).outputs.find(({ type }) => type === 'thought')

  test.each([
    ...['planning', 'reasoning', 'reflection', 'decision', 'observation', 'strategy'].map((one) => [
      'type',
      one,
    ]),
    ...['brief', 'normal', 'detailed'].map((one) => ['verbosity', one]),
  ] as [string, string][])('has every %s, in either case: %s', (name, one) => {
    for (const value of [one, one.toUpperCase()]) {
      expect(thoughtWith(name, value)).toMatchObject({ thought: { [name]: one } })
    }
  })
})

const value = fc
  .string({ unit: fc.constantFrom('a', 'B', '1', ' ', '.', 'é') })
  .map((text) => text.trim())
  .filter((text) => text !== '')

describe('a diagnostic', () => {
  test('about an unknown attribute names it', () => {
    fc.assert(
      fc.property(value, (value) => {
        const [diagnostic] = read(`<thinking mood="${value}">x</thinking>`).diagnostics
        expect(diagnostic).toMatchObject({ code: 'ignored-attribute', detail: { name: 'mood', value } })
        expect(diagnostic?.message).toMatch(/^\S.*"mood".*\.$/)
      }),
    )
  })

  test('about a repeated attribute names it, and differs from one about an unknown attribute', () => {
    const [repeated] = read('<thinking type="planning" TYPE="planning">x</thinking>').diagnostics
    const [unknown] = read('<thinking TIPE="planning">x</thinking>').diagnostics
    expect(repeated).toMatchObject({ code: 'ignored-attribute', detail: { name: 'TYPE', value: 'planning' } })
    expect(repeated?.message).toContain('"TYPE"')
    expect(repeated?.message).not.toBe(unknown?.message.replace('TIPE', 'TYPE'))
  })

  test.each([
    ['confidence', '2', 'a number from 0 to 1'],
    ['confidence', '-0.5', 'a number from 0 to 1'],
    ['type', 'musing', 'valid'],
    ['verbosity', 'loud', 'valid'],
  ])(
    'about a bad value names the attribute, what was expected and what came: %s="%s"',
    (name, value, expected) => {
      const [diagnostic] = read(`<thinking ${name}="${value}">x</thinking>`).diagnostics
      expect(diagnostic).toMatchObject({ code: 'bad-attribute', detail: { name, value } })
      const { message = '' } = diagnostic ?? {}
      const positions = [`"${name}"`, expected, `got "${value}"`].map((part) => message.indexOf(part))
      expect(positions).not.toContain(-1)
      expect(positions).toEqual([...positions].sort((a, b) => a - b))
    },
  )
})

describe('an open thought at the end', () => {
  const outcome = (text: string): unknown => {
    const machine = thoughtExtractor()
    const { state } = machine.step(machine.initial, text)
    return machine
      .end(state, { unterminated: 'content' })
      .out.flatMap((output) =>
        output.type === 'thought-end' ? [output.outcome] : output.type === 'content' ? [output.delta] : [],
      )
  }
  test.each([
    ['a<thinking>', ['empty']],
    ['a<thinking>x', ['reclassified', 'x']],
    ['a<thinking thought="x">', ['reclassified', 'x\n']],
  ])('as content: %s', (text, expected) => {
    expect(outcome(text)).toEqual(expected)
  })
})
