/** Proves the outputs of the extractor step by step, its diagnostics, and which options it rejects. */

import fc from 'fast-check'
import { extractThoughts, thoughtExtractor } from 'turnstream/thoughts'
import { describe, expect, test } from 'vitest'
import { type Diagnostic, run } from '../../src/core/machine.ts'
import type { ThoughtOptions } from '../../src/thoughts/options.ts'
import { feed } from './support.ts'

function diagnosticsOf(deltas: readonly string[], options: ThoughtOptions = {}): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const extractor = run(thoughtExtractor(options), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  for (const delta of deltas) extractor.push(delta)
  extractor.end()
  return diagnostics
}

describe('outputs', () => {
  test('are emitted as soon as they are certain', () => {
    const extractor = run(thoughtExtractor())
    expect(extractor.push('Hi <')).toStrictEqual([{ type: 'content', delta: 'Hi ' }])
    expect(extractor.push('thinking type="planning"')).toStrictEqual([])
    expect(extractor.push('>on')).toStrictEqual([
      { type: 'thought-start', index: 0, meta: { type: 'planning' } },
      { type: 'thought-delta', index: 0, delta: 'on' },
    ])
    expect(extractor.push('e</')).toStrictEqual([{ type: 'thought-delta', index: 0, delta: 'e' }])
    expect(extractor.push('thinking>!')).toStrictEqual([
      { type: 'thought', index: 0, thought: { text: 'one', type: 'planning' } },
      { type: 'thought-end', index: 0, outcome: 'emitted' },
      { type: 'content', delta: '!' },
    ])
    expect(extractor.end()).toStrictEqual([])
  })

  test('of a self-closing tag include the attribute as a delta', () => {
    expect(feed(['<thinking thought="a" alternatives="b|c"/>']).outputs).toStrictEqual([
      { type: 'thought-start', index: 0, meta: { alternatives: ['b', 'c'] } },
      { type: 'thought-delta', index: 0, delta: 'a' },
      { type: 'thought', index: 0, thought: { text: 'a', alternatives: ['b', 'c'] } },
      { type: 'thought-end', index: 0, outcome: 'emitted' },
    ])
  })

  test('give the outcome of a thought that is not emitted', () => {
    const outcomes = feed(['<thinking>a</thinking><thinking>a</thinking><thinking> </thinking><thinking>b'], {
      end: { unterminated: 'content' },
    }).outputs.filter((output) => output.type === 'thought-end' || output.type === 'content')
    expect(outcomes).toStrictEqual([
      { type: 'thought-end', index: 0, outcome: 'emitted' },
      { type: 'thought-end', index: 1, outcome: 'duplicate' },
      { type: 'thought-end', index: 2, outcome: 'empty' },
      { type: 'thought-end', index: 3, outcome: 'reclassified' },
      { type: 'content', delta: 'b' },
    ])
  })

  test('continue in deltas beyond maxThoughtLength', () => {
    const { outputs } = feed(['<thinking>abc', 'def', 'ghi</thinking>'], { options: { maxThoughtLength: 4 } })
    expect(
      outputs.flatMap((output) => (output.type === 'thought-delta' ? [output.delta] : [])),
    ).toStrictEqual(['abc', 'def', 'ghi'])
  })

  test('are not shared with each other or with the state', () => {
    const extractor = run(thoughtExtractor())
    const [start] = extractor.push('<thinking alternatives="a|b">')
    if (start?.type === 'thought-start') start.meta.alternatives?.push('c')
    const [, thought] = extractor.push('x</thinking>')
    expect(thought).toMatchObject({ thought: { alternatives: ['a', 'b'] } })
  })

  test('of a thought that the prompt opened start with the first step', () => {
    const extractor = run(thoughtExtractor({ startInside: true }))
    expect(extractor.push('')).toStrictEqual([{ type: 'thought-start', index: 0, meta: {} }])
    expect(extractor.push(' <thinking confidence="1">a</thinking>')).toStrictEqual([
      { type: 'thought-delta', index: 0, delta: ' a' },
      { type: 'thought', index: 0, thought: { text: 'a', confidence: 1 } },
      { type: 'thought-end', index: 0, outcome: 'emitted' },
    ])
  })

  test('after an end are content', () => {
    const extractor = run(thoughtExtractor({ startInside: true }))
    extractor.push('a')
    extractor.end()
    expect(extractor.push('b')).toStrictEqual([{ type: 'content', delta: 'b' }])
  })
})

