// Proves that a response goes on when its client is slower than the log keeps: nothing of the answer is lost or doubled.
import { a2a } from 'turnstream/a2a'
import { agUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { chatCompletions } from 'turnstream/openai'
import { type Agent, memoryStore } from 'turnstream/server'
import { expect, it } from 'vitest'
import { eventually, handled, root } from '../../support/protocols.ts'

const protocols = {
  chat: aiSdk(),
  'ag-ui': agUi(),
  a2a: a2a({ card: {} }),
  'v1/chat/completions': chatCompletions(),
}
const words = Array.from({ length: 500 }, (_, i) => `w${i}.`)
const text = words.join('')
const message = { messageId: 'm', contextId: 'trip', parts: [{ text: 'Go' }] }

/** Writes far more than the log keeps. */
async function* answer() {
  for (const [i, word] of words.entries()) {
    if (i % 200 === 100) {
      const named = { toolCallId: `call-${i}`, toolName: 'look' }
      yield { kind: 'tool-start', ...named, arguments: { i } } as const
      yield { kind: 'tool-complete', ...named, success: true, result: i } as const
    }
    yield { kind: 'content-delta', delta: word } as const
  }
  yield { kind: 'content-complete', content: text } as const
}

it.each([
  ['/chat', { id: 'trip', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Go' }] }] }],
  ['/ag-ui', { threadId: 'trip', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Go' }] }],
  [
    '/v1/chat/completions',
    { stream: true, metadata: { conversation: 'trip' }, messages: [{ role: 'user', content: 'Go' }] },
  ],
  ['/a2a', { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }],
])('%s', async (path, body) => {
  const store = memoryStore({ limits: { maxEvents: 50 } })
  let isDone = false
  const agent: Agent = async function* () {
    yield* answer()
    isDone = true
  }
  const { fetchAs, errors } = handled({ agent, protocols, store })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetchAs('ann')(`${root}${path}`, init)
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let read = decoder.decode((await reader?.read())?.value)
  await eventually(() => expect([isDone, errors]).toEqual([true, []]))
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done) break
    read += decoder.decode(value, { stream: true })
  }
  // Each word once, in order, whatever is between them.
  expect([...read.matchAll(/w\d+\./g)].join('')).toContain(text)
  const calls = [...read.matchAll(/"(?:toolCallId|id)":"(call-\d+)"/g)].map(([, id]) => id)
  if (path !== '/a2a') expect([...new Set(calls)]).toEqual(['call-100', 'call-300'])
  expect(errors).toEqual([])
  await store.close()
})
