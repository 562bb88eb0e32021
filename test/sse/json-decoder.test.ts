// Proves that jsonDecoder gives the JSON of every message wherever the stream is cut, and reports the rest.

import fc from 'fast-check'
import { type Diagnostic, run } from 'turnstream'
import { encodeMessage, type JsonMessage, jsonDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import { jsonValue } from '../support/json.ts'
import { expectMachineLaw } from '../support/law.ts'
import { bytesOf, cutBytes, cuts, streamText } from './streams.ts'

function read(
  chunks: readonly (string | Uint8Array)[],
  maxMessageSize = 2 ** 24,
): [JsonMessage[], Diagnostic[]] {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(jsonDecoder({ maxMessageSize }), { onDiagnostic: (one) => diagnostics.push(one) })
  return [[...chunks.flatMap((chunk) => [...push(chunk)]), ...end()], diagnostics]
}

it('gives what was sent, with the text as it came, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(jsonValue()), cuts, (values, at) => {
      const data = values.map((value) => JSON.stringify(value))
      const text = data.map((one, i) => encodeMessage({ data: one, event: 'e', id: String(i) })).join('')
      const [messages, diagnostics] = read(cutBytes(bytesOf(text), at))
      expect(messages).toEqual(values.map((value, i) => ({ value, raw: data[i], event: 'e', id: String(i) })))
      expect(diagnostics.map(({ code }) => code)).toEqual(values.length === 0 ? ['no-message'] : [])
    }),
  )
})

