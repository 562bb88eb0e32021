/** Proves that the demo loses nothing between model server and client, wherever bytes are cut. */

import fc from 'fast-check'
import { createEmitter, type DecodedMessage, run } from 'turnstream'
import { openaiChat } from 'turnstream/providers'
import { verifier } from 'turnstream/streams'
import { thoughtEvents } from 'turnstream/thoughts'
import { describe, expect, test } from 'vitest'
import { readerOf, readers } from '../../examples/readers.ts'
import { readRecording, recordingOf } from '../../examples/recording.ts'
import { type Replay, type ReplayOptions, replay, shown } from '../../examples/replay.ts'
import { runs } from '../support/runs.ts'

const recording = readRecording(new URL('../../examples/recordings/chat.sse', import.meta.url))

function replayed(options: Partial<ReplayOptions> = {}, bytes: Uint8Array = recording): Promise<Replay> {
  let ids = 0
  const emitter = createEmitter({
    contextId: 'ctx-1',
    taskId: 'task-1',
    now: () => '2025-11-06T10:30:00Z',
    newId: () => `id-${++ids}`,
  })
  const reader = openaiChat({ thoughts: thoughtEvents({ live: true }), calls: 'start' })
  return replay(bytes, { emitter, reader, ...options })
}

const known = (received: readonly DecodedMessage[]) =>
  received.flatMap((decoded) => (decoded.status === 'known' ? [decoded.event] : []))

/** The answer in the recording, assembled by hand. */
const answer = `Bonjour\u00a0! Two answers 🗂️.

**1. Tags.** The model writes its thoughts into the text, between \`<thinking>\` and \`</thinking>\`. \
Take them out while the text streams, and leave code alone:

\`\`\`ts
extractThoughts('<thinking>hm, là-bas…</thinking>Déjà vu')
\`\`\`

**2. Rain in 京都.** Let me look up tomorrow 🌦️ – un instant\u202f🙏🏽`

describe('the recording', () => {
  test('has many small deltas, with tags and characters cut, as a model server sends them', () => {
    const text = new TextDecoder().decode(recording)
    const deltas = Array.from(text.matchAll(/"content":"(.*?)"\},"logprobs"/g), ([, delta]) => delta ?? '')
    expect(deltas.length).toBeGreaterThan(60)
    expect(deltas).toContain('<think')
    expect(deltas.some((delta) => /\\ud83c$/.test(delta))).toBe(true)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
  })

  test('converts to an answer without thoughts', async () => {
    const { received } = await replayed()
    expect(shown(received).answer).toBe(answer)
    expect(known(received).filter(({ kind }) => kind === 'content-complete')).toMatchObject([
      { content: answer, finishReason: 'tool_calls' },
    ])
  })

  test('leaks no tag outside of code', async () => {
    const { received } = await replayed()
    const withoutCode = shown(received).answer.replace(/```.*?```|`[^`]*`/gs, '')
    expect(withoutCode).not.toMatch(/<\/?think/)
  })

  test('converts to two thoughts', async () => {
    const { received } = await replayed()
    expect(shown(received).thoughts).toMatchObject([
      {
        thoughtType: 'planning',
        metadata: { confidence: 0.8 },
        index: 0,
        content:
          'Two questions. The tags I can explain at once; for the rain in Kyōto (京都) I need the forecast tool.',
      },
      {
        thoughtType: 'reasoning',
        index: 1,
        content: '“Tomorrow” means tomorrow over there: UTC+9, so the date may differ from the user’s.',
      },
    ])
  })

  test('converts to a tool call, first streamed, then complete', async () => {
    const { received } = await replayed()
    const events = known(received)
    const json = events.map((event) => (event.kind === 'tool-arguments-delta' ? event.delta : '')).join('')
    const args = { city: '京都', country: 'JP', days: 1, units: 'metric', note: '🌂?' }
    expect(JSON.parse(json)).toStrictEqual(args)
    expect(shown(received).tools).toMatchObject([
      { toolCallId: 'call_Qm7xT2vLw9', toolName: 'get_forecast', arguments: args },
    ])
  })

  test('converts to known events with ids from 1', async () => {
    const { received, diagnostics } = await replayed()
    expect(received.map(({ status }) => status)).toStrictEqual(received.map(() => 'known'))
    expect(received.map(({ id }) => id)).toStrictEqual(received.map((_, i) => String(i + 1)))
    expect(diagnostics).toEqual([])
    expect(shown(received).usage).toMatchObject({ inputTokens: 148, outputTokens: 231 })
  })
})

describe.each(Object.keys(readers))('the recording of %s', (provider) => {
  const bytes = readRecording(recordingOf(provider))
  const replayedBy = (options: Partial<ReplayOptions> = {}): Promise<Replay> =>
    replayed({ reader: readerOf(provider, { calls: 'start' }), ...options }, bytes)

  test('converts to a legal task that is complete', async () => {
    const { received } = await replayedBy()
    const { push, end } = run(verifier({ mode: 'strict', external: true }))
    expect([...known(received).flatMap((event) => [...push(event)]), ...end()]).toEqual([])
    expect(received.map(({ status }) => status)).toEqual(received.map(() => 'known'))
    expect(known(received).at(-1)).toMatchObject({ kind: 'task-status', status: 'completed' })
  })

  test('has an answer, thoughts, calls and usage', async () => {
    const { answer, thoughts, tools, usage } = shown((await replayedBy()).received)
    expect(answer).toMatch(/\w{3}/)
    expect(thoughts.length).toBe(1)
    expect(tools.length).toBeGreaterThan(0)
    expect(usage?.inputTokens).toBeGreaterThan(0)
  })

  test('gives the same events wherever it is cut', async () => {
    const whole = await replayedBy()
    for (const size of [1, 2, 7, 64]) {
      expect((await replayedBy({ modelPieces: [size, 3] })).wire).toBe(whole.wire)
    }
  })
})

test('calls at the same time are kept apart, and one that the token limit cuts off does not start', async () => {
  const bytes = readRecording(recordingOf('openai'))
  const { received, diagnostics } = await replayed({}, bytes)
  const date = '2025-11-23'
  expect(shown(received).tools.map(({ toolName, arguments: args }) => [toolName, args])).toEqual([
    ['get_tides', { port: 'Brest', date, unit: 'm' }],
    ['get_tides', { port: 'Saint-Malo', date, unit: 'm' }],
  ])
  const written = known(received).flatMap((event) => {
    return event.kind === 'tool-arguments-delta' ? [event.toolCallId] : []
  })
  expect(written.indexOf('call_tide_StMalo')).toBeLessThan(written.lastIndexOf('call_tide_Brest1'))
  expect(diagnostics.map(({ code }) => code)).toContain('arguments-incomplete')
  expect(known(received)).toContainEqual(
    expect.objectContaining({ kind: 'tool-complete', toolCallId: 'call_wind_3', success: false }),
  )
})

test('a recording that is cut off fails as a task, wherever that is', async () => {
  const bytes = readRecording(recordingOf('openai'))
  for (let length = 0; length < bytes.length - 600; length += 997) {
    const { received } = await replayed({}, bytes.subarray(0, length))
    expect(known(received).at(-1)).toMatchObject({ status: 'failed', error: { retry: 'retryable' } })
  }
})

test('the events do not depend on where the bytes are cut, on either connection', async () => {
  const whole = await replayed({ modelPieces: [recording.length], clientPieces: [1_000_000] })
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5000 })), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(sizes, sizes, async (modelPieces, clientPieces) => {
      expect(await replayed({ modelPieces, clientPieces })).toStrictEqual(whole)
    }),
    { numRuns: runs(40) },
  )
})
