/** Streams to read: what we encode, and what the rules of SSE make difficult. */

import fc from 'fast-check'
import { encodeComment, encodeEvent, encodeMessage, type SseMessage } from 'turnstream/sse'

export interface Stream {
  readonly name: string
  /** The bytes, in the pieces in which they are sent. */
  readonly pieces: readonly Uint8Array[]
  /** The messages that were encoded. Absent: written by hand. */
  readonly encoded?: readonly SseMessage[]
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Text with characters that matter to SSE. UTF-8 cannot encode half a surrogate pair. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        '\n',
        '\r',
        '\r\n',
        ':',
        ' ',
        '  ',
        'data: x',
        'id',
        '\0',
        '\ufeff',
        '\u2028',
        '😀',
        '',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replace(/\p{Surrogate}/gu, ''))
const line = text.map((value) => value.replace(/[\r\n]/g, ''))

const message = fc.record(
  {
    event: fc.oneof(line, fc.constantFrom('', 'message', 'error', 'open', 'content-delta', '__proto__')),
    data: text,
    id: line.map((value) => value.replaceAll('\0', '')),
    retry: fc.nat(100_000),
  },
  { requiredKeys: ['data'] },
)
/** Valid events of known kinds and of any others: what is not valid is not written. */
const event = fc.record({
  kind: fc.oneof(
    line.filter((kind) => kind !== ''),
    fc.constantFrom('content-delta', 'error', 'open', 'message', 'task-status'),
  ),
  contextId: fc.constant('ctx-1'),
  taskId: fc.constant('task-1'),
  timestamp: fc.constant('2026-01-31T10:30:00Z'),
  delta: text,
  index: fc.nat(),
  status: fc.constant('working'),
})
const part = fc.oneof(
  { weight: 6, arbitrary: message.map((fields) => ({ type: 'message' as const, fields })) },
  { weight: 3, arbitrary: event.map((value) => ({ type: 'event' as const, value })) },
  { weight: 1, arbitrary: text.map((comment) => ({ type: 'comment' as const, comment })) },
)
type Part = typeof part extends fc.Arbitrary<infer P> ? P : never

/** Sizes to cut a stream by, over and over: mostly tiny ones. */
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 8, max: 400 })), {
  minLength: 1,
  maxLength: 12,
})

/** Streams of messages, events and comments as our encoders write them. */
export function encodedStreams(seed: number, count: number): Stream[] {
  const parts = fc.array(part, { minLength: 20, maxLength: 40 })
  return fc.sample(fc.tuple(parts, sizes), { seed, numRuns: count }).map(([written, cuts], i) => ({
    name: `encoded stream ${i} of seed ${seed}`,
    ...encode(written, cuts),
  }))
}

function encode(parts: readonly Part[], cuts: readonly number[]): Omit<Stream, 'name'> {
  let wire = ''
  let id = ''
  const encoded: SseMessage[] = []
  for (const each of parts) {
    if (each.type === 'comment') wire += encodeComment(each.comment)
    else if (each.type === 'event') {
      const name = each.value.kind
      // Internal events are not written unless asked for.
      wire += encodeEvent(each.value, { viewer: 'all' })
      if (name.startsWith('internal:')) continue
      const isReserved = ['error', 'open', 'message'].includes(name)
      encoded.push({ event: isReserved ? 'message' : name, data: jsonLine(each.value), id })
    } else {
      wire += encodeMessage(each.fields)
      id = each.fields.id ?? id
      encoded.push({ event: each.fields.event || 'message', data: lines(each.fields.data), id })
    }
  }
  return { pieces: cut(utf8(wire), cuts), encoded }
}

/** The JSON of a value, in which characters that end a line in some languages are escaped. */
function jsonLine(value: unknown): string {
  const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, escaped)
}

/** Line ends of any kind come out as LF. */
function lines(data: string): string {
  return data.replace(/\r\n?/g, '\n')
}

