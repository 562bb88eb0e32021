/** Proves that the extractor gives the result of each named case, wherever its input is cut. */
import { readFileSync } from 'node:fs'
import { snapshotsToDeltas, type Thought, type ThoughtEnd, type ThoughtOptions } from 'agentwire/thoughts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run } from '../../src/core/machine.ts'
import { asSnapshots, cutAt, feed, inPieces, places } from './support.ts'

type Text = string | readonly (string | { repeat: string; times: number })[]

interface Case {
  id: string
  input: Text
  options?: ThoughtOptions
  end?: ThoughtEnd
  chunks?: string[]
  snapshots?: string[]
  content: Text
  thoughts?: (Omit<Thought, 'text'> & { text: Text })[]
  diagnostics?: string[]
}

// Not imported: bundlers refuse the halves of surrogate pairs in it.
const file = readFileSync(new URL('../fixtures/thoughts/cases.json', import.meta.url), 'utf8')
const { cases } = JSON.parse(file) as { cases: Case[] }

function textOf(text: Text): string {
  if (typeof text === 'string') return text
  return text.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.times))).join('')
}

function deltasOf(snapshots: readonly string[]): string[] {
  const machine = run(snapshotsToDeltas())
  const outputs = [...snapshots.flatMap((snapshot) => [...machine.push(snapshot)]), ...machine.end()]
  return outputs.map((output) => (typeof output === 'string' ? output : expect.fail('unexpected rewrite')))
}

test.each(cases)('$id', ({ input, options = {}, end = {}, chunks = [], snapshots = [], ...expected }) => {
  const text = textOf(input)
  const check = (cutting: string, deltas: readonly string[]): void => {
    const { content, thoughts, diagnostics } = feed(deltas, { options, end })
    expect({ content, thoughts, diagnostics }, cutting).toStrictEqual({
      content: textOf(expected.content),
      thoughts: (expected.thoughts ?? []).map((thought) => ({ ...thought, text: textOf(thought.text) })),
      diagnostics: expected.diagnostics ?? [],
    })
  }
  const isLong = text.length > 1000

  check('whole', [text])
  check('unit by unit', inPieces(text, 1))
  check('four units at a time', inPieces(text, 4))
  fc.assert(
    fc.property(places, (at) => check('cut anywhere', cutAt(text, at))),
    { numRuns: isLong ? 5 : 40 },
  )
  check('as snapshots', deltasOf(asSnapshots(inPieces(text, isLong ? 997 : 1))))
  if (chunks.length > 0) check('as chunked', chunks)
  if (snapshots.length > 0) check('as the given snapshots', deltasOf(snapshots))
})
