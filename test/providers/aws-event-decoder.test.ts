// Proves that awsEventDecoder gives the chunks of Bedrock wherever the bytes are cut, and reports those that were changed.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Diagnostic, pipe, run } from 'turnstream'
import { anthropicMessages, awsEventDecoder, bedrockConverse, modelTurn } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import { crc32 } from '../../src/encoding/aws-message.ts'
import { cutBytes, cuts } from '../sse/streams.ts'
import { expectMachineLaw } from '../support/law.ts'
import { readRecording } from '../support/recordings.ts'
import { runs } from '../support/runs.ts'

const recorded = Uint8Array.from(readRecording('bedrock.eventstream'))
const decoded = readFileSync('test/fixtures/recordings/bedrock.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

function read(chunks: readonly Uint8Array[]): [values: unknown[], codes: string[]] {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(awsEventDecoder(), { onDiagnostic: (one) => diagnostics.push(one) })
  return [[...chunks.flatMap((chunk) => [...push(chunk)]), ...end()], diagnostics.map(({ code }) => code)]
}

/** A message with headers that are text, and one of each other type. */
function message(headers: Readonly<Record<string, string>>, payload: string): Uint8Array {
  const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)]
  const uint32 = (value: number): number[] => [
    value >>> 24,
    (value >>> 16) & 255,
    (value >>> 8) & 255,
    value & 255,
  ]
  const named = (name: string): number[] => [name.length, ...utf8(name)]
  const others = [0, 0, 1, 2, 4, 8].flatMap((size, type) => [
    ...named(`t${type}`),
    type,
    ...new Array(size).fill(0),
  ])
  const texts = Object.entries(headers).flatMap(([name, value]) => [
    ...named(name),
    7,
    0,
    value.length,
    ...utf8(value),
  ])
  const body = [
    ...others,
    ...named('bytes'),
    6,
    0,
    2,
    1,
    2,
    ...named('at'),
    8,
    ...new Array(8).fill(0),
    ...texts,
  ]
  const length = 16 + body.length + utf8(payload).length
  const prelude = [...uint32(length), ...uint32(body.length)]
  const start = [...prelude, ...uint32(crc32(Uint8Array.from(prelude))), ...body, ...utf8(payload)]
  return Uint8Array.from([...start, ...uint32(crc32(Uint8Array.from(start)))])
}

it('gives the chunks wherever the bytes are cut', () => {
  fc.assert(
    fc.property(cuts, (at) => {
      expect(read(cutBytes(recorded, at))).toEqual([decoded, []])
    }),
    { numRuns: runs(50) },
  )
})

it('reads a body for bedrockConverse', () => {
  const runner = run(pipe(awsEventDecoder(), bedrockConverse({ model: 'm' })))
  const drafts = [...runner.push(recorded), ...runner.end()]
  expect(drafts.at(-1)).toMatchObject({ kind: 'content-complete', content: 'High water is at 14:20.' })
})

