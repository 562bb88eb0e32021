// Proves that each response of a HAR file is read by itself, with its lines, and that memory follows the longest one.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Dialect,
  inspectRecording,
  isValue,
  type Recorded,
  recordingReader,
} from '../../src/inspect/index.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { runs } from '../support/runs.ts'

const entry = (mimeType: string, text: string, encoding?: string): object => ({
  request: { method: 'POST', url: 'https://example.com/chat?key=secret', postData: { text: '{"text":1}' } },
  response: { content: { size: 1, mimeType, text, ...(encoding !== undefined && { encoding }) } },
})
const stream = (text: string): object => entry('text/event-stream', text)
const har = (entries: readonly object[], indent?: number): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'entries' }, entries } }, null, indent)

function read(text: string, options: { maxValueSize?: number; size?: number } = {}): Recorded[] {
  const { size = text.length, ...own } = options
  const reader = recordingReader(own)
  const out: Recorded[] = []
  for (let at = 0; at < text.length; at += size) out.push(...reader.push(text.slice(at, at + size)))
  return [...out, ...reader.end()]
}
const seen = (all: readonly Recorded[]): unknown[] =>
  all.map((each) => [each.entry?.number, each.bodyLine, isValue(each) ? each.value : each.diagnostic.code])

const bodies = [
  entry('application/json', '{"page":1}'),
  stream('data: {"a":1}\n\ndata: {\n\n'),
  {},
  stream('data: 2'),
]
const values = [
  [2, 1, { a: 1 }],
  [2, 3, 'invalid-json'],
  [4, 1, 2],
]

describe('the entries of a HAR file', () => {
  it.each([undefined, 1, 2])('are read with their lines, indented by %s', (indent) => {
    const text = har(bodies, indent)
    const all = read(text)
    expect(seen(all)).toEqual(values)
    const lines = text.split('\n')
    for (const { line, entry } of all) {
      expect(line).toBe(entry?.line)
      expect(lines[line - 1]).toContain('"text"')
      expect(lines[line - 1]).toContain('data: ')
      expect(entry?.request).toBe('POST https://example.com/chat')
    }
  })

  it.each([1, 2, 7, 100])('are the same in pieces of %s', (size) => {
    for (const indent of [undefined, 2]) {
      const text = har(bodies, indent)
      expect(read(text, { size })).toEqual(read(text))
    }
  })

  it('may be longer in all than one value may be', () => {
    const many = Array.from({ length: 100 }, (_, i) => stream(`data: ${i}\n\n`))
    expect(seen(read(har(many), { maxValueSize: 400 }))).toEqual(many.map((_, i) => [i + 1, 1, i]))
    const cut = read(har([stream('x'.repeat(400)), stream('data: 1')]), { maxValueSize: 300 })
    expect(cut.map((each) => (isValue(each) ? each.value : each.diagnostic.code))).toEqual(['too-large', 1])
  })

  it('are those that are JSON, if none is a stream', () => {
    expect(seen(read(har([entry('application/json', '{"a":1}'), entry('text/html', '<p>')])))).toEqual([
      [1, 1, { a: 1 }],
    ])
    const long = [
      entry('application/json', '[1]'),
      entry('application/json', JSON.stringify('x'.repeat(500))),
    ]
    expect(seen(read(har(long), { maxValueSize: 600 })).length).toBe(2)
  })

  it('may be in Base64', () => {
    expect(seen(read(har([entry('text/event-stream', btoa('data: 1'), 'base64')])))).toEqual([[1, 1, 1]])
    expect(seen(read(har([entry('text/event-stream', '?', 'base64')])))).toEqual([
      [1, undefined, 'invalid-message'],
    ])
  })

  it('that are cut off are reported', () => {
    const text = har(bodies)
    const codes = read(text.slice(0, -40)).flatMap((each) => (isValue(each) ? [] : [each.diagnostic.code]))
    expect(codes).toContain('incomplete')
  })
})