test('the stored state is readable JSON', () => {
  const extractor = run(thoughtExtractor({ tags: ['think'] }))
  extractor.push('a\n> `b\n\n<think type="pl')
  expect(extractor.state).toMatchObject({
    pending: '<think type="pl',
    tag: { delimiter: 'tags[0].open', phase: 'double-quoted' },
    markdown: { line: 'start', run: 0, fence: 0, span: 0 },
    contentEnd: { last: 'lf', breaks: 2 },
    open: null,
  })
  extractor.push('anning"> c</think>\n')
  expect(extractor.state).toMatchObject({
    pending: '',
    tag: null,
    skip: { after: 'lf', breaks: 1 },
    index: 1,
  })
})

test('compares a thought with the last `window` thoughts', () => {
  const texts = fc.array(fc.nat({ max: 60 }), { maxLength: 150 })
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 50 }), (numbers, window) => {
      let last: string[] = []
      const expected: string[] = []
      for (const text of numbers.map(String)) {
        if (last.includes(text)) continue
        expected.push(text)
        last = [...last, text].slice(-window)
      }
      const deltas = numbers.map((number) => `<thinking>${number}</thinking>`)
      const { thoughts } = feed(deltas, { options: { dedupe: { window } } })
      expect(thoughts.map(({ text }) => text)).toStrictEqual(expected)
    }),
  )
})

describe('diagnostics', () => {
  test.each<[string, string, ThoughtOptions, unknown]>([
    ['orphan-close', 'a</thinking >', {}, { tag: '</thinking >' }],
    [
      'tag-too-long',
      `<thinking${' '.repeat(90)}`,
      { maxTagLength: 80 },
      { tag: `<thinking${' '.repeat(55)}` },
    ],
    ['bad-attribute', '<thinking confidence="70%"/>', {}, { name: 'confidence', value: '70%' }],
    ['ignored-attribute', '<thinking mood=calm />', {}, { name: 'mood', value: 'calm' }],
    ['duplicate-thought', '<thinking>a</thinking><thinking>a</thinking>', {}, { index: 1 }],
    ['thought-truncated', '<thinking>abc</thinking>', { maxThoughtLength: 2 }, { index: 0 }],
    ['unterminated', '<thinking>abc', {}, { index: 0 }],
  ])('%s', (code, input, options, detail) => {
    for (const deltas of [[input], input.split('')]) {
      expect(diagnosticsOf(deltas, options)).toStrictEqual([
        { code, message: expect.stringMatching(/^[A-Z].*\.$/), detail },
      ])
    }
  })

  test('are returned by extractThoughts, in the order of the text', () => {
    const text = '</thinking><thinking>a</thinking><thinking>a</thinking><thinking mood=calm>b'
    const { diagnostics } = extractThoughts(text)
    expect(diagnostics).toStrictEqual(diagnosticsOf([text]))
    expect(diagnostics.map(({ code }) => code)).toStrictEqual([
      'orphan-close',
      'duplicate-thought',
      'ignored-attribute',
      'unterminated',
    ])
    expect(extractThoughts('a').diagnostics).toStrictEqual([])
  })

  test('are omitted if there are none', () => {
    const machine = thoughtExtractor()
    expect(machine.step(machine.initial, '<thinking>a</thinking>b')).not.toHaveProperty('diagnostics')
    expect(machine.end(machine.initial)).not.toHaveProperty('diagnostics')
  })
})

