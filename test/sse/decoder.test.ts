// Proves that the SSE decoder follows the WHATWG parsing rules wherever the stream is cut, with bounded memory.

import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { type Diagnostic, run } from 'turnstream'
import { encodeMessage, type SseMessage, sseDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import { emptyText, lengthOf } from '../../src/encoding/growing-text.ts'
import type { SseState } from '../../src/sse/state.ts'
import { casesOf } from '../support/conformance.ts'
import { runs } from '../support/runs.ts'
import { bytesOf, cutBytes, cuts, cutText, streamText } from './streams.ts'

interface Read {
  messages: SseMessage[]
  state: ReturnType<typeof sseDecoder>['initial']
  diagnostics: Diagnostic[]
}

function read(chunks: readonly (string | Uint8Array)[], maxMessageSize?: number): Read {
  const diagnostics: Diagnostic[] = []
  const options = maxMessageSize === undefined ? {} : { maxMessageSize }
  const decoder = run(sseDecoder(options), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const messages = chunks.flatMap((chunk) => [...decoder.push(chunk)])
  messages.push(...decoder.end())
  return { messages, state: decoder.state, diagnostics }
}

interface Parsed {
  readonly messages: readonly SseMessage[]
  readonly lastEventId: string
  readonly retry?: number
}
const texts = casesOf<{ text?: string }, Parsed>('sse').filter(({ input }) => input.text !== undefined)

describe.each(texts)('$name', ({ input: { text: input = '' }, expected }) => {
  const check = (chunks: readonly (string | Uint8Array)[]): void => {
    const { messages, state } = read(chunks)
    expect(messages).toEqual(expected.messages)
    expect(state.lastEventId).toBe(expected.lastEventId)
    expect(state.retry).toBe(expected.retry)
  }

  it('as one text', () => check([input]))
  it('as single characters', () => check([...input].flatMap((char) => char.split(''))))
  it('as bytes', () => check([bytesOf(input)]))
  it('as single bytes, with empty chunks between', () => {
    check([...bytesOf(input)].flatMap((byte) => [new Uint8Array(), new Uint8Array([byte])]))
  })
  it('cut in two anywhere', () => {
    const bytes = bytesOf(input)
    for (let at = 0; at <= bytes.length; at++) check([bytes.subarray(0, at), bytes.subarray(at)])
    for (let at = 0; at <= input.length; at++) check([input.slice(0, at), input.slice(at)])
  })
})

it('ignores a retry that is not a safe integer', () => {
  expect(read(['retry: 5\nretry: 9007199254740993\n']).state.retry).toBe(5)
})

describe.each(['data', 'event', 'id', 'retry'])('a name that is not quite %s', (name) => {
  const prefixes = [...name].slice(1).map((_, at) => name.slice(0, at + 1))
  const changed = [...name].flatMap((_, at) =>
    ['', 'x', '\0', ' ', name[at]?.toUpperCase(), `${name[at]}${name[at]}`].map(
      (by) => name.slice(0, at) + by + name.slice(at + 1),
    ),
  )
  const others = new Set([...prefixes, ...changed])

  it.each([...others])('is ignored: %j', (other) => {
    const expected = { messages: [{ event: 'a', data: '1', id: '2' }], state: { retry: 3 } }
    for (const line of [`${other}: 7`, other]) {
      const text = `event: a\nid: 2\nretry: 3\n${line}\ndata: 1\n\n`
      for (const chunks of [[text], [text.replaceAll('\n', '\r')], [': ok\n\n', text], [...text]]) {
        expect(read(chunks)).toMatchObject(expected)
      }
    }
  })
})

describe('wherever a stream is cut', () => {
  it('gives the same messages, diagnostics and state for text', () => {
    fc.assert(
      fc.property(
        streamText,
        cuts,
        fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
        (text, at, limit) => {
          expect(read(cutText(text, at), limit)).toEqual(read([text], limit))
        },
      ),
      { numRuns: runs(2000) },
    )
  })

  it('gives the same for any bytes as for the whole text they decode to', () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.tuple(streamText, fc.uint8Array({ maxLength: 4 }), fc.nat()).map(([text, noise, at]) => {
        const bytes = [...bytesOf(text)]
        bytes.splice(at % (bytes.length + 1), 0, ...noise)
        return new Uint8Array(bytes)
      }),
    )
    fc.assert(
      fc.property(anyBytes, cuts, (bytes, at) => {
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
        const whole = read([text])
        const cut = read(cutBytes(bytes, at))
        expect(cut.messages).toEqual(whole.messages)
        expect(cut.state).toEqual(whole.state)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('carries no incomplete character into another stream', () => {
    const wide = bytesOf('data: é\n\n')
    const ends = [0x41, 0x80, 0xa0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff]
    const pairs = ends.flatMap((a) => ends.map((b) => [a, b]))
    for (const end of [
      ...ends.map((a) => [a]),
      ...pairs,
      ...pairs.flatMap((p) => ends.map((c) => [...p, c])),
    ]) {
      read([wide, new Uint8Array(end)])
      expect(read([bytesOf('data: x\n\n')]).messages, `${end}`).toEqual([
        { event: 'message', data: 'x', id: '' },
      ])
    }
  })

  it('accepts alternating bytes and text; an incomplete character before text becomes U+FFFD', () => {
    const bytes = bytesOf('data: é\n\n')
    expect(read([bytes.subarray(0, 7), 'x\n\n']).messages).toEqual([
      { event: 'message', data: '\ufffdx', id: '' },
    ])
    expect(read([bytes, 'data: y\n\n']).messages.map(({ data }) => data)).toEqual(['é', 'y'])
  })
})

describe('eventsource-parser', () => {
  it('gives the same for well-formed streams', () => {
    const field = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[\r\n\0]/g, ''))
    const message = fc.record(
      { event: field, data: fc.string({ unit: 'grapheme', maxLength: 20 }), id: field },
      { requiredKeys: ['data'] },
    )
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), cuts, (messages, at) => {
        const text = messages.map(encodeMessage).join('')
        const theirs: { event: string; data: string; id?: string }[] = []
        const parser = createParser({
          onEvent: ({ event, data, id }) =>
            theirs.push({ event: event ?? 'message', data, ...(id !== undefined && { id }) }),
        })
        for (const chunk of cutText(text, at)) parser.feed(chunk)
        const ours = read(cutText(text, at)).messages
        expect(ours.map(({ event, data }) => ({ event, data }))).toEqual(
          theirs.map(({ event, data }) => ({ event, data })),
        )
        // Theirs gives an id only where a message sets one; ours gives the one in effect.
        theirs.forEach(({ id }, i) => {
          if (id !== undefined) expect(ours[i]?.id).toBe(id)
        })
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('the size limit', () => {
  const limit = 10
  const tooLarge = expect.objectContaining({ code: 'too-large' })

  it.each([
    ['data of exactly the limit', 'data: 0123456789\n\n', ['0123456789'], 0],
    ['an event type of exactly the limit', 'event: 0123456789\ndata\n\n', [''], 0],
    ['data over the limit', 'data: 0123456789a\n\n', [], 1],
    [
      'data lines that exceed the limit together',
      'data: 01234\ndata: 6789\n\ndata: 01234\ndata: 56789\n\n',
      ['01234\n6789'],
      1,
    ],
    [
      'data and event type together',
      'event: abcde\ndata: 01234\n\nevent: abcdef\ndata: 01234\n\n',
      ['01234'],
      1,
    ],
    ['data and id together', 'id: abcdef\ndata: 01234\n\n', [], 1],
    ['a long comment', `: ${'x'.repeat(99)}\ndata: a\n: ${'x'.repeat(99)}\ndata: b\n\n`, ['a\nb'], 0],
    ['a long reconnection time', `retry: ${'0'.repeat(99)}\ndata: a\n\n`, ['a'], 0],
    ['a long unknown field', `x-trace: ${'x'.repeat(99)}\ndata: a\n\n`, ['a'], 0],
    ['a very long line, followed by a message', `data: ${'x'.repeat(999)}\n\ndata: next\n\n`, ['next'], 1],
    ['many short lines', `${'data: x\n'.repeat(50)}\ndata: next\n\n`, ['next'], 1],
  ])('%s', (_name, text, data, lost) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      )
      const { messages, diagnostics } = read(chunks, limit)
      expect(messages.map((message) => message.data)).toEqual(data)
      expect(diagnostics).toEqual(Array.from({ length: lost }, () => tooLarge))
    }
  })

  it('keeps the id of a dropped message, to resume after it', () => {
    const { state, diagnostics } = read([`id: 7\ndata: ${'x'.repeat(99)}\n\n`], limit)
    expect(state.lastEventId).toBe('7')
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'too-large', detail: { limit, id: '7' } })])
  })

  it('keeps an id of exactly the limit', () => {
    const { state } = read([`id: 0123456789\ndata: ${'x'.repeat(99)}\n\n`], limit)
    expect(state.lastEventId).toBe('0123456789')
  })

  it('is 16 Mi code units by default', () => {
    const text = 'x'.repeat(2 ** 24)
    const { messages, diagnostics } = read([`data: ${text}\n\n`, `data: ${text}x\n\n`])
    expect(messages.map(({ data }) => data.length)).toEqual([2 ** 24])
    expect(diagnostics).toMatchObject([{ code: 'too-large', detail: { limit: 2 ** 24 } }])
  })

  it.each([
    [{ maxMessageSize: 0 }, '"maxMessageSize" must be an integer >= 1, got 0.'],
    [{ maxMessageSize: 1.5 }, '"maxMessageSize" must be an integer >= 1, got 1.5.'],
    [null, '"options" must be an object, got null.'],
  ])('is a positive integer: %j', (options, message) => {
    expect(() => sseDecoder(options as never)).toThrow(new TypeError(message))
  })

  it('drops an id over the limit', () => {
    expect(read([`id: 1\n\nid: ${'x'.repeat(11)}\ndata: a\n\n`], limit).state.lastEventId).toBe('1')
    expect(read([`id: 1\n\nid: ${'x'.repeat(99)}\ndata: a\n\n`], limit).state.lastEventId).toBe('1')
  })

  it('bounds the state for any input', () => {
    const nasty = fc.oneof(
      streamText,
      fc.constantFrom('x'.repeat(50), `data: ${'y'.repeat(50)}`, `id:${'z'.repeat(50)}`),
    )
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 30 }), (chunks) => {
        const decoder = run(sseDecoder({ maxMessageSize: limit }))
        for (const chunk of chunks) {
          for (const message of decoder.push(chunk)) {
            expect(message.data.length + message.id.length).toBeLessThanOrEqual(2 * limit)
          }
          const state = decoder.state as SseState
          const { line, eventTypeBuffer, dataBuffer = emptyText, idBuffer = '', lastEventId } = state
          expect(lengthOf(line)).toBeLessThanOrEqual(limit + 7)
          expect(eventTypeBuffer.length + lengthOf(dataBuffer) + idBuffer.length).toBeLessThanOrEqual(limit)
          expect(lastEventId.length).toBeLessThanOrEqual(limit)
        }
      }),
      { numRuns: runs(1000) },
    )
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '9'])('rejects the limit %s', (size) => {
    expect(() => sseDecoder({ maxMessageSize: size as number })).toThrow(TypeError)
  })
})

describe('the end', () => {
  it.each([
    ['a line', 'data: x'],
    ['a message', 'data: x\n'],
    ['an event type', 'event: x\n'],
    ['a message over the limit', `data: ${'x'.repeat(20)}\n`],
  ])('reports %s that is incomplete', (_name, text) => {
    expect(read([text], 10).diagnostics).toContainEqual(
      expect.objectContaining({ code: 'incomplete-message' }),
    )
  })

  it('reports an incomplete character', () => {
    expect(read([new Uint8Array([0xc3])]).diagnostics).toHaveLength(1)
  })

  it('reports nothing after complete messages', () => {
    expect(read([': x\n\ndata: x\n\n\n']).diagnostics).toEqual([])
  })

  it('gives the state that the next connection starts with', () => {
    const first = run(sseDecoder())
    first.push('id: 7\nretry: 20\ndata: a\n\nid: 8\ndata: b')
    first.end()
    expect(first.state).toMatchObject({ lastEventId: '7', retry: 20 })
    const second = run(sseDecoder(), { state: first.state })
    expect(second.push('\ufeffdata: c\n\n')).toEqual([{ event: 'message', data: 'c', id: '7' }])
  })
})
