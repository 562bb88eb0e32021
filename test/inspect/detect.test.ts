// Proves that the dialect of a recording is recognized: of each protocol, of what our own writers produce, of few values.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encoderOf, type Target, targets, writerOf } from '../../src/cli/convert/writers.ts'
import {
  type Detection,
  detectDialect,
  dialects,
  isValue,
  type RecordedValue,
  recordingReader,
} from '../../src/inspect/index.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { readRecording, recordings } from '../support/recordings.ts'
import { runs } from '../support/runs.ts'

function valuesOf(recording: Uint8Array | string): RecordedValue[] {
  const reader = recordingReader()
  return [...reader.push(recording), ...reader.end()].filter(isValue)
}

const detected = (...values: readonly unknown[]): Detection =>
  detectDialect(values.map((value) => ({ value })))

it.each(Object.entries(recordings))('%s is %s', (file, dialect) => {
  expect(detectDialect(valuesOf(readRecording(file)))).toEqual({ dialect, isCertain: true })
})

it('there is a recording of each dialect', () => {
  expect(new Set(Object.values(recordings))).toEqual(new Set(dialects))
})

describe('what our own writers produce', () => {
  it.each(targets)('as %s', async (target) => {
    await fc.assert(
      fc.asyncProperty(legalStreams({ maxChoices: 20 }), fc.boolean(), async (events, isSse) => {
        const encode = encoderOf(target, isSse)
        for (const version of versionsOf[target] ?? [undefined]) {
          let ids = 0
          const writer = await writerOf(target, {
            viewer: { audience: 'operator', subtasks: 'all' },
            extension: false,
            newId: () => `id-${++ids}`,
            ...(version !== undefined && { version }),
          })
          const steps = [...events.map((event) => writer.push(event)), writer.end()]
          const text = steps.flatMap(({ out }) => out.map(encode.value)).join('')
          if (text !== '') expect(detectDialect(valuesOf(text + encode.end)).dialect).toBe(target)
        }
      }),
      { numRuns: runs(60) },
    )
  })
})

const versionsOf: Readonly<Partial<Record<Target, readonly string[]>>> = {
  a2a: ['1.0', '0.3'],
  frames: ['v1', 'v2'],
}

describe('values that several dialects have', () => {
  it.each<[name: string, values: readonly unknown[], dialect: string | undefined]>([
    ['an error of agents', [{ type: 'error', error: 'x' }], 'agent-event'],
    ['an error of the AI SDK', [{ type: 'error', errorText: 'x' }], 'ai-sdk'],
    [
      'an error of Anthropic',
      [{ type: 'error', error: { type: 'overloaded_error', message: 'x' } }],
      'anthropic',
    ],
    [
      'an error of Responses',
      [{ type: 'error', code: 'x', message: 'y', param: null, sequence_number: 3 }],
      'openai-responses',
    ],
    ['only the start of a message', [{ type: 'start' }], 'ai-sdk'],
    ['a ping before the message', [{ type: 'ping' }, { type: 'message_start', message: {} }], 'anthropic'],
    ['only a ping', [{ type: 'ping' }], 'anthropic'],
    ['a chat chunk with vendor fields', [{ id: 'x', x_groq: { id: 'y' }, choices: [] }], 'openai-chat'],
    ['a chat chunk without an object', [{ choices: [], prompt_filter_results: [] }], 'openai-chat'],
    ['a custom chunk of the AI SDK', [{ type: 'start' }, { type: 'custom', kind: 'a.b' }], 'ai-sdk'],
    ['a custom event', [{ kind: 'custom', name: 'a.b', data: 1, timestamp: 'x' }], 'core'],
    ['a message of A2A 0.3', [{ kind: 'message', role: 'agent', parts: [], messageId: 'm' }], 'a2a'],
    ['a response of JSON-RPC', [{ jsonrpc: '2.0', id: 1, result: { statusUpdate: { taskId: 't' } } }], 'a2a'],
    ['a response of another protocol', [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }], undefined],
    [
      'a frame',
      [{ id: 'e', session_id: 's', seq: 0, timestamp_ms: 1, type: 'session_started', input: '' }],
      'frames',
    ],
    ['an event of an unknown type', [{ type: 'x' }], undefined],
    ['no objects', [1, null, 'x', [{}]], undefined],
  ])('%s', (_, values, dialect) => {
    expect(detected(...values).dialect).toBe(dialect)
  })

  it('the runner-up of a mixture is named', () => {
    expect(detected({ type: 'start' }, { type: 'message_stop' })).toEqual({
      dialect: 'anthropic',
      runnerUp: 'ai-sdk',
      isCertain: false,
    })
  })

  it('only the first 20 objects are looked at', () => {
    const values = [...Array(20).fill({ type: 'start' }), ...Array(100).fill({ type: 'message_stop' })]
    expect(detected(...values)).toEqual({ dialect: 'ai-sdk', isCertain: true })
  })
})
