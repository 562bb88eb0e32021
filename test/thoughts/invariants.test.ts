/** Proves the invariants of the extractor for any model output, cut anywhere. */

import fc from 'fast-check'
import { extractThoughts, snapshotsToDeltas, thoughtExtractor } from 'turnstream/thoughts'
import { describe, expect, test } from 'vitest'
import { run } from '../../src/core/machine.ts'
import type { ExtractorState } from '../../src/thoughts/state.ts'
import { costOfCalls } from '../support/count-calls.ts'
import { runs } from '../support/runs.ts'
import {
  asSnapshots,
  cutAt,
  feed,
  inPieces,
  joined,
  modelOutput,
  places,
  someOptions,
  wellFormedOutput,
} from './support.ts'

const assertHolds = (...args: Parameters<typeof fc.assert>): void => {
  fc.assert(args[0], { numRuns: runs(500), ...args[1] })
}

describe('invariants', () => {
  test('1. the result does not depend on where the input is cut', () => {
    assertHolds(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const { outputs: _, ...whole } = feed([text], { options })
        for (const deltas of [cutAt(text, at), inPieces(text, 1)]) {
          const { outputs: __, ...cut } = feed(deltas, { options })
          expect(cut).toStrictEqual(whole)
        }
      }),
    )
  })

  test('2. content and thoughts, in order, are the input without tags', () => {
    const plain = fc
      .array(fc.constantFrom('<thinking>', '</thinking>', '<', '</thin', 'a', 'b ', '\n', 'thinking>'), {
        maxLength: 30,
      })
      .map((parts) => parts.join(''))
    assertHolds(
      fc.property(plain, places, (text, at) => {
        const { outputs } = feed(cutAt(text, at), {
          options: { trim: 'none', dedupe: false, codeAware: false },
        })
        expect(partsOf(outputs)).toStrictEqual(split(text))
      }),
    )
  })

  test('3. text without the first character of a delimiter is emitted unchanged, at once', () => {
    assertHolds(
      fc.property(fc.string({ unit: 'grapheme' }), places, someOptions, (text, at, options) => {
        const clean = text.replace(/[<[◁]/g, '')
        const extractor = run(thoughtExtractor({ ...options, startInside: false }))
        let read = ''
        let content = ''
        for (const delta of cutAt(clean, at)) {
          read += delta
          content += joined(extractor.push(delta)).content
          expect(content).toBe(read.replace(/[\ud800-\udbff]$/, ''))
        }
        expect(content + joined(extractor.end()).content).toBe(clean)
      }),
    )
  })

  test('4. at most maxTagLength characters are held back', () => {
    assertHolds(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const extractor = run(thoughtExtractor(options))
        for (const delta of cutAt(text, at)) {
          extractor.push(delta)
          expect((extractor.state as unknown as ExtractorState).pending.length).toBeLessThanOrEqual(
            options.maxTagLength ?? 16_384,
          )
        }
      }),
    )
  })

  test('4b. what is known of Markdown is bounded', () => {
    for (const marker of ['> ', '- ', '1. ', '-', '1', '#', '`', ' ']) {
      const extractor = run(thoughtExtractor())
      extractor.push(marker.repeat(10_000))
      const { markdown } = extractor.state as unknown as ExtractorState
      expect(JSON.stringify(markdown).length).toBeLessThan(1000)
    }
  })

  describe('5. the work is linear in the input', () => {
    const patterns: Record<string, string> = {
      prose: 'The `quick` fox, 1 < 2.\n',
      '<': '<',
      'invalid tags': '<thinkin ',
      'incomplete tags': '<thinking ',
      'one kind of quotes': '<thinking a="',
      'both kinds of quotes': `<thinking a="<thinking b='`,
      'escaped quotes': `<thinking a="\\"<thinking b='\\'`,
      'unquoted values': '<thinking a=b',
      backticks: '`',
      'block quotes': '> ',
      lists: '- ',
      'lines of lists': '- - - - 1. a\n',
      'thematic breaks': '* * *\n',
      'blank lines': '\n',
      thoughts: '<thinking>a</thinking>',
    }
    test.each(Object.entries(patterns))('%s', (_, pattern) => {
      for (const before of ['', '<thinking>', '<thinking a="', '```\n', '- '.repeat(40)]) {
        for (const step of [1, 4, 1000]) {
          const text = before + pattern.repeat(Math.ceil(5000 / pattern.length))
          // The last maxTagLength characters may be read once more for each tag that may start in them.
          expect(unitsRead(inPieces(text, step))).toBeLessThanOrEqual(6 * text.length + 1000)
        }
      }
    })
  })

  test('6. no output is withdrawn', () => {
    assertHolds(
      fc.property(modelOutput, fc.nat(), someOptions, (text, at, options) => {
        const extractor = run(thoughtExtractor(options))
        const [before = '', after = ''] = cutAt(text, [at])
        const early = joined(extractor.push(before))
        const whole = feed([before + after], { options })
        expect(whole.content.startsWith(early.content)).toBe(true)
        expect(whole.thoughts.slice(0, early.thoughts.length)).toStrictEqual(early.thoughts)
      }),
    )
  })

  test('7. deltas consist of whole characters if the input does', () => {
    assertHolds(
      fc.property(wellFormedOutput, places, someOptions, (text, at, options) => {
        const lone = /\p{Surrogate}/u
        for (const output of feed(cutAt(text, at), { options }).outputs) {
          if ('delta' in output) expect(output.delta).not.toMatch(lone)
          if ('thought' in output) expect(output.thought.text).not.toMatch(lone)
        }
      }),
    )
  })

  test('8. the state can be frozen and stored, and a second end emits nothing', () => {
    assertHolds(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const machine = thoughtExtractor(options)
        const plain = run(machine)
        let stored = machine.initial
        for (const delta of cutAt(text, at)) {
          const step = machine.step(Object.freeze(JSON.parse(JSON.stringify(stored))), delta)
          stored = step.state
          expect(step.out).toStrictEqual(plain.push(delta))
        }
        expect(machine.end(stored).out).toStrictEqual(plain.end())
        expect(plain.end()).toStrictEqual([])
      }),
    )
  })

  test('9. snapshots give the same result as deltas', () => {
    assertHolds(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const deltas = run(snapshotsToDeltas())
        const outputs = [
          ...asSnapshots(cutAt(text, at)).flatMap((one) => [...deltas.push(one)]),
          ...deltas.end(),
        ]
        const { content, thoughts } = feed(outputs as string[], { options })
        expect(extractThoughts(text, options)).toMatchObject({ content, thoughts })
      }),
    )
  })

  test('10. each thought starts and ends once, with nothing else in between', () => {
    assertHolds(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        let open: number | undefined
        let started = 0
        let deltas = ''
        for (const output of feed(cutAt(text, at), { options }).outputs) {
          if (output.type === 'content') expect(open).toBeUndefined()
          else if (output.type === 'thought-start') {
            expect(open).toBeUndefined()
            expect(output.index).toBe(started++)
            open = output.index
            deltas = ''
          } else {
            expect(output.index).toBe(open)
            if (output.type === 'thought-delta') deltas += output.delta
            if (output.type === 'thought' && output.thought.truncated === undefined) {
              expect(output.thought.text).toBe(deltas.trim())
            }
            if (output.type === 'thought-end') open = undefined
          }
        }
        expect(open).toBeUndefined()
      }),
    )
  })

  test('11. extractThoughts gives the same result as the stream', () => {
    assertHolds(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const { outputs: _, ...streamed } = feed(cutAt(text, at), { options })
        const { diagnostics, ...whole } = extractThoughts(text, options)
        expect({ ...whole, diagnostics: diagnostics.map(({ code }) => code) }).toStrictEqual(streamed)
      }),
    )
  })
})

