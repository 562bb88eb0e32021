// Proves that the event decoder validates every message, reports what is invalid, and always continues.

import fc from 'fast-check'
import {
  type ContextAnyEvent,
  type DecodedMessage,
  type Diagnostic,
  eventDecoder,
  readEvents,
  run,
} from 'turnstream'
import { encodeEvent, encodeMessage } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import type { EventDecoderOptions } from '../../src/event-stream/event-decoder.ts'
import { contextEventSchemas } from '../../src/events/records/schemas.ts'
import { bytesOf, cutBytes, cuts, streamText } from '../sse/streams.ts'
import { runs } from '../support/runs.ts'
import { accepted, json } from '../support/zod-arbitrary.ts'

const delta = (index: number): ContextAnyEvent => ({
  kind: 'content-delta',
  contextId: 'ctx-1',
  taskId: 'task-1',
  delta: `word ${index}`,
  index,
  timestamp: '2026-01-31T10:30:00Z',
})

function read(
  chunks: readonly (string | Uint8Array)[],
  options: EventDecoderOptions = {},
): { out: DecodedMessage[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const decoder = run(eventDecoder(options), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const out = chunks.flatMap((chunk) => [...decoder.push(chunk)])
  return { out: [...out, ...decoder.end()], diagnostics }
}

const data = (text: string): string => encodeMessage({ data: text })

it('gives known and unknown events with the last event ID', () => {
  const later = { kind: 'later', contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z', extra: [1] }
  const { out, diagnostics } = read([
    encodeEvent(delta(0), { viewer: 'all', id: '7' }) +
      encodeEvent(delta(1), { viewer: 'all' }) +
      encodeEvent(later, { viewer: 'all', id: '8' }),
  ])
  expect(out).toEqual([
    { status: 'known', event: delta(0), id: '7', raw: JSON.stringify(delta(0)) },
    { status: 'known', event: delta(1), id: '7', raw: JSON.stringify(delta(1)) },
    { status: 'unknown', kind: 'later', event: later, id: '8', raw: JSON.stringify(later) },
  ])
  expect(diagnostics).toEqual([])
})

it('treats null in an optional field as absent', () => {
  const raw = JSON.stringify({ ...delta(0), parentTaskId: null })
  expect(read([data(raw)]).out).toEqual([{ status: 'known', event: delta(0), id: '', raw }])
})

describe('reports an invalid message and continues', () => {
  const good = encodeEvent(delta(0), { viewer: 'all' })
  const raw = JSON.stringify(delta(0))
  it.each([
    ['invalid JSON', data('{"kind":'), { code: 'invalid-json', path: '' }, '{"kind":'],
    ['an empty message', data(''), { code: 'invalid-json', path: '' }, ''],
    ['a value that is not an event', data('7'), { code: 'invalid-type', path: '' }, 7],
    [
      'an invalid field',
      data(JSON.stringify({ ...delta(0), index: -1 })),
      { code: 'out-of-range', path: '/index' },
      { ...delta(0), index: -1 },
    ],
    ['a message over the limit', data('x'.repeat(300)), { code: 'too-large', path: '' }, undefined],
    [
      'JSON that is nested too deep',
      data('['.repeat(20) + ']'.repeat(20)),
      { code: 'too-deep', path: '' },
      '['.repeat(20) + ']'.repeat(20),
    ],
  ])('%s', (_name, bad, issue, value) => {
    const { out } = read([good + bad + good], { maxMessageSize: 256, maxDepth: 9 })
    expect(out).toEqual([
      { status: 'known', event: delta(0), id: '', raw },
      { status: 'invalid', issues: [expect.objectContaining(issue)], value, id: '', raw: expect.any(String) },
      { status: 'known', event: delta(0), id: '', raw },
    ])
  })

  it('in the order of the stream', () => {
    const { out } = read([data('x'.repeat(300)) + good + data('{'), data('x'.repeat(300))], {
      maxMessageSize: 256,
    })
    expect(out.map((one) => (one.status === 'invalid' ? one.issues[0]?.code : one.status))).toEqual([
      'too-large',
      'known',
      'invalid-json',
      'too-large',
    ])
  })
})

describe('raw data', () => {
  it('is forwarded byte for byte, whatever it is', () => {
    const value = fc.oneof(
      json.map((one) => JSON.stringify(one)),
      fc.constantFrom('{"a":1.0,"a":1e400,"1":-0}', '{ "kind" :\t7 }', '{', '[DONE]', '', 'one\ntwo'),
    )
    const message = fc.record({
      event: fc.constantFrom('a', 'message'),
      data: value,
      id: fc.constantFrom('1', '2'),
    })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
        const sent = messages.filter((one) => one.data !== '[DONE]')
        const decoded = read(messages.map(encodeMessage)).out
        expect(decoded.map(({ raw }) => raw)).toEqual(sent.map((one) => one.data))
        const forwarded = decoded.map(({ raw, id }) => encodeMessage({ data: raw, id })).join('')
        expect(forwarded).toBe(sent.map((one) => encodeMessage({ data: one.data, id: one.id })).join(''))
      }),
      { numRuns: runs(100) },
    )
  })

  it('is empty for a message over the limit', () => {
    expect(read([data('x'.repeat(300))], { maxMessageSize: 9 }).out).toMatchObject([{ raw: '' }])
  })
})