describe('reads JSON that is no SSE, wherever it is cut:', () => {
  const members = fc.dictionary(fc.string(), jsonValue())
  const containers = fc.array(members, { minLength: 1 })
  const reads = (values: readonly unknown[], text: string, at: readonly number[]): void => {
    const [messages, diagnostics] = read(cutBytes(bytesOf(text), at))
    expect(messages.map(({ value }) => value)).toEqual(values)
    expect(messages.map(({ raw }) => JSON.parse(raw))).toEqual(values)
    expect(messages.every(({ event, id }) => event === 'message' && id === '')).toBe(true)
    expect(diagnostics).toEqual([])
  }
  const forms: readonly (readonly [name: string, textOf: (values: readonly unknown[]) => string])[] = [
    ['lines', (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('')],
    ['lines without the last end', (values) => values.map((value) => JSON.stringify(value)).join('\r\n')],
    ['values without a separator', (values) => values.map((value) => JSON.stringify(value)).join('')],
    ['indented values', (values) => values.map((value) => JSON.stringify(value, null, 2)).join('\n')],
    ['an array', (values) => `\uFEFF${JSON.stringify(values)}\n`],
    ['an indented array', (values) => `\n${JSON.stringify(values, null, 2)}`],
    [
      'an array of streamed items',
      (values) => `[${values.map((value) => JSON.stringify(value)).join('\n,\n')}\n]`,
    ],
  ]
  it.each(forms)('%s', (_, textOf) => {
    fc.assert(fc.property(containers, cuts, (values, at) => reads(values, textOf(values), at)))
  })

  it('any items of an array', () => {
    fc.assert(
      fc.property(fc.array(jsonValue(), { minLength: 1 }), cuts, (values, at) => {
        // An array within the array is one item.
        reads(values, JSON.stringify(values), at)
      }),
    )
  })

  it('a value as soon as it is whole', () => {
    const { push } = run(jsonDecoder())
    expect(push('[{"a":1}')).toHaveLength(1)
    expect(push('\n,\n{"a":2')).toHaveLength(0)
    expect(push('}')).toHaveLength(1)
  })
})

it('reads what llama.cpp sends as an error', () => {
  const text = 'data: {"a":1}\n\nerror: {"code":500,"message":"full"}\n\n'
  const [messages, diagnostics] = read([...text])
  expect(messages[1]).toEqual({
    value: { code: 500, message: 'full' },
    raw: '{"code":500,"message":"full"}',
    event: 'error',
    id: '',
  })
  expect(diagnostics).toEqual([])
})

it('reads an error at the end of its line: a server that fails may write nothing after it', () => {
  const [messages, diagnostics] = read(['data: {"a":1}\n\nerror:{"code":500}\n'])
  expect(messages.map(({ event, raw }) => [event, raw])).toEqual([
    ['message', '{"a":1}'],
    ['error', '{"code":500}'],
  ])
  expect(diagnostics).toEqual([])
})

it.each([1, 7, 1000])(
  'reports a line without a field that is longer than its limit, in pieces of %i',
  (size) => {
    const line = `{"error":"${'x'.repeat(200)}"}\n\n`
    const text = `data: 1\n\n${line}data: 2\n\n`
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    const [messages, diagnostics] = read(pieces, 100)
    expect(messages.map(({ value }) => value)).toEqual([1, 2])
    expect(diagnostics.map(({ code }) => code)).toEqual(['too-large'])
  },
)

describe('reports', () => {
  it.each<[data: string, code: string, detail: unknown]>([
    ['{"a":', 'invalid-json', { data: '{"a":' }],
    ['', 'invalid-json', { data: '' }],
    ['x'.repeat(100), 'invalid-json', { data: 'x'.repeat(64) }],
  ])('%j as %s, and goes on', (data, code, detail) => {
    const [messages, diagnostics] = read([`data: 1\n\ndata: ${data}\n\ndata: 2\n\n`])
    expect(messages.map(({ value }) => value)).toEqual([1, 2])
    expect(diagnostics.map((one) => [one.code, one.detail])).toEqual([[code, detail]])
  })

  it.each<[body: string, codes: readonly string[], values?: readonly unknown[]]>([
    ['<!doctype html>\n<title>502</title>\n', ['no-message']],
    ['<html>', ['no-message']],
    ['Bad Gateway', ['no-message']],
    ['', ['no-message']],
    ['\n \n', ['no-message']],
    [': ping\n\nretry: 1\n\n', ['no-message']],
    ['data: [DONE]\n\n', ['no-message']],
    ['[]', ['no-message']],
    ['data: {"a":1', ['incomplete-message']],
    ['{"a":1', ['incomplete-message']],
    ['{"a":1}\n{"a":', ['incomplete-message'], [{ a: 1 }]],
    ['[{"a":1}', ['incomplete-message'], [{ a: 1 }]],
    ['{"a":\n{"b":1}\n{"c":2}\n', ['invalid-json'], [{ b: 1 }, { c: 2 }]],
    ['{"a":"half\n{"b":1}\n', ['invalid-json'], [{ b: 1 }]],
    ['{"a":oops}\n{"b":1}\n', ['invalid-json'], [{ b: 1 }]],
    ['{"a":1}\noops\n{"b":1}\n', ['invalid-json'], [{ a: 1 }, { b: 1 }]],
    ['{"a":1}\noops', ['invalid-json'], [{ a: 1 }]],
    ['{"a":1}\noops\n{x}\noops\n{"b":1}\noops\noops', ['invalid-json', 'invalid-json'], [{ a: 1 }, { b: 1 }]],
    ['data: 1\n\ndata: x\n\ndata: [DONE]\n\ndata: y\n\ndata: 2\n\n', ['invalid-json'], [1, 2]],
    ['data: 1\n\n{"error":"full"}\n', [], [1, { error: 'full' }]],
    ['data: 1\n\n{"error":"full"}', [], [1, { error: 'full' }]],
    ['data: 1\n\n{"error":"fu', ['invalid-json'], [1]],
    ['[{"a":"a\nb"},{"b":1}]', ['invalid-json'], [{ b: 1 }]],
  ])('%j once', (body, codes, values = []) => {
    for (const chunks of [[body], [...body]]) {
      const [messages, diagnostics] = read(chunks)
      expect(messages.map(({ value }) => value)).toEqual(values)
      expect(diagnostics.map(({ code }) => code)).toEqual(codes)
    }
  })

  it('what came instead of messages', () => {
    const [, [html]] = read(['\n<!doctype html>'])
    expect(html).toMatchObject({
      message: 'Expected a message of SSE or a value of JSON, got HTML or XML.',
      detail: { data: '<!doctype html>' },
    })
  })

  it('no [DONE] after messages', () => {
    expect(read(['data: 1\n\ndata:  [DONE]\n\n'])[1]).toEqual([])
  })

  it('a value of JSON over the limit', () => {
    const [messages, diagnostics] = read(['{"a":"long enough"}\n{"b":1}\n', '{"c":"long', ' enough"}'], 12)
    expect(messages.map(({ value }) => value)).toEqual([{ b: 1 }])
    expect(diagnostics.map(({ code }) => code)).toEqual(['too-large', 'too-large'])
  })

  it('a message over the limit, and one that the end cuts off', () => {
    const [messages, diagnostics] = read(['data: "long enough"\n\ndata: 1\n\ndata: 2'], 12)
    expect(messages.map(({ value }) => value)).toEqual([1])
    expect(diagnostics.map(({ code }) => code)).toEqual(['too-large', 'incomplete-message'])
  })
})

it('states what to reconnect with', () => {
  const { push, state } = run(jsonDecoder())
  expect(state.lastEventId).toBe('')
  const decoder = run(jsonDecoder())
  decoder.push('id: 7\nretry: 20\ndata: null\n\n')
  expect([decoder.state.lastEventId, decoder.state.retry]).toEqual(['7', 20])
  expect(push('data: null\n\n')).toEqual([{ value: null, raw: 'null', event: 'message', id: '' }])
})

const jsonText = fc
  .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', '\n', ' ', '1', '{"a":1}', 'é'))
  .map((parts) => parts.join(''))

it('keeps its state as JSON', () => {
  expectMachineLaw(jsonDecoder({ maxMessageSize: 20 }), streamText)
  expectMachineLaw(jsonDecoder({ maxMessageSize: 20 }), jsonText)
})