describe('invalid options are rejected', () => {
  test.each<[ThoughtOptions, RegExp]>([
    [{ tags: [''] }, /tags/],
    [{ tags: ['<think>'] }, /tags.*bare name/],
    [{ tags: ['1st'] }, /tags/],
    [{ pairs: [{ open: '', close: ']' }] }, /pairs/],
    [{ pairs: [{ open: '[', close: '' }] }, /pairs/],
    [{ maxTagLength: 0 }, /maxTagLength/],
    [{ maxTagLength: 1.5 }, /maxTagLength/],
    [{ maxTagLength: 10 }, /maxTagLength.*longest delimiter/],
    [{ maxThoughtLength: -1 }, /maxThoughtLength/],
    [{ maxThoughtLength: Number.NaN }, /maxThoughtLength/],
    [{ dedupe: { window: 0 } }, /dedupe\.window/],
    [{ trim: 'all' as 'auto' }, /trim.*"auto" or "none"/],
    [{ unterminated: 'drop' as 'content' }, /unterminated/],
    [{ orphanClose: 'no' as 'keep' }, /orphanClose/],
  ])('%j', (options, message) => {
    expect(() => thoughtExtractor(options)).toThrow(TypeError)
    expect(() => thoughtExtractor(options)).toThrow(message)
  })

  test.each<[options: unknown, option: string, expected: string, got: string]>([
    [null, 'options', 'an object', 'null'],
    [{ dedupe: null }, 'dedupe', 'true, false or an object with a window', 'null'],
    [{ dedupe: 'no' }, 'dedupe', 'true, false or an object with a window', '"no"'],
    [{ dedupe: { window: 0 } }, 'dedupe.window', 'an integer >= 1', '0'],
    [{ dedupe: {} }, 'dedupe.window', 'an integer >= 1', 'undefined'],
    [{ tags: 'think' }, 'tags', 'an array', '"think"'],
    [{ tags: ['a', 7] }, 'tags[1]', 'a bare name such as "think"', '7'],
    [{ pairs: {} }, 'pairs', 'an array', 'an object'],
    [{ pairs: ['['] }, 'pairs[0]', 'an object', '"["'],
    [{ pairs: [{ open: '', close: ']' }] }, 'pairs[0].open', 'a non-empty string', '""'],
    [{ pairs: [{ open: '[', close: '' }] }, 'pairs[0].close', 'a non-empty string', '""'],
    [{ startInside: 1 }, 'startInside', 'true or false', '1'],
    [{ codeAware: 1 }, 'codeAware', 'true or false', '1'],
    [{ trim: 'all' }, 'trim', '"auto" or "none"', '"all"'],
    [{ unterminated: 'drop' }, 'unterminated', '"thought" or "content"', '"drop"'],
    [{ orphanClose: 'no' }, 'orphanClose', '"drop" or "keep"', '"no"'],
    [{ maxTagLength: 0 }, 'maxTagLength', 'an integer >= 1', '0'],
    [{ maxTagLength: 10 }, 'maxTagLength', 'an integer >= 11, the length of the longest delimiter', '10'],
    [{ maxThoughtLength: 0 }, 'maxThoughtLength', 'an integer >= 1', '0'],
  ])('%j names the option, what was expected and what came', (options, option, expected, got) => {
    expect(() => thoughtExtractor(options as never)).toThrow(
      new TypeError(`"${option}" must be ${expected}, got ${got}.`),
    )
  })

  test('limits of exactly what is required are accepted', () => {
    expect(() =>
      thoughtExtractor({ maxTagLength: 11, maxThoughtLength: 1, dedupe: { window: 1 } }),
    ).not.toThrow()
    expect(() => thoughtExtractor({ tags: [], maxTagLength: 1 })).not.toThrow()
  })

  test('undefined is the same as omitted', () => {
    expect(thoughtExtractor({ tags: undefined } as unknown as ThoughtOptions).initial).toStrictEqual(
      thoughtExtractor().initial,
    )
  })
})