function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = cuts[i % cuts.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

/** Text, or bytes that are none. */
type Written = string | readonly number[]

const written: Readonly<Record<string, Written>> = {
  'nothing at all': '',
  'blank lines alone': '\n\n\r\r\n',
  'one message': 'data: a\n\n',
  'a byte order mark': '\ufeffdata: a\n\n',
  'two byte order marks': '\ufeff\ufeffdata: a\n\ndata: b\n\n',
  'a byte order mark before a comment': '\ufeff: hi\ndata: a\n\n',
  'a byte order mark later': 'data: a\n\n\ufeffdata: b\n\ndata: \ufeffc\n\n',
  'half a byte order mark': [0xef, 0xbb, 0x64, 0x0a, 0x0a],
  LF: 'data: a\ndata: b\n\ndata: c\n\n',
  CR: 'data: a\rdata: b\r\rdata: c\r\r',
  CRLF: 'data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n',
  'line ends of all kinds': 'data: a\rdata: b\n\r\ndata: c\r\ndata: d\r\rdata: e\n\rdata: f\r\n\n',
  'LF CR is two line ends': 'data: a\n\rdata: b\n\r',
  'line ends that are none': 'data: a\u0085b\u2028c\u2029d\ve\ff\n\n',
  comments: ': a\n:\n:b\ndata: c\n: d\ndata: e\n\n: f\n\n',
  'data without a colon': 'data\n\ndata\ndata\n\n',
  'data without a space, and with two': 'data:a\n\ndata:  b\n\ndata:\tc\n\ndata: \n\n',
  'data with colons': 'data:::\n\ndata: : :\n\n',
  'empty data lines': 'data: a\ndata:\ndata\ndata: b\ndata:\n\n',
  'fields that mean nothing': 'Data: a\ndata : b\n data: c\nfoo: d\nfoo\ndatax: e\ndat: f\ndata: g\n\n',
  'an event without data': 'event: a\n\ndata: b\n\n',
  'an event without a value': 'event: a\nevent\ndata: b\n\nevent: c\nevent:\ndata: d\n\n',
  'the last of several event names': 'event: a\nevent: b\ndata: c\nevent: d\n\n',
  'event names with spaces': 'event:  a \ndata: b\n\nevent: \ndata: c\n\n',
  'event names with other meanings':
    'event: error\ndata: a\n\nevent: open\ndata: b\n\nevent: message\ndata: c\n\nevent: __proto__\ndata: d\n\n',
  'an event name with a NUL': 'event: a\0b\ndata: c\n\n',
  'event names of other scripts': 'event: 出来事\ndata: a\n\nevent: 🎉\ndata: b\n\n',
  'an id that stays': 'id: 1\ndata: a\n\ndata: b\n\n',
  'an id without data': 'id: 1\n\ndata: a\n\n',
  'an id that is reset': 'id: 1\ndata: a\n\nid\ndata: b\n\nid: 2\ndata: c\n\nid:\ndata: d\n\n',
  'an id with a NUL': 'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid: \0\ndata: c\n\n',
  'an id with a NUL after one without': 'id: 1\nid: 2\0\ndata: a\n\n',
  'ids with spaces and signs': 'id:  1 \ndata: a\n\nid: :\ndata: b\n\nid: à 1/2 ✓\ndata: c\n\n',
  'an id of an unfinished message': 'id: 1\ndata: a\n\nid: 2\ndata: b\n',
  retry:
    'retry: 1000\nretry: 5x\nretry: -5\nretry: 1.5\nretry:\nretry\nretry: ५\nretry: 007\nretry:  9\ndata: a\n\n',
  'a retry of its own': 'retry: 12345\n\ndata: a\n\n',
  'a retry in an unfinished message': 'data: a\n\nretry: 77\n',
  'a NUL in the data': 'data: a\0b\n\n',
  'an unfinished message': 'data: a\n\ndata: b',
  'an unfinished message with its line ended': 'data: a\n\ndata: b\n',
  'an unfinished CRLF': 'data: a\r\n\r\ndata: b\r\n\r',
  'an unfinished comment': 'data: a\n\n: b',
  'characters of one to four bytes': 'data: aé東😀\nevent: é\ndata: 👩‍👩‍👧\n\n',
  'bytes that are no UTF-8': [
    ...utf8('data: '),
    ...[0x80, 0xc3, 0x28, 0xe2, 0x82, 0xf0, 0x9f, 0x98, 0x41, 0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xf5, 0x80],
    ...utf8('\n\ndata: b'),
    ...[0xf0, 0x9f],
    ...utf8('\n\n'),
  ],
  'half a character at the end': [...utf8('data: a\n\ndata: b\n\n'), 0xf0, 0x9f],
  'a long message': `id: long\ndata: ${'東京 '.repeat(60_000)}\ndata: ${'x'.repeat(100_000)}\n\ndata: a\n\n`,
}

/** Streams that try the rules, each sent whole, byte by byte, and in threes. */
export const difficultStreams: readonly Stream[] = Object.entries(written).flatMap(([name, value]) => {
  const bytes = typeof value === 'string' ? utf8(value) : Uint8Array.from(value)
  const cuts = bytes.length < 1000 ? [bytes.length || 1, 1, 3] : [bytes.length, 4099]
  return cuts.map((size) => ({ name: `${name}, in pieces of ${size}`, pieces: cut(bytes, [size]) }))
})
