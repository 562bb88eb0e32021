// Proves that recordings of any format are read alike however they are cut, and that no line is lost without a report.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isValue, type Recorded, recordingReader } from '../../src/inspect/index.ts'
import { jsonValue } from '../support/json.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { runs } from '../support/runs.ts'

function read(chunks: readonly (Uint8Array | string)[], maxValueSize?: number): Recorded[] {
  const reader = recordingReader(maxValueSize === undefined ? {} : { maxValueSize })
  return [...chunks.flatMap((chunk) => [...reader.push(chunk)]), ...reader.end()]
}

/** Values, and the codes of faults, with their lines. */
const seen = (text: string | Uint8Array): unknown[] =>
  read([text]).map((each) => [each.line, isValue(each) ? each.value : each.diagnostic.code])

/** Bytes cut at any places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...ends].map((start, i) => bytes.subarray(start, ends[i] ?? bytes.length))
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Lines as recordings have them, and as nobody should write them. */
const line = fc.oneof(
  jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  jsonValue({ maxDepth: 2 }).map((value) => `data: ${JSON.stringify(value)}\n`),
  jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value, null, 2)),
  fc.constantFrom(
    '',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    '{"a":"',
    'data: {',
    ': comment',
    'id: 1',
    'event: a',
    '\u{1f600}',
    '[DONE]',
    'null',
  ),
  fc.string({ unit: 'binary' }),
)

const recorded = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
  .map(([lines, end, hasMark]) => `${hasMark ? '\ufeff' : ''}${lines.join(end)}`)

describe('any cut gives the same', () => {
  it('of any text', () => {
    fc.assert(
      fc.property(recorded, fc.array(fc.nat()), (text, places) => {
        const bytes = bytesOf(text)
        expect(read(cut(bytes, places))).toEqual(read([bytes]))
        expect(read(cut(bytes, places), 10)).toEqual(read([bytes], 10))
      }),
      { numRuns: runs(300) },
    )
  })

  it.each(Object.keys(recordings))('of %s, byte by byte', (file) => {
    const bytes = readRecording(file)
    expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(read([bytes]))
  })
})

