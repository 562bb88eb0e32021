/** Proves that the extractor gives the result of each named case, wherever its input is cut. */

import fc from 'fast-check'
import { snapshotsToDeltas, type Thought, type ThoughtEnd } from 'turnstream/thoughts'
import { expect, test } from 'vitest'
import { run } from '../../src/core/machine.ts'
import type { ThoughtOptions } from '../../src/thoughts/options.ts'
import { casesOf } from '../support/conformance.ts'
import { runs } from '../support/runs.ts'
import { asSnapshots, cutAt, feed, inPieces, places } from './support.ts'

interface Input {
  readonly chunks?: readonly string[]
  readonly snapshots?: readonly string[]
  readonly options?: ThoughtOptions
  readonly end?: ThoughtEnd
}

interface Expected {
  readonly content: string
  readonly thoughts: readonly Thought[]
  readonly diagnostics: readonly string[]
}

/** Texts that are too long for a file. */
const long: readonly { name: string; input: Input; expected: Expected }[] = [
  {
    name: 'leading whitespace',
    input: { chunks: [`<thinking>${' '.repeat(40)}ab</thinking>c`], options: { maxThoughtLength: 8 } },
    expected: { content: 'c', thoughts: [{ text: 'ab' }], diagnostics: [] },
  },
  {
    name: 'the longest thought by default',
    input: { chunks: [`<thinking>${'ab '.repeat(350_000)}</thinking>c`] },
    expected: {
      content: 'c',
      thoughts: [{ text: `${'ab '.repeat(349_525)}a`, truncated: true }],
      diagnostics: ['thought-truncated'],
    },
  },
  {
    name: 'the longest tag by default',
    input: { chunks: [`<thinking thought="${'a'.repeat(16_362)}"/>b`] },
    expected: { content: 'b', thoughts: [{ text: 'a'.repeat(16_362) }], diagnostics: [] },
  },
  {
    name: 'a longer tag',
    input: { chunks: [`<thinking thought="${'a'.repeat(16_363)}"/>b`] },
    expected: {
      content: `<thinking thought="${'a'.repeat(16_363)}"/>b`,
      thoughts: [],
      diagnostics: ['tag-too-long'],
    },
  },
]

/** The last snapshots may be shorter: they are late. */
function longest(snapshots: readonly string[]): string {
  return snapshots.reduce((a, b) => (b.length > a.length ? b : a))
}

function deltasOf(snapshots: readonly string[]): string[] {
  const machine = run(snapshotsToDeltas())
  const outputs = [...snapshots.flatMap((snapshot) => [...machine.push(snapshot)]), ...machine.end()]
  return outputs.map((output) => (typeof output === 'string' ? output : expect.fail('unexpected rewrite')))
}

test.each([...casesOf<Input, Expected>('thoughts'), ...long])('$name', ({ input, expected }) => {
  const { chunks = [], snapshots = [], options = {}, end = {} } = input
  const text = snapshots.length > 0 ? longest(snapshots) : chunks.join('')
  const check = (cutting: string, deltas: readonly string[]): void => {
    const { content, thoughts, diagnostics } = feed(deltas, { options, end })
    expect({ content, thoughts, diagnostics }, cutting).toStrictEqual(expected)
  }
  const isLong = text.length > 1000

  check('whole', [text])
  // As many pieces of the longest as of others take seconds.
  if (text.length < 100_000) check('unit by unit', inPieces(text, 1))
  check('a few units at a time', inPieces(text, text.length < 100_000 ? 4 : 97))
  fc.assert(
    fc.property(places, (at) => check('cut anywhere', cutAt(text, at))),
    { numRuns: runs(isLong ? 5 : 400) },
  )
  check('as snapshots', deltasOf(asSnapshots(inPieces(text, isLong ? Math.ceil(text.length / 20) : 1))))
  if (chunks.length > 0) check('as chunked', chunks)
  if (snapshots.length > 0) check('as the given snapshots', deltasOf(snapshots))
})
