// What the end of a response states and no event has is reported once, with its value.

import { anthropicMessages, openaiChat } from 'turnstream/providers'
import { expect, it } from 'vitest'
import { type Provider, readStream } from '../support/providers/agent-loop.ts'

const refusal = { type: 'refusal', category: 'cyber', explanation: 'No.' }
const container = { id: 'container-1', expires_at: '2026-01-01T00:00:00Z' }

it.each<[string, Provider, object, [string, unknown][]]>([
  [
    'Messages',
    anthropicMessages(),
    { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: refusal, container } },
    [
      ['lossy:stop_details', refusal],
      ['lossy:container', container],
    ],
  ],
  [
    'OpenRouter',
    openaiChat(),
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.25 } },
    [['lossy:cost', 0.25]],
  ],
])('%s', (_, machine, chunk, expected) => {
  const { diagnostics } = readStream(machine, [chunk, chunk])
  const lossy = diagnostics.filter(({ code }) => code.startsWith('lossy:'))
  expect(lossy.map(({ code, detail }) => [code, detail])).toEqual(expected)
})