describe('what is left out of a HAR file is reported', () => {
  const one = har([stream('data: 1')])
  const codes = (text: string, size?: number): unknown[] =>
    read(text, size === undefined ? {} : { size }).flatMap((each) =>
      isValue(each) ? [] : [each.diagnostic.code],
    )

  it.each<[name: string, text: string, expected: readonly string[]]>([
    ['a second file', one + one, ['invalid-json']],
    ['other text after it', `${one}\njunk\njunk`, ['invalid-json']],
    ['members after the entries', `${one.slice(0, -2)},"pages":[{"a":"]}\\""}]},"x":{}}\n`, []],
    [
      'entries that are no objects',
      har([stream('data: 1'), null, 5, 'x'] as object[]),
      ['invalid-message', 'invalid-message', 'invalid-message'],
    ],
    [
      'a stream without text',
      har([{ response: { content: { mimeType: 'text/event-stream' } } }]),
      ['invalid-message'],
    ],
    [
      'a stream whose text is a number',
      har([{ response: { content: { mimeType: 'text/event-stream', text: 5 } } }]),
      ['invalid-message'],
    ],
    ['a response without content', har([{ response: { status: 204 } }]), []],
  ])('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected)
    for (const size of [1, 2, 7]) expect(codes(text, size)).toEqual(expected)
  })

  it('wherever it is cut off', () => {
    const whole = har(bodies, 1)
    const first = whole.indexOf('"entries"') + 12
    fc.assert(
      fc.property(
        fc.integer({ min: first, max: whole.length - 1 }),
        fc.integer({ min: 1, max: 50 }),
        (at, size) => {
          expect(codes(whole.slice(0, at), size)).toContain('incomplete')
        },
      ),
      { numRuns: runs(200) },
    )
    expect(codes(whole)).toEqual(['invalid-json'])
  })
})

it.each([
  '{"log":{"level":"info"},"x":1}',
  '{"log":{"entries":"none"}}',
  '{"log":{}}',
  '{"log":{"entries":{}}}',
])('%s is no HAR file', (text) => {
  expect(seen(read(`${text}\n${text}`))).toEqual(
    [JSON.parse(text), JSON.parse(text)].map((value) => [undefined, undefined, value]),
  )
})

describe('what a HAR file holds', () => {
  const text = (file: string): string => new TextDecoder().decode(readRecording(file))
  const files = Object.entries(recordings).filter(([file]) => file !== 'bedrock.eventstream')

  it.each(files)('%s is read as if it were alone, beside others', async (file, dialect) => {
    const alone = await inspectRecording([text(file)])
    const other: [string, Dialect] =
      dialect === 'cohere' ? ['openai-chat.sse', 'openai-chat'] : ['cohere.sse', 'cohere']
    const both = await inspectRecording([har([stream(text(other[0])), stream(text(file))])])
    expect(both.dialects).toEqual([other[1], dialect])
    const shown = both.tasks
      .slice(-alone.tasks.length)
      .map(({ status, textLength, tools, thoughts }) => [status, textLength, tools.length, thoughts.length])
    expect(shown).toEqual(
      alone.tasks.map(({ status, textLength, tools, thoughts }) => [
        status,
        textLength,
        tools.length,
        thoughts.length,
      ]),
    )
    expect(both.totals.findings.error).toBe(0)
  })

  it('is each response of a tool loop as a task', async () => {
    const report = await inspectRecording([
      har([stream(text('anthropic.sse')), stream(text('openai-chat.sse'))]),
    ])
    expect(report).toMatchObject({ dialect: 'anthropic', dialects: ['anthropic', 'openai-chat'] })
    expect(report.tasks.map(({ taskId, status }) => [taskId, status])).toEqual([
      ['response', 'working'],
      ['response-2', 'completed'],
    ])
    expect(report.diagnostics).toEqual([])
  })

  it('may be one stream over several connections', async () => {
    const messages = text('core.sse').split('\n\n')
    const parts = [messages.slice(0, 9), messages.slice(9)].map((part) => stream(part.join('\n\n')))
    const { tasks, diagnostics } = await inspectRecording([har(parts)])
    expect(diagnostics).toEqual([])
    expect(tasks.map(({ taskId, status }) => [taskId, status])).toEqual([['tides', 'completed']])
  })

  it('may have streams of other formats beside them', async () => {
    const { dialect, diagnostics } = await inspectRecording([
      har([stream('data: {"a":1}'), stream(text('openai-chat.sse'))]),
    ])
    expect(dialect).toBe('openai-chat')
    expect(diagnostics).toMatchObject([{ code: 'unknown-dialect', severity: 'warn', entry: 1 }])
  })
})