describe('any JSON is read, with its line', () => {
  const end = fc.constantFrom('\n', '\r\n')
  it('one value a line', () => {
    // An array is a list of values; an object may hold others, such as a transcript.
    const value = jsonValue().filter((each) => typeof each !== 'object' || each === null)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), end, (values, lf) => {
        const text = values.map((each) => JSON.stringify(each)).join(lf)
        expect(seen(text)).toEqual(values.map((each, i) => [i + 1, each]))
      }),
      { numRuns: runs(200) },
    )
  })

  const object = fc.record({ type: fc.string(), x: jsonValue() })
  it.each<[name: string, layout: (values: readonly unknown[], lf: string) => string]>([
    ['one a line', (values, lf) => values.map((each) => `${JSON.stringify(each)}${lf}`).join('')],
    ['as a list', (values) => JSON.stringify(values)],
    ['as a list on several lines', (values, lf) => JSON.stringify(values, null, 2).replaceAll('\n', lf)],
    ['one after the other', (values) => values.map((each) => JSON.stringify(each)).join('')],
    [
      'on several lines each',
      (values, lf) => values.map((each) => JSON.stringify(each, null, 2).replaceAll('\n', lf)).join(lf),
    ],
    ['as messages', (values, lf) => values.map((each) => `data: ${JSON.stringify(each)}${lf}${lf}`).join('')],
    ['as a list in an object', (values) => JSON.stringify({ events: values })],
    [
      'as a transcript',
      (values, lf) => values.map((each) => JSON.stringify({ dir: 'in', raw: JSON.stringify(each) })).join(lf),
    ],
  ])('objects %s', (_, layout) => {
    fc.assert(
      fc.property(fc.array(object, { minLength: 1 }), end, (values, lf) => {
        const text = layout(values, lf)
        expect(read([text]).map((each) => isValue(each) && each.value)).toEqual(values)
      }),
      { numRuns: runs(100) },
    )
  })

  it.each<[name: string, text: string, expected: unknown[]]>([
    [
      'a line that was cut off',
      '{"a":1}\n{"a":\n{"a":3}\n',
      [
        [1, { a: 1 }],
        [2, 'invalid-json'],
        [3, { a: 3 }],
      ],
    ],
    [
      'a first line that was cut off',
      '{"a":"x\n{"a":2}\n{"a":3}\n',
      [
        [1, 'incomplete'],
        [2, { a: 2 }],
        [3, { a: 3 }],
      ],
    ],
    [
      'a first line that lost its start',
      'x":1}\n{"a":2}\n',
      [
        [1, 'invalid-line'],
        [2, { a: 2 }],
      ],
    ],
    [
      'a message that is no JSON',
      'data: {"a":1}\n\ndata: x\n\ndata: 3\n\n',
      [
        [1, { a: 1 }],
        [3, 'invalid-json'],
        [5, 3],
      ],
    ],
    ['a message of several lines', 'event: e\ndata: {"a":\ndata: 1}\n\n', [[2, { a: 1 }]]],
    [
      'messages without blank lines',
      'data: {"a":1}\ndata: {"a":2}\n',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
    ['a message without its end', 'data: {"a":1}', [[1, { a: 1 }]]],
    [
      'a list that was cut off',
      '[{"a":1},\n{"a":2',
      [
        [1, { a: 1 }],
        [2, 'incomplete'],
      ],
    ],
    ['the end of a chat', 'data: {"a":1}\n\ndata: [DONE]\n\n', [[1, { a: 1 }]]],
    [
      'a heading',
      '## Run\ndata: 1\n\n',
      [
        [1, 'invalid-line'],
        [2, 1],
      ],
    ],
    [
      'a field that SSE does not have',
      'data: 1\ntrace-id: 7\n\nbare\n"lost":1}\n',
      [
        [2, 'unknown-sse-field'],
        [1, 1],
        [4, 'unknown-sse-field'],
        [5, 'invalid-line'],
      ],
    ],
    ['nothing', '', []],
    ['blank lines', ' \n\n', []],
  ])('%s', (_, text, expected) => {
    expect(seen(text)).toEqual(expected)
  })

  it('the type, the id and the time of a message', () => {
    const [message] = read(['event: ping\nid: 7\ndata: {}\n\n'])
    expect(message).toEqual({ value: {}, line: 3, event: 'ping', id: '7' })
    expect(read(['{"at":5,"event":"e","data":"{}"}'])).toEqual([{ value: {}, line: 1, event: 'e', at: 5 }])
  })

  it('a binary stream as its text', () => {
    const values = (file: string): unknown[] =>
      read([readRecording(file)]).map((each) => isValue(each) && each.value)
    expect(values('bedrock.eventstream')).toEqual(values('bedrock.jsonl'))
  })

  it('a binary stream that breaks off, or is none', () => {
    const bytes = readRecording('bedrock.eventstream')
    const faults = (all: readonly Recorded[]): unknown[] =>
      all.flatMap((each) => (isValue(each) ? [] : [[each.line, each.diagnostic.code]]))
    expect(faults(read([bytes.subarray(0, -5)]))).toEqual([[6, 'incomplete']])
    expect(faults(read([Uint8Array.of(0, 0, 0, 16, 0, 0, 0, 9, 0, 0, 0, 0)]))).toEqual([
      [1, 'invalid-message'],
    ])
  })
})

it('a value that is nested too deep is reported, and the next one is read', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const transcript = JSON.stringify({ dir: 'in', raw: deep })
  for (const text of [
    `${deep}\n{"b":2}`,
    `[${deep},\n{"b":2}]`,
    `data: ${deep}\n\ndata: {"b":2}\n\n`,
    `${transcript}\n{"b":2}`,
  ]) {
    expect(seen(text).map((each) => (each as unknown[])[1])).toEqual(['too-deep', { b: 2 }])
  }
})

