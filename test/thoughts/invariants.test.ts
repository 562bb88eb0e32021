/** Proves the laws of the extractor for any model output, cut anywhere. */
import { extractThoughts, snapshotsToDeltas, thoughtExtractor } from 'agentwire/thoughts'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { run } from '../../src/core/machine.ts'
import type { ExtractorState } from '../../src/thoughts/state.ts'
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

const hold = (...args: Parameters<typeof fc.assert>): void => {
  fc.assert(args[0], { numRuns: runs(1500), ...args[1] })
}

describe('the laws', () => {
  test('1. what comes out does not depend on where the input is cut', () => {
    hold(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const { outputs: _, ...whole } = feed([text], { options })
        for (const deltas of [cutAt(text, at), inPieces(text, 1)]) {
          const { outputs: __, ...cut } = feed(deltas, { options })
          expect(cut).toStrictEqual(whole)
        }
      }),
    )
  })

  test('2. content, thoughts and removed tags are the input, in order', () => {
    const plain = fc
      .array(fc.constantFrom('<thinking>', '</thinking>', '<', '</thin', 'a', 'b ', '\n', 'thinking>'), {
        maxLength: 30,
      })
      .map((parts) => parts.join(''))
    hold(
      fc.property(plain, places, (text, at) => {
        const { outputs } = feed(cutAt(text, at), {
          options: { trim: 'none', dedupe: false, codeAware: false },
        })
        expect(spoken(outputs)).toStrictEqual(split(text))
      }),
    )
  })

  test('3. without a character that starts a delimiter, the output is the input, at once', () => {
    hold(
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

  test('4. no more than maxTagLength is ever held', () => {
    hold(
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

  describe('5. the work is linear', () => {
    const storms: Record<string, string> = {
      prose: 'The `quick` fox, 1 < 2.\n',
      '<': '<',
      'refused starts': '<thinkin ',
      'open starts': '<thinking ',
      'one kind of quotes': '<thinking a="',
      'both kinds of quotes': `<thinking a="<thinking b='`,
      'escaped quotes': `<thinking a="\\"<thinking b='\\'`,
      'bare values': '<thinking a=b',
      backticks: '`',
      thoughts: '<thinking>a</thinking>',
    }
    test.each(Object.entries(storms))('%s', (_, storm) => {
      for (const before of ['', '<thinking>', '<thinking a="', '```\n']) {
        for (const step of [1, 4, 1000]) {
          const text = before + storm.repeat(Math.ceil(20_000 / storm.length))
          // A tag of the longest length may begin anywhere in the last of it.
          expect(unitsRead(inPieces(text, step))).toBeLessThanOrEqual(6 * text.length + 1000)
        }
      }
    })
  })

  test('6. nothing that came out is taken back', () => {
    hold(
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

  test('7. deltas hold whole characters when the input does', () => {
    hold(
      fc.property(wellFormedOutput, places, someOptions, (text, at, options) => {
        const lone = /\p{Surrogate}/u
        for (const output of feed(cutAt(text, at), { options }).outputs) {
          if ('delta' in output) expect(output.delta).not.toMatch(lone)
          if ('thought' in output) expect(output.thought.text).not.toMatch(lone)
        }
      }),
    )
  })

  test('8. the state survives being frozen and stored, and ending twice says nothing twice', () => {
    hold(
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

  test('9. snapshots give what deltas give', () => {
    hold(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const deltas = run(snapshotsToDeltas())
        const outputs = [
          ...asSnapshots(cutAt(text, at)).flatMap((one) => [...deltas.push(one)]),
          ...deltas.end(),
        ]
        const { content, thoughts } = feed(outputs as string[], { options })
        expect({ content, thoughts }).toStrictEqual(extractThoughts(text, options))
      }),
    )
  })

  test('10. each thought starts and ends once, with nothing else in between', () => {
    hold(
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

  test('11. the batch function is the stream', () => {
    hold(
      fc.property(modelOutput, places, someOptions, (text, at, options) => {
        const { content, thoughts } = feed(cutAt(text, at), { options })
        expect(extractThoughts(text, options)).toStrictEqual({ content, thoughts })
      }),
    )
  })
})

/** Content and thoughts in the order they stand, by a splitter that knows plain tags only. */
function split(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest !== '') {
    const start = rest.search(/<\/?thinking>/)
    if (start === -1) return merged([...parts, `says ${rest}`])
    if (start > 0) parts.push(`says ${rest.slice(0, start)}`)
    if (rest.startsWith('</', start)) {
      rest = rest.slice(start + '</thinking>'.length)
      continue
    }
    rest = rest.slice(start + '<thinking>'.length)
    const end = rest.indexOf('</thinking>')
    parts.push(`thinks ${end === -1 ? rest : rest.slice(0, end)}`)
    rest = end === -1 ? '' : rest.slice(end + '</thinking>'.length)
  }
  return merged(parts)
}

/** The same from outputs. */
function spoken(outputs: ReturnType<typeof feed>['outputs']): string[] {
  const parts: string[] = []
  let thought = ''
  for (const output of outputs) {
    if (output.type === 'content') parts.push(`says ${output.delta}`)
    if (output.type === 'thought-start') thought = ''
    if (output.type === 'thought-delta') thought += output.delta
    if (output.type === 'thought-end') parts.push(`thinks ${thought}`)
  }
  return merged(parts)
}

function merged(parts: readonly string[]): string[] {
  const all: string[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (part.startsWith('says ') && last?.startsWith('says ')) all[all.length - 1] = last + part.slice(5)
    else all.push(part)
  }
  return all
}

/** How many units the extractor looks at, one by one, to read all this. */
function unitsRead(deltas: readonly string[]): number {
  const extractor = run(thoughtExtractor())
  const look = vi.spyOn(String.prototype, 'charCodeAt')
  try {
    for (const delta of deltas) extractor.push(delta)
    extractor.end()
    return look.mock.calls.length
  } finally {
    look.mockRestore()
  }
}
