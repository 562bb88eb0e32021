// Proves that encoded messages decode to what was encoded, and that no message can forge another.

import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { type Diagnostic, decodeEvent, run, type UnknownEvent } from 'turnstream'
import {
  encodeComment,
  encodeEvent,
  encodeJson,
  encodeMessage,
  type SseMessage,
  sseDecoder,
} from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import { contextEventSchemas } from '../../src/events/records/schemas.ts'
import { runs } from '../support/runs.ts'
import { accepted, json } from '../support/zod-arbitrary.ts'

const decode = (text: string): SseMessage[] => [...run(sseDecoder()).push(text)]

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('\n', '\r', '\r\n', 'data: x', ' ', ':', '', '\0', '\ufeff', '\u2028', 'é'))
    .map((parts) => parts.join('')),
)

describe('encodeMessage', () => {
  it('round-trips, with line endings as LF', () => {
    fc.assert(
      fc.property(
        anyText,
        anyText,
        anyText,
        fc.option(fc.nat(), { nil: undefined }),
        (event, data, id, retry) => {
          fc.pre(!/[\r\n]/.test(event) && !/[\r\n\0]/.test(id))
          const text = encodeMessage({ event, data, id, ...(retry !== undefined && { retry }) })
          const decoder = run(sseDecoder())
          // Lone surrogates are no characters: they do not survive UTF-8, here or anywhere.
          const messages = decoder.push(new TextEncoder().encode(text))
          const whole = (part: string): string =>
            new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(part))
          expect(messages).toEqual([
            { event: whole(event) || 'message', data: whole(data).replace(/\r\n|\r/g, '\n'), id: whole(id) },
          ])
          expect(decoder.state.retry).toBe(retry)
        },
      ),
      { numRuns: runs(1000) },
    )
  })

  it('is decoded by eventsource-parser', () => {
    fc.assert(
      fc.property(anyText, (data) => {
        const seen: string[] = []
        createParser({ onEvent: (event) => seen.push(event.data) }).feed(encodeMessage({ data }))
        expect(seen).toEqual([data.replace(/\r\n|\r/g, '\n')])
      }),
      { numRuns: runs(300) },
    )
  })

  it.each([
    [{ data: 'x' }, 'data: x\n\n'],
    [{ data: '' }, 'data: \n\n'],
    [{ event: '', data: 'x' }, 'data: x\n\n'],
    [{ event: 'a', id: '', retry: 0, data: ' x\ny' }, 'event: a\nid: \nretry: 0\ndata:  x\ndata: y\n\n'],
  ])('encodes %j', (message, text) => {
    expect(encodeMessage(message)).toBe(text)
  })

  it.each([
    [{ event: 'a\ndata: evil', data: '' }],
    [{ event: 'a\r', data: '' }],
    [{ id: '1\nevent: admin', data: '' }],
    [{ id: '1\r', data: '' }],
    [{ id: 'a\0', data: '' }],
    [{ id: 7, data: '' }],
    [{ id: null, data: '' }],
    [{ event: 7, data: '' }],
    [{ retry: 1.5, data: '' }],
    [{ retry: -1, data: '' }],
    [{ retry: Number.NaN, data: '' }],
    [{ retry: '0\r\nevent: admin', data: '' }],
  ])('rejects %j', (message) => {
    expect(() => encodeMessage(message as { data: string })).toThrow(TypeError)
  })
})

describe('encodeComment', () => {
  it.each([
    [undefined, ': ping\n\n'],
    ['', ': \n\n'],
    ['a\r\nb\rdata: c', ': a\n: b\n: data: c\n\n'],
  ])('encodes %j', (text, encoded) => {
    expect(encodeComment(text)).toBe(encoded)
    expect(decode(`data: x\n${encoded}`)).toHaveLength(1)
    expect(decode(encoded)).toEqual([])
  })
})

