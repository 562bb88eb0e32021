// What a provider states about a response and no event has is in the turn, as the provider wrote it.

import { anthropicMessages, bedrockConverse, geminiContent, openaiChat } from 'turnstream/providers'
import { expect, it } from 'vitest'
import { type Provider, readStream } from '../support/providers/agent-loop.ts'

const refusal = { type: 'refusal', category: 'cyber' }
const container = { id: 'container-1', expires_at: '2026-01-01T00:00:00Z' }
const grounding = { webSearchQueries: ['tide'], searchEntryPoint: { renderedContent: '<div>tide</div>' } }

it.each<[string, Provider, object, object]>([
  [
    'Messages',
    anthropicMessages(),
    { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: refusal, container }, usage: {} },
    { stop_details: refusal, container },
  ],
  [
    'OpenRouter',
    openaiChat(),
    {
      choices: [],
      usage: {
        ...{ prompt_tokens: 1, completion_tokens: 1, cost: 0.25, queue_time: 0, notes: [], currency: '' },
        prompt_tokens_details: { cached_tokens: 1, audio_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    },
    { usage: { cost: 0.25, prompt_tokens_details: { audio_tokens: 2 } } },
  ],
  [
    'Azure',
    openaiChat(),
    { choices: [{ index: 0, delta: {}, content_filter_results: { hate: { severity: 'safe' } } }] },
    { content_filter_results: { hate: { severity: 'safe' } } },
  ],
  [
    'Gemini',
    geminiContent(),
    { candidates: [{ index: 0, content: { parts: [{ text: 'a' }] }, groundingMetadata: grounding }] },
    { groundingMetadata: grounding },
  ],
  [
    'Bedrock',
    bedrockConverse(),
    { metadata: { usage: { inputTokens: 1 }, metrics: { latencyMs: 5 } } },
    { metrics: { latencyMs: 5 } },
  ],
])('%s', (_, machine, chunk, details) => {
  const { diagnostics, turn } = readStream(machine, [chunk, chunk])
  expect(turn.details).toEqual(details)
  expect(diagnostics.filter(({ code }) => /lossy|unknown/.test(code))).toEqual([])
})

it('shows the search suggestions of Gemini with the text', () => {
  const candidate = {
    content: { parts: [{ text: 'a' }] },
    finishReason: 'STOP',
    groundingMetadata: grounding,
  }
  expect(readStream(geminiContent(), [{ candidates: [candidate] }]).drafts.at(-1)).toMatchObject({
    kind: 'content-complete',
    metadata: { 'google.searchEntryPoint': '<div>tide</div>' },
  })
})

it('reads the error of MiniMax, and the reasoning of Copilot with what it wants back', () => {
  const failed = readStream(openaiChat(), [
    { choices: null, base_resp: { status_code: 1008, status_msg: 'x' } },
  ])
  expect(failed.drafts.at(-1)).toMatchObject({ error: { code: 'budget_exhausted' } })
  const { turn } = readStream(openaiChat(), [
    { choices: [{ index: 0, delta: { reasoning_text: 'Hm.' } }] },
    { choices: [{ index: 0, delta: { reasoning_opaque: 's' } }] },
    { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] },
  ])
  expect(turn.thoughts).toEqual([{ text: 'Hm.', signature: 's' }])
})

it('sends audio back by its id', () => {
  const audio = { id: 'audio_1', transcript: 'Hi' }
  const { turn } = readStream(openaiChat(), [
    { choices: [{ index: 0, delta: { audio }, finish_reason: 'stop' }] },
  ])
  expect(turn.content).toEqual([{ role: 'assistant', content: 'Hi', audio: { id: 'audio_1' } }])
})