describe('inexact-number', () => {
  const inexact = (text: string): unknown[] =>
    read([data(text)], { inexactNumbers: true }).diagnostics.map(({ code, path, detail }) => [
      code,
      path,
      detail,
    ])
  const written = JSON.stringify(delta(0))

  it.each<[text: string, path: string]>([
    ['12345678901234567890', '/x'],
    ['1e400', '/x'],
    ['-1E-400', '/x'],
    ['0.1234567890123456789', '/x'],
    ['[1,{"a/b":[9007199254740993]}]', '/x/1/a~1b/0'],
  ])('is reported for %s', (text, path) => {
    const [, number] = /([-\d.]{4,}|-?1[eE]-?400)/.exec(text) ?? []
    expect(inexact(written.replace('{', `{"x":${text},`))).toEqual([
      ['inexact-number', path, { text: number }],
    ])
    expect(inexact(`{"x":${text}}`)).toEqual([['inexact-number', path, { text: number }]])
  })

  it.each(['12345678901234567', '1e40', '1.0', '-0', '"12345678901234567890"', '123456789012345680000'])(
    'is reported for %s only if its value changes',
    (text) => {
      const isChanged = text === '12345678901234567'
      expect(inexact(`{"x":${text}}`)).toHaveLength(isChanged ? 1 : 0)
    },
  )

  it('is looked for on request, and by readers with onDiagnostic', async () => {
    const text = data(written.replace('{', '{"x":1e400,'))
    expect(read([text]).diagnostics).toEqual([])
    for (const [options, count] of [
      [{}, 1],
      [{ inexactNumbers: false }, 0],
    ] as const) {
      const codes: string[] = []
      const onDiagnostic = ({ code }: Diagnostic): void => void codes.push(code)
      for await (const event of readEvents([text], { ...options, onDiagnostic }))
        expect(event).toMatchObject(delta(0))
      expect(codes.filter((code) => code === 'inexact-number')).toHaveLength(count)
    }
  })

  it('is bounded in number and length', () => {
    const long = `0.${'1'.repeat(500)}`
    const list = data(`[${Array(100).fill(long).join()}]`)
    const { diagnostics } = read([list], { inexactNumbers: true })
    expect(diagnostics).toHaveLength(32)
    expect(diagnostics[0]?.detail).toEqual({ text: `${long.slice(0, 40)}…` })
  })

  it('is reported wherever the number is, in deltas as in other events', () => {
    const number = fc.constantFrom(
      '0',
      '7',
      '1e2',
      '1e6',
      '1e-400',
      '1e400',
      '7.00000000000000000001',
      '1e15',
      '2',
    )
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '"', '\n', '1e400'))
    const extra = fc.option(fc.tuple(fc.constantFrom('', 'x', 'thoughtId', 'metadata'), number))
    const kind = fc.constantFrom('content-delta', 'thought-delta', 'tool-arguments-delta', 'later')
    fc.assert(
      fc.property(kind, text, number, extra, fc.boolean(), (name, words, index, more, isThought) => {
        const fields = [
          `"kind":${JSON.stringify(name)}`,
          '"contextId":"c","taskId":"t","toolCallId":"x","toolName":"y"',
          ...(isThought ? ['"thoughtId":"i"'] : []),
          `"delta":${JSON.stringify(words)},"index":${index},"timestamp":"2026-01-31T10:30:00Z"`,
          ...(more === null ? [] : [`${JSON.stringify(more[0])}:${more[1]}`]),
        ]
        for (const line of [
          `{${fields.join()}}`,
          `{${fields.filter((one) => !one.includes('tool')).join()}}`,
        ]) {
          const found = [index, more?.[1]].filter((one) => /400|0001/.test(one ?? ''))
          expect(inexact(line)).toHaveLength(found.length)
        }
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('diagnostics', () => {
  it('reports an event type other than the kind', () => {
    const { out, diagnostics } = read([
      encodeMessage({ event: 'thought-delta', data: JSON.stringify(delta(0)) }),
    ])
    expect(out).toHaveLength(1)
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: 'event-name',
        path: '/kind',
        detail: { event: 'thought-delta', kind: 'content-delta' },
      }),
    ])
  })

  it('quotes a bounded part of a name', () => {
    const event = '\u0001'.repeat(100_000)
    const { diagnostics } = read([encodeMessage({ event, data: JSON.stringify(delta(0)) })])
    expect(diagnostics[0]?.message.length).toBeLessThan(500)
  })

  it('accepts internal kinds with or without their prefix as the event type', () => {
    const event = {
      kind: 'internal:checkpoint',
      contextId: 'c',
      taskId: 't',
      iteration: 1,
      timestamp: '2026-01-31T10:30:00Z',
    }
    expect(read([encodeEvent(event, { viewer: 'all' })]).diagnostics).toEqual([])
    expect(
      read([encodeMessage({ event: 'internal:checkpoint', data: JSON.stringify(event) })]).diagnostics,
    ).toEqual([])
  })

  it('reports [DONE]', () => {
    const { out, diagnostics } = read([data('[DONE]') + encodeMessage({ event: 'end', data: '[DONE]' })])
    expect(out).toEqual([])
    expect(diagnostics.map(({ code }) => code)).toEqual(['done', 'done'])
  })

  it('reports an incomplete message at the end', () => {
    expect(read(['data: {']).diagnostics.map(({ code }) => code)).toEqual(['incomplete-message'])
  })
})

it.each([0, -1, 1.5, Number.NaN])('rejects the limits %s', (limit) => {
  expect(() => eventDecoder({ maxDepth: limit })).toThrow(TypeError)
  expect(() => eventDecoder({ maxMessageSize: limit })).toThrow(TypeError)
})

it('gives the same wherever the bytes are cut', () => {
  const event = fc.oneof(...Object.values(contextEventSchemas).map((schema) => accepted(schema)))
  const message = fc.oneof(
    event.map((one) => encodeEvent(one as ContextAnyEvent, { viewer: 'all' })),
    json.map((one) => data(JSON.stringify(one))),
    streamText,
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), cuts, (messages, at) => {
      const text = messages.join('')
      expect(read(cutBytes(bytesOf(text), at))).toEqual(read([bytesOf(text)]))
    }),
    { numRuns: runs(300) },
  )
})

