/** Proves that snapshots are converted to deltas, late ones are ignored and rewrites are reported. */

import fc from 'fast-check'
import { type SnapshotRewrite, snapshotsToDeltas, thoughtExtractor } from 'turnstream/thoughts'
import { describe, expect, test } from 'vitest'
import { pipe, run } from '../../src/core/machine.ts'
import { runs } from '../support/runs.ts'
import { asSnapshots, cutAt, joined, places } from './support.ts'

function outputsOf(snapshots: readonly string[]): (string | SnapshotRewrite)[] {
  const machine = run(snapshotsToDeltas())
  return [...snapshots.flatMap((snapshot) => [...machine.push(snapshot)]), ...machine.end()]
}

/** The text of a consumer that only displays it. */
function displayed(outputs: readonly (string | SnapshotRewrite)[]): string {
  let text = ''
  for (const output of outputs)
    text = typeof output === 'string' ? text + output : text.slice(0, output.rewriteAt)
  return text
}

/** A text without repetitions. */
function longText(length: number): string {
  let text = ''
  for (let i = 0; text.length < length; i++) text += `${i} `
  return text.slice(0, length)
}

describe('snapshots', () => {
  test('that grow give the added text', () => {
    expect(outputsOf(['', 'a', 'a', 'ab', 'abcd'])).toStrictEqual(['a', 'b', 'cd'])
  })

  test('that are late are ignored', () => {
    expect(outputsOf(['abc', 'ab', '', 'abcd', 'a'])).toStrictEqual(['abc', 'd'])
  })

  test('that differ give the index of the change', () => {
    expect(outputsOf(['abc', 'abd'])).toStrictEqual(['abc', { rewriteAt: 2 }, 'd'])
    expect(outputsOf(['abc', 'x', 'xy'])).toStrictEqual(['abc', { rewriteAt: 0 }, 'x', 'y'])
    expect(outputsOf(['abc', 'abxyz'])).toStrictEqual(['abc', { rewriteAt: 2 }, 'xyz'])
  })

  test('never split a character', () => {
    expect(outputsOf(['a\ud83d', 'a\ud83d\ude00', 'a\ud83d\ude01'])).toStrictEqual([
      'a',
      '😀',
      { rewriteAt: 1 },
      '😁',
    ])
    expect(outputsOf(['a\ud83d'])).toStrictEqual(['a', '\ud83d'])
    expect(outputsOf(['a', 'a\ud83d', 'a\ud83d', 'a'])).toStrictEqual(['a', '\ud83d'])
  })

  test('of any growing text give deltas that join to it', () => {
    fc.assert(
      fc.property(fc.string(), places, (text, at) => {
        const outputs = outputsOf(asSnapshots(cutAt(text, at)))
        expect(outputs.join('')).toBe(text)
      }),
    )
  })

  test.each([10, 300, 5000, 100_000])('of %i code units: late ones of any length are ignored', (length) => {
    const text = longText(length)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: length }), { maxLength: 8 }), (ends) => {
        const late = ends.map((end) => text.slice(0, end))
        expect(outputsOf([text, ...late, `${text}!`])).toStrictEqual([text, '!'])
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['700 code units', longText(700)],
    ['5000 code units', longText(5000)],
    ['700 NUL characters', '\0'.repeat(700)],
  ])('of %s: late ones of every length are ignored', (_, text) => {
    const machine = run(snapshotsToDeltas())
    machine.push(text)
    for (let end = text.length; end >= 0; end--) {
      expect(machine.push(text.slice(0, end)), `${end}`).toEqual([])
    }
  })

  test('continue after the end, also within a character', () => {
    const machine = snapshotsToDeltas()
    const { state, out } = machine.end(machine.step(machine.initial, 'a\ud83d').state)
    expect(out).toEqual(['\ud83d'])
    expect(machine.end(state).out).toEqual([])
    expect(machine.step(state, 'a').out).toEqual([])
    expect(machine.step(state, 'a\ud83db').out).toEqual(['b'])
  })

  test.each([10, 300, 5000, 100_000])(
    'of %i code units: a rewrite starts at the change or before it',
    (length) => {
      const text = longText(length)
      fc.assert(
        fc.property(fc.nat({ max: length - 1 }), fc.integer({ min: -5000, max: 5000 }), (at, longer) => {
          const end = Math.max(at + 1, length + longer)
          const changed = `${text.slice(0, at)}#${longText(end).slice(at + 1)}`
          const outputs = outputsOf([text, changed, `${changed}!`])
          const isLast = at >= length - 256
          // A change before the last 256 code units is not detected while the text grows.
          if (!isLast && longer >= 0) return
          if (outputs.length === 1) {
            // Ends within the block that differs: counts as late until it grows.
            expect(length - at).toBeGreaterThan(256)
            return
          }
          const [first, rewrite] = outputs
          expect(first).toBe(text)
          const { rewriteAt } = rewrite as SnapshotRewrite
          expect(rewriteAt).toBeLessThanOrEqual(at)
          if (length <= 256) expect(rewriteAt).toBe(at)
          else expect(at - rewriteAt).toBeLessThanOrEqual(Math.max(64, length / 31))
          expect(displayed(outputs)).toBe(`${changed}!`)
        }),
        { numRuns: runs(200) },
      )
    },
  )

  test('a shorter one that differs long before its end is no late one', () => {
    const text = longText(640)
    for (let at = 0; at + 64 < text.length - 256; at++) {
      const changed = `${text.slice(0, at)}#${text.slice(at + 1, at + 64)}`
      const [, rewrite] = outputsOf([text, changed])
      expect((rewrite as SnapshotRewrite | undefined)?.rewriteAt, `${at}`).toBeLessThanOrEqual(at)
    }
  })

  test('give the same deltas in pieces as whole, and the same state', () => {
    const block = fc.oneof(fc.string(), fc.nat({ max: 700 }).map(longText))
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), places, (blocks, at) => {
        const text = blocks.join('')
        const whole = run(snapshotsToDeltas())
        const pieces = run(snapshotsToDeltas())
        const expected = whole.push(text).join('')
        const given = asSnapshots(cutAt(text, at)).flatMap((snapshot) => [...pieces.push(snapshot)])
        expect(given.join('')).toBe(expected)
        // An empty text is not pushed by every way to cut it.
        if (text !== '') expect(pieces.state).toEqual(whole.state)
      }),
    )
  })

  test('any sequence ends with the last text, unless that is late', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1 }), (texts) => {
        const last = `${texts.join('')}!`
        expect(displayed(outputsOf([...texts, last]))).toBe(last)
      }),
    )
  })

  test('have a state that does not grow with the text', () => {
    const machine = run(snapshotsToDeltas())
    machine.push(longText(1_000_000))
    expect(JSON.stringify(machine.state).length).toBeLessThan(2000)
  })
})