/** Content and thoughts in order, from a splitter that handles plain tags only. */
function split(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest !== '') {
    const start = rest.search(/<\/?thinking>/)
    if (start === -1) return merged([...parts, `content: ${rest}`])
    if (start > 0) parts.push(`content: ${rest.slice(0, start)}`)
    if (rest.startsWith('</', start)) {
      rest = rest.slice(start + '</thinking>'.length)
      continue
    }
    rest = rest.slice(start + '<thinking>'.length)
    const end = rest.indexOf('</thinking>')
    parts.push(`thought: ${end === -1 ? rest : rest.slice(0, end)}`)
    rest = end === -1 ? '' : rest.slice(end + '</thinking>'.length)
  }
  return merged(parts)
}

/** Content and thoughts in order, from outputs. */
function partsOf(outputs: ReturnType<typeof feed>['outputs']): string[] {
  const parts: string[] = []
  let thought = ''
  for (const output of outputs) {
    if (output.type === 'content') parts.push(`content: ${output.delta}`)
    if (output.type === 'thought-start') thought = ''
    if (output.type === 'thought-delta') thought += output.delta
    if (output.type === 'thought-end') parts.push(`thought: ${thought}`)
  }
  return merged(parts)
}

function merged(parts: readonly string[]): string[] {
  const all: string[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part.startsWith('content: ') && last?.startsWith('content: '))
      all[all.length - 1] = last + part.slice('content: '.length)
    else all.push(part)
  }
  return all
}

/** How many code units the extractor reads one by one. */
function unitsRead(deltas: readonly string[]): number {
  const extractor = run(thoughtExtractor())
  return costOfCalls({ charCodeAt: () => 1 }, () => {
    for (const delta of deltas) extractor.push(delta)
    extractor.end()
  })
}
