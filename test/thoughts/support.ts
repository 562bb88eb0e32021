/** Shared by the tests of thoughts: ways to cut an input, and running an extractor. */

import fc from 'fast-check'
import { type Thought, type ThoughtEnd, type ThoughtOutput, thoughtExtractor } from 'turnstream/thoughts'
import { type Diagnostic, run } from '../../src/core/machine.ts'
import type { ThoughtOptions } from '../../src/thoughts/options.ts'

export interface Fed {
  content: string
  thoughts: Thought[]
  diagnostics: string[]
  outputs: ThoughtOutput[]
}

/** Runs an extractor over deltas and joins its outputs. */
export function feed(
  deltas: readonly string[],
  { options = {}, end = {} }: { options?: ThoughtOptions; end?: ThoughtEnd } = {},
): Fed {
  const diagnostics: string[] = []
  const extractor = run(thoughtExtractor(options), {
    onDiagnostic: ({ code }: Diagnostic) => diagnostics.push(code),
  })
  const outputs = [...deltas.flatMap((delta) => [...extractor.push(delta)]), ...extractor.end(end)]
  return { ...joined(outputs), diagnostics, outputs }
}

export function joined(outputs: readonly ThoughtOutput[]): { content: string; thoughts: Thought[] } {
  let content = ''
  const thoughts: Thought[] = []
  for (const output of outputs) {
    if (output.type === 'content') content += output.delta
    if (output.type === 'thought') thoughts.push(output.thought)
  }
  return { content, thoughts }
}

/** Cuts a text into pieces of one length. */
export function inPieces(text: string, length: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length))
  return pieces
}

/** Cuts a text at the given places, modulo its length. Two equal places give an empty piece. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b)
  const pieces: string[] = []
  let from = 0
  for (const place of [...sorted, text.length]) {
    pieces.push(text.slice(from, place))
    from = place
  }
  return pieces
}

/** The accumulated text after each delta. */
export function asSnapshots(deltas: readonly string[]): string[] {
  let text = ''
  return deltas.map((delta) => {
    text += delta
    return text
  })
}

const fragments = [
  ...[
    '<',
    '>',
    '/',
    '"',
    "'",
    '`',
    '```',
    '~~~',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '=',
    '\\',
    '&amp;',
    '&#65;',
    '-',
    'a',
  ],
  ...[
    '<thinking>',
    '</thinking>',
    '<thinking',
    '</thinking',
    '<thinking ',
    'thinking',
    '<thi',
    '</',
    '/>',
    'x="',
  ],
  ...['<thinking thought="', "<thinking thought='", '<thinking type="planning">', '<thinking thought="t"/>'],
  ...['> ', '- ', '1. ', '+', '#', '    ', '\t', '***', '---', '\\`', '~', '\n```\n', '\n\n'],
  ...['<think>', '</think>', '[THINK]', '[/THINK]', '[TH', '◁t▷', '◁/t▷', '😀', '\ud83d', '\ude00', 'word '],
]

/** Model output with many possible tags, quotes and code delimiters. */
export const modelOutput: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...fragments) }, fc.string({ maxLength: 3 })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''))

/** Model output without lone surrogates. */
export const wellFormedOutput: fc.Arbitrary<string> = modelOutput.map((text) =>
  text.replace(/\p{Surrogate}/gu, ''),
)

export const places: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 10_000 }), { maxLength: 25 })

export const someOptions: fc.Arbitrary<ThoughtOptions> = fc.record(
  {
    tags: fc.constantFrom<string[]>(['thinking'], ['think', 'thinking'], []),
    pairs: fc.constantFrom([], [{ open: '[THINK]', close: '[/THINK]' }], [{ open: '◁t▷', close: '◁/t▷' }]),
    startInside: fc.boolean(),
    codeAware: fc.boolean(),
    trim: fc.constantFrom<('auto' | 'none')[]>('auto', 'none'),
    dedupe: fc.constantFrom<(boolean | { window: number })[]>(true, false, { window: 1 }),
    unterminated: fc.constantFrom<('thought' | 'content')[]>('thought', 'content'),
    orphanClose: fc.constantFrom<('drop' | 'keep')[]>('drop', 'keep'),
    maxTagLength: fc.constantFrom(16, 24, 40, 16_384),
    maxThoughtLength: fc.constantFrom(1, 5, 262_144),
  },
  { requiredKeys: [] },
)
