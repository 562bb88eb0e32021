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
      expect(diagnostics).toEqual([])
    }),
  )
})

describe('reports', () => {
  it.each<[data: string, code: string, detail: unknown]>([
    ['[DONE]', 'done', undefined],
    [' [DONE]', 'done', undefined],
    ['{"a":', 'invalid-json', { data: '{"a":' }],
    ['', 'invalid-json', { data: '' }],
    ['x'.repeat(100), 'invalid-json', { data: 'x'.repeat(64) }],
  ])('%j as %s, and goes on', (data, code, detail) => {
    const [messages, diagnostics] = read([`data: 1\n\ndata: ${data}\n\ndata: 2\n\n`])
    expect(messages.map(({ value }) => value)).toEqual([1, 2])
    expect(diagnostics.map((one) => [one.code, one.detail])).toEqual([[code, detail]])
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

it('keeps its state as JSON', () => {
  expectMachineLaw(jsonDecoder({ maxMessageSize: 20 }), streamText)
})