it('a value over the limit is reported, and the next one is read', () => {
  const long = JSON.stringify({ a: 'x'.repeat(100) })
  const codes = (text: string): unknown[] =>
    read([text], 50).map((each) => [each.line, isValue(each) ? each.value : each.diagnostic.code])
  for (const [text, line] of [
    [`{"b":1}\n${long}\n{"b":2}`, 2],
    [`[{"b":1},\n${long},\n{"b":2}]`, 2],
    [`data: {"b":1}\n\ndata: ${long}\n\ndata: {"b":2}\n\n`, 3],
  ] as const) {
    expect(codes(text).map((each) => (each as unknown[])[1])).toEqual([{ b: 1 }, 'too-large', { b: 2 }])
    expect(codes(text)[1]).toEqual([line, 'too-large'])
  }
})

describe('bytes', () => {
  const codes = (bytes: Uint8Array): unknown[] =>
    read([bytes]).flatMap((each) => (isValue(each) ? [] : [[each.line, each.diagnostic.code]]))

  it('that are no UTF-8 are reported, once a line, however they are cut', () => {
    const part = fc.oneof(
      fc
        .constantFrom('{"a":"', '"}', '\n', '\r\n', '\ufffd', 'é', '\u{1f600}', '{"b":1}\n', '[', ',')
        .map(bytesOf),
      fc.uint8Array({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat()), (parts, places) => {
        const bytes = Uint8Array.from([...bytesOf('{"x":0}\n'), ...parts.flatMap((each) => [...each])])
        const all = read(cut(bytes, places))
        expect(all).toEqual(read([bytes]))
        let isValid = true
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        } catch {
          isValid = false
        }
        const lines = all.flatMap((each) =>
          !isValue(each) && each.diagnostic.code === 'invalid-utf8' ? [each.line] : [],
        )
        expect(lines.length === 0).toBe(isValid)
        expect(lines).toEqual([...new Set(lines)])
      }),
      { numRuns: runs(300) },
    )
    expect(
      codes(Uint8Array.from([...bytesOf('{"a":"\ufffd"}\n{"b":"'), 0xff, ...bytesOf('\ufffd"}\n{}')])),
    ).toEqual([[2, 'invalid-utf8']])
  })

  it.each([
    ['little', 0],
    ['big', 1],
  ])('in UTF-16 are text: %s endian', (_, isBig) => {
    const text = '{"a":"é🙂"}\n{"b":2}\n'
    const bytes = Uint8Array.from(
      [...`\ufeff${text}`]
        .join('')
        .split('')
        .flatMap((unit) => {
          const code = unit.charCodeAt(0)
          return isBig === 1 ? [code >> 8, code & 255] : [code & 255, code >> 8]
        }),
    )
    expect(seen(bytes)).toEqual(seen(text))
    expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(read([text]))
    if (isBig === 0) expect(seen(bytes.subarray(2))).toEqual(seen(text))
  })

  it.each([
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 10, 200, 10, 7, 10]],
    ['a program', [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 10, 0, 10, 123, 125, 10]],
    ['a long program', [1, 0x45, 1, 0, ...Array.from({ length: 999 }, (_, i) => [200, 10, i % 9]).flat()]],
  ])('of %s are reported once', (_, values) => {
    const bytes = Uint8Array.from(values)
    expect(codes(bytes)).toEqual([[1, 'binary']])
    expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(read([bytes]))
  })

  it('that are compressed are reported once', () => {
    const bytes = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 10, 10, 200, 10])
    expect(codes(bytes)).toEqual([[1, 'compressed']])
    expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(read([bytes]))
  })

  it('of a binary stream that were changed are reported, wherever it was', () => {
    const bytes = readRecording('bedrock.eventstream')
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Uint8Array.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ change
        // A first byte that is not zero begins a text.
        if (changed[0] === 0) expect(codes(changed).length).toBeGreaterThan(0)
      }),
      { numRuns: runs(200) },
    )
    expect(codes(bytes)).toEqual([])
    expect(codes(new Uint8Array(16))).toEqual([[1, 'invalid-message']])
  })
})