describe('continuing after a rewrite', () => {
  test('a new extractor with `seen` and `index` does not repeat thoughts', () => {
    const machine = thoughtExtractor()
    const deltas = run(snapshotsToDeltas())
    let extractor = run(machine)
    let text = ''
    let content = ''
    const thoughts: string[] = []
    const show = (outputs: ReturnType<typeof extractor.push>): void => {
      const more = joined(outputs)
      content += more.content
      for (const thought of more.thoughts) thoughts.push(thought.text)
    }
    for (const snapshot of ['<thinking>a</thinking>Yes', '<thinking>a</thinking>No<thinking>b</thinking>']) {
      for (const output of deltas.push(snapshot)) {
        if (typeof output === 'string') {
          text += output
          show(extractor.push(output))
        } else {
          text = text.slice(0, output.rewriteAt)
          const { seen, index } = extractor.state
          extractor = run(machine, { state: { ...machine.initial, seen, index } })
          content = ''
          show(extractor.push(text))
        }
      }
    }
    show(extractor.end())
    expect({ content, thoughts }).toStrictEqual({ content: 'No', thoughts: ['a', 'b'] })
  })

  test('a pipe feeds deltas to an extractor if a provider never rewrites', () => {
    const onlyText = {
      initial: null,
      step: (state: null, output: string | SnapshotRewrite) => ({
        state,
        out: typeof output === 'string' ? [output] : [],
      }),
      end: (state: null) => ({ state, out: [] }),
    }
    const machine = run(pipe(snapshotsToDeltas(), onlyText, thoughtExtractor()))
    const outputs = ['Hi <thi', 'Hi <thinking>a</thinking>you'].flatMap((snapshot) => [
      ...machine.push(snapshot),
    ])
    expect(joined([...outputs, ...machine.end()])).toStrictEqual({
      content: 'Hi you',
      thoughts: [{ text: 'a' }],
    })
  })
})
