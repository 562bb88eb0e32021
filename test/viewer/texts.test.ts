// Proves that searching, tokens, excerpts and conversions keep every text as it is.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { targets as cliTargets, writerOf } from '../../src/cli/convert/writers.ts'
import { isWellFormed } from '../../src/encoding/surrogates.ts'
import { conversion, targets } from '../../src/viewer/model/conversion.ts'
import { lastAtMost, matchesAll, matchesOf } from '../../src/viewer/model/filter.ts'
import { duration, excerpt, number, summary } from '../../src/viewer/model/format.ts'
import { jsonTokens } from '../../src/viewer/model/json-tokens.ts'
import { Recording } from '../../src/viewer/model/recording.ts'
import { jsonValue } from '../support/json.ts'
import { legalStreams } from '../support/legal-streams.ts'

describe('the filter', () => {
  it('finds the same in pieces as at once', () => {
    const filters = fc.record({
      kind: fc.constantFrom('', 'tool', 'content-delta', 'task'),
      text: fc.constantFrom('', 'A', 'task', '"'),
      onlyProblems: fc.boolean(),
      onlyErrors: fc.boolean(),
    })
    fc.assert(
      fc.property(legalStreams(), filters, fc.nat(), (events, filter, cut) => {
        const recording = new Recording()
        for (const [i, event] of events.entries()) {
          recording.add(event, i + 1)
          if (i % 3 === 0) recording.report({ severity: 'warn', code: 'x', message: '', index: i })
        }
        const middle = cut % (events.length + 1)
        const whole = matchesOf(recording, filter, 0, events.length)
        expect([
          ...matchesOf(recording, filter, 0, middle),
          ...matchesOf(recording, filter, middle, events.length),
        ]).toEqual(whole)
        expect(matchesOf(recording, matchesAll, 0, events.length)).toHaveLength(events.length)
        if (filter.text === 'A') {
          for (const i of whole) expect(JSON.stringify(events[i])).toMatch(/a/i)
        }
      }),
    )
  })

  it('looks up the last value up to another', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.integer({ min: -1, max: 51 }), (values, value) => {
        const sorted = values.sort((a, b) => a - b)
        expect(lastAtMost(sorted, value)).toBe(sorted.findLastIndex((each) => each <= value))
      }),
    )
  })
})

describe('tokens of JSON', () => {
  it('are the text, whatever it is and wherever it is cut off', () => {
    fc.assert(
      fc.property(jsonValue(), fc.nat(), (value, cut) => {
        const json = JSON.stringify(value, null, 2)
        const text = json.slice(0, cut % (json.length + 1))
        expect(
          jsonTokens(text)
            .map((token) => token.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })

  it('tell names from texts', () => {
    const types = jsonTokens('{"a\\"b": "c", "d": [1.5e3, null]}').filter(({ type }) => type !== 'plain')
    expect(types.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'name "a\\"b":',
      'text "c"',
      'name "d":',
      'number 1.5e3',
      'word null',
    ])
  })
})

it('an excerpt of whole characters has whole characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, length) => {
      expect(isWellFormed(excerpt(text, length))).toBe(true)
      expect(excerpt(text, length).length).toBeLessThanOrEqual(length + 1)
    }),
  )
})

it('every event has a summary of one line', () => {
  fc.assert(
    fc.property(legalStreams(), (events) => {
      for (const event of events) expect(summary(event)).not.toMatch(/\n/)
    }),
  )
})

describe('a conversion', () => {
  it('to events of the library gives the events', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const converting = conversion('core', () => 'id')
        const text = events.map((event) => converting.push(event)).join('') + converting.end()
        expect(
          text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ).toEqual(events)
        expect(converting.losses.size).toBe(0)
      }),
    )
  })

  it.each(Object.keys(targets) as (keyof typeof targets)[])('to %s gives lines of JSON', (target) => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const converting = conversion(target, () => 'id')
        const text = events.map((event) => converting.push(event)).join('') + converting.end()
        for (const line of text.split('\n').slice(0, -1)) expect(JSON.parse(line)).toBeTypeOf('object')
        expect(text === '' || text.endsWith('\n')).toBe(true)
      }),
    )
  })
})

it('a recording is converted to what the command line converts to', () => {
  expect(Object.keys(targets)).toEqual([...cliTargets])
})

// A2A is one stream of all tasks here, and turnstream events are those of the recording.
it.each(cliTargets.filter((target) => target !== 'a2a' && target !== 'core'))(
  'a conversion to %s is that of the command line',
  async (target) => {
    await fc.assert(
      fc.asyncProperty(legalStreams(), async (events) => {
        const viewer = { audience: 'user' } as const
        const newId = counter()
        const writer = await writerOf(target, { viewer, extension: false, newId })
        const expected = [...events.map((event) => writer.push(event)), writer.end()].flatMap(
          ({ out }) => out,
        )
        const converting = conversion(target, counter())
        const text = events.map((event) => converting.push(event)).join('') + converting.end()
        expect(text).toBe(expected.map((value) => `${JSON.stringify(value)}\n`).join(''))
      }),
    )
  },
)

function counter(): () => string {
  let count = 0
  return () => `id-${++count}`
}

it.each<[ms: number, text: string]>([
  [0, '0 ms'],
  [999, '999 ms'],
  [1240, '1.24 s'],
  [12_340, '12.3 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
])('%d ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

it('thousands are separated', () => {
  expect([1, 999, 1000, 1_234_567].map(number)).toEqual(['1', '999', '1\u202f000', '1\u202f234\u202f567'])
})