describe('readEvents', () => {
  const later = { kind: 'later', contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
  const text =
    encodeEvent(delta(0), { viewer: 'all' }) +
    encodeEvent(later, { viewer: 'all' }) +
    data('{') +
    data('[DONE]') +
    encodeEvent(delta(1), { viewer: 'all' })
  const body = (): ReadableStream<Uint8Array> => new Blob([text]).stream() as ReadableStream<Uint8Array>
  const response = (): Response => new Response(body(), { headers: { 'content-type': 'text/event-stream' } })

  async function all(source: Parameters<typeof readEvents>[0], options = {}): Promise<ContextAnyEvent[]> {
    const events: ContextAnyEvent[] = []
    for await (const event of readEvents(source, options)) events.push(event)
    return events
  }

  it.each([
    ['a Response', response],
    ['a body', body],
    ['chunks', () => [text.slice(0, 99), text.slice(99)]],
  ])('reads the known events of %s', async (_name, source) => {
    expect(await all(source())).toEqual([delta(0), delta(1)])
  })

  it('passes everything else to the callbacks', async () => {
    const seen: unknown[] = []
    await all(response(), {
      onUnknown: (decoded: { kind: string; id: string }) => seen.push(['unknown', decoded.kind, decoded.id]),
      onInvalid: (decoded: { value: unknown }) => seen.push(['invalid', decoded.value]),
      onDiagnostic: (diagnostic: Diagnostic) => seen.push(['diagnostic', diagnostic.code]),
    })
    expect(seen).toEqual([
      ['diagnostic', 'done'],
      ['unknown', 'later', ''],
      ['invalid', '{'],
      ['diagnostic', 'ended-early'],
    ])
  })

  it('ends immediately without a body', async () => {
    expect(await all(new Response(null))).toEqual([])
  })

  it('applies the limits of the decoder', async () => {
    const issues: unknown[] = []
    const onInvalid = (decoded: { issues: unknown[] }): unknown => issues.push(...decoded.issues)
    expect(await all([encodeEvent(delta(0), { viewer: 'all' })], { maxMessageSize: 9, onInvalid })).toEqual(
      [],
    )
    expect(issues).toEqual([expect.objectContaining({ code: 'too-large' })])
  })

  it('stops when aborted', async () => {
    const controller = new AbortController()
    const endless = new ReadableStream<string>({
      start: (source) => source.enqueue(encodeEvent(delta(0), { viewer: 'all' })),
    })
    const seen: ContextAnyEvent[] = []
    await expect(async () => {
      for await (const event of readEvents(endless, { signal: controller.signal })) {
        seen.push(event)
        queueMicrotask(() => controller.abort(new Error('enough')))
      }
    }).rejects.toThrow('enough')
    expect(seen).toEqual([delta(0)])
  })
})