it('reads the chunks of the model in those of InvokeModelWithResponseStream', () => {
  const chunks = [
    { type: 'message_start', message: { id: 'm', model: 'claude' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ]
  const body = chunks.map((chunk) => {
    const payload = JSON.stringify({ bytes: Buffer.from(JSON.stringify(chunk)).toString('base64'), p: 'abc' })
    return message({ ':event-type': 'chunk', ':message-type': 'event' }, payload)
  })
  expect(read(body)).toEqual([chunks, []])
  const runner = run(pipe(awsEventDecoder(), anthropicMessages()))
  for (const bytes of body) runner.push(bytes)
  expect(modelTurn(runner.state[1])).toMatchObject({ text: 'Hi', finishReason: 'end_turn' })
})

it('gives exceptions by their type, and errors that have none by their code', () => {
  expect(
    read([
      message({ ':exception-type': 'throttlingException' }, '{"message":"slow"}'),
      message({ ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'x' }, ''),
    ]),
  ).toEqual([
    [{ throttlingException: { message: 'slow' } }, { error: { code: 'InternalFailure', message: 'x' } }],
    [],
  ])
})

describe('reports', () => {
  it('bytes that were changed, whichever', () => {
    fc.assert(
      fc.property(fc.nat(recorded.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Uint8Array.from(recorded)
        changed[at] = (changed[at] ?? 0) ^ change
        const [values, codes] = read([changed])
        expect(codes.length).toBe(1)
        for (const value of values) expect(decoded).toContainEqual(value)
      }),
      { numRuns: runs(200) },
    )
  })

  it.each<[what: string, bytes: Uint8Array, codes: readonly string[]]>([
    ['a stream that breaks off', recorded.subarray(0, -5), ['incomplete-message']],
    ['text', new TextEncoder().encode('data: {"a":1}\n\n'), ['invalid-message']],
    ['a message without a type', message({}, '{}'), ['invalid-message']],
    ['a payload that is no JSON', message({ ':event-type': 'a' }, 'x'), ['invalid-message']],
  ])('%s', (_, bytes, codes) => {
    expect(read([bytes, ...(codes[0] === 'incomplete-message' ? [] : [bytes])])[1]).toEqual(
      codes[0] === 'invalid-message' && bytes[0] === 0 ? [...codes, ...codes] : codes,
    )
  })
})

it('cuts a response off whose bytes were changed, so that no call starts without a part of its arguments', () => {
  const chunk = (type: string, value: object): Uint8Array =>
    message({ ':event-type': type }, JSON.stringify(value))
  const input = (text: string): Uint8Array =>
    chunk('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: text } } })
  const body = [
    chunk('messageStart', { role: 'assistant' }),
    chunk('contentBlockStart', {
      contentBlockIndex: 0,
      start: { toolUse: { toolUseId: 'c1', name: 'pay' } },
    }),
    input('{"amount":100'),
    input(',"dryRun":true'),
    input('}'),
    chunk('contentBlockStop', { contentBlockIndex: 0 }),
    chunk('messageStop', { stopReason: 'tool_use' }),
  ]
  const changed = body[3]?.slice() ?? new Uint8Array()
  changed[changed.length - 6] = 0
  const readBody = (
    bytes: readonly Uint8Array[],
  ): [starts: unknown[], codes: string[], statuses: string[]] => {
    const codes: string[] = []
    const runner = run(pipe(awsEventDecoder(), bedrockConverse({ model: 'm', calls: 'start' })), {
      onDiagnostic: ({ code }) => codes.push(code),
    })
    const drafts = [...bytes.flatMap((one) => [...runner.push(one)]), ...runner.end()]
    const starts = drafts.flatMap((draft) => (draft.kind === 'tool-start' ? [draft.arguments] : []))
    return [starts, codes, modelTurn(runner.state[1]).calls.map(({ status }) => status)]
  }
  expect(readBody(body)).toEqual([[{ amount: 100, dryRun: true }], [], ['complete']])
  const [starts, codes, statuses] = readBody(body.with(3, changed))
  expect(starts).toEqual([])
  expect(codes).toEqual(['invalid-checksum', 'ended-early', 'arguments-incomplete'])
  expect(statuses).not.toContain('complete')
})

it('keeps its state as JSON', () => {
  const bytes = fc
    .nat(recorded.length - 1)
    .chain((from) => fc.nat(recorded.length).map((to) => recorded.slice(from, to)))
  expectMachineLaw(awsEventDecoder(), fc.oneof(bytes, fc.constant(recorded)))
})

it.each([
  ['<html><body>502</body></html>', 'HTML or XML'],
  ['{"message":"The token is invalid."}', 'JSON'],
])('names %s, once', (body, name) => {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(awsEventDecoder(), { onDiagnostic: (one) => diagnostics.push(one) })
  for (const byte of new TextEncoder().encode(body)) push(Uint8Array.of(byte))
  end()
  expect(diagnostics).toMatchObject([
    { code: 'invalid-message', message: expect.stringContaining(`got ${name};`) },
  ])
})