describe('encodeEvent', () => {
  const delta = {
    kind: 'content-delta',
    contextId: 'c',
    taskId: 't',
    delta: 'a\nb',
    index: 0,
    timestamp: '2026-01-31T10:30:00Z',
  }
  const call = {
    kind: 'internal:checkpoint',
    contextId: 'c',
    taskId: 't',
    iteration: 0,
    timestamp: '2026-01-31T10:30:00Z',
  }

  it('encodes the kind as the event type, unless the profile is data-only', () => {
    expect(encodeEvent(delta, { viewer: 'all', id: '7' })).toBe(
      `event: content-delta\nid: 7\ndata: ${JSON.stringify(delta)}\n\n`,
    )
    expect(encodeEvent(delta, { viewer: 'all', id: '7', profile: 'data-only' })).toBe(
      `id: 7\ndata: ${JSON.stringify(delta)}\n\n`,
    )
    expect(encodeEvent(delta, { viewer: 'all' })).toBe(
      `event: content-delta\ndata: ${JSON.stringify(delta)}\n\n`,
    )
  })

  it('is what the viewer may see, or nothing', () => {
    const user = { viewer: { audience: 'user' } } as const
    expect(encodeEvent(delta, user)).toBe(encodeEvent(delta, { viewer: 'all' }))
    const failed = { ...call, kind: 'task-error', error: { code: 'x', message: 'No.', retry: 'terminal' } }
    const detailed = { ...failed, error: { ...failed.error, details: { stack: 'at x' } } }
    const { iteration: _, ...declared } = failed as typeof failed & { iteration?: number }
    expect(encodeEvent(detailed, user)).toBe(encodeEvent(declared, { viewer: 'all' }))
    for (const hidden of [
      call,
      { ...call, kind: 'internal:later' },
      { ...delta, metadata: { audience: ['operator'] } },
    ]) {
      expect(encodeEvent(hidden, user)).toBe('')
      expect(encodeEvent(hidden, { ...user, id: '7', profile: 'data-only' })).toBe('')
      expect(encodeEvent(hidden, { viewer: { audience: 'operator' } })).toBe(
        encodeEvent(hidden, { viewer: 'all' }),
      )
    }
    expect(encodeEvent(call, { viewer: 'all' })).toBe(`event: checkpoint\ndata: ${JSON.stringify(call)}\n\n`)
  })

  it.each<[what: string, changes: object, diagnostics: readonly object[]]>([
    ['an invalid event', { delta: 7 }, [{ code: 'invalid-event', path: '/delta' }]],
    ['a field that no schema declares', { stack: 'at x' }, [{ code: 'hidden:stack', path: '/stack' }]],
    ['nothing of a visible event', {}, []],
    ['nothing of a hidden event', { metadata: { audience: ['operator'] } }, []],
  ])('reports %s', (_, changes, expected) => {
    const diagnostics: Diagnostic[] = []
    const onDiagnostic = (diagnostic: Diagnostic): unknown => diagnostics.push(diagnostic)
    const event = { ...delta, ...changes }
    const text = encodeEvent(event, { viewer: { audience: 'user' }, onDiagnostic })
    expect(text === '').toBe('delta' in changes || 'metadata' in changes)
    expect(diagnostics).toMatchObject(expected)
    expect(diagnostics).toHaveLength(expected.length)
    const isValid = !('delta' in changes)
    expect(encodeEvent(event, { viewer: 'all', onDiagnostic }).includes(JSON.stringify(event))).toBe(isValid)
    expect(diagnostics).toHaveLength(isValid ? expected.length : 2 * expected.length)
  })

  it.each(['error', 'open', 'message', 'a\nb', 'a\rb', 'internal:', 'internal:error'])(
    'writes no event line for the kind %j',
    (kind) => {
      const event = { ...call, kind }
      const text = encodeEvent(event, { viewer: 'all' })
      expect(text).toBe(`data: ${JSON.stringify(event)}\n\n`)
      expect(decode(text)).toEqual([{ event: 'message', data: JSON.stringify(event), id: '' }])
    },
  )

  it.each(['a\nb', 'a\rb', 'a\0'])('rejects the id %j', (id) => {
    expect(() => encodeEvent(delta, { viewer: 'all', id })).toThrow(TypeError)
  })

  it('rejects an event that is not JSON', () => {
    expect(() => encodeEvent({ ...delta, big: 1n } as never, { viewer: 'all' })).toThrow(TypeError)
  })

  it('encodes every decoded event to the same bytes, known or unknown', () => {
    const unknown = fc.dictionary(fc.string(), json).map((fields) => ({
      ...fields,
      kind: 'later',
      contextId: 'c',
      taskId: 't',
      timestamp: '2026-01-31T10:30:00Z',
    }))
    const known = fc.oneof(...Object.values(contextEventSchemas).map((schema) => accepted(schema)))
    fc.assert(
      fc.property(fc.oneof(unknown, known) as fc.Arbitrary<UnknownEvent>, (event) => {
        const text = encodeEvent(event, { id: '1', viewer: 'all' })
        const [message] = decode(text)
        const decoded = decodeEvent(JSON.parse(message?.data ?? ''))
        expect(decoded.status).not.toBe('invalid')
        const again = 'event' in decoded ? encodeEvent(decoded.event, { id: '1', viewer: 'all' }) : ''
        expect(again).toBe(text)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('encodeJson', () => {
  const lineEnds = fc.string({ unit: fc.constantFrom('a', '\u0085', '\u2028', '\u2029', '\n', '\\', 'é') })

  it('has no character that a client may take for a line end, and decodes to the value', () => {
    fc.assert(
      fc.property(fc.dictionary(lineEnds, fc.array(lineEnds)), (value) => {
        const event = { ...value, kind: 'x', contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
        for (const text of [encodeJson(event), encodeEvent(event, { viewer: 'all' })]) {
          expect(text).not.toMatch(/[\u0085\u2028\u2029]/)
          const [message, ...others] = decode(text)
          expect(others).toEqual([])
          expect(JSON.parse(message?.data ?? '')).toEqual(event)
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it('writes the other fields', () => {
    expect(encodeJson([1], { event: 'e', id: '7', retry: 5 })).toBe(
      encodeMessage({ event: 'e', id: '7', retry: 5, data: '[1]' }),
    )
  })
})

const event = { kind: 'a', contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }

it.each<[call: () => unknown, message: string]>([
  [() => encodeMessage(null as never), '"message" must be an object, got null.'],
  [() => encodeMessage({ data: 7 } as never), '"data" must be a string, got 7.'],
  [() => encodeMessage({ data: '', event: 7 } as never), '"event" must be a string without CR or LF, got 7.'],
  [() => encodeMessage({ data: '', id: 7 } as never), '"id" must be a string without CR, LF or NUL, got 7.'],
  [() => encodeMessage({ data: '', retry: -1 }), '"retry" must be an integer >= 0, got -1.'],
  [() => encodeJson(undefined), '"value" must be JSON, got undefined.'],
  [() => encodeComment(7 as never), '"text" must be a string, got 7.'],
  [() => encodeEvent(null as never, { viewer: 'all' }), '"event" must be an object, got null.'],
  [() => encodeEvent({} as never, { viewer: 'all' }), '"event.kind" must be a string, got undefined.'],
  [() => encodeEvent(event, null as never), '"options" must be an object, got null.'],
  [
    () => encodeEvent(event, undefined as never),
    '"viewer" must be a viewer such as { audience: "user" }, or "all", got undefined.',
  ],
  [
    () => encodeEvent(event, {} as never),
    '"viewer" must be a viewer such as { audience: "user" }, or "all", got undefined.',
  ],
  [
    () => encodeEvent(event, { viewer: { audience: 'users' } } as never),
    '"viewer.audience" must be "user", "coordinator", "parent", "observer" or "operator", got "users".',
  ],
  [
    () => encodeEvent(event, { viewer: 'all', profile: 'both' } as never),
    '"profile" must be "named" or "data-only", got "both".',
  ],
])('misuse throws: %s', (call, message) => {
  expect(call).toThrow(new TypeError(message))
})

it('reports diagnostics with a readable message', () => {
  const diagnostics: Diagnostic[] = []
  run(sseDecoder({ maxMessageSize: 1 }), { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) }).push(
    'data: xx\n\n',
  )
  expect(diagnostics[0]?.message).toMatch(/1/)
})
