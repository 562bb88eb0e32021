// Proves that the code in docs/openai.md behaves as the page describes.
import OpenAI from 'openai'
import { taskEvents } from 'turnstream'
import { expect, it } from 'vitest'
import { answer } from '../../examples/docs/openai.ts'

const client = (respond: () => Response): OpenAI =>
  new OpenAI({ apiKey: 'none', maxRetries: 0, baseURL: 'http://agent.test/v1', fetch: async () => respond() })

it('a client of OpenAI shows the agent', async () => {
  const codes: string[] = []
  async function* drafts() {
    const usage = [{ inputTokens: 3, outputTokens: 2 }]
    yield { kind: 'content-delta', delta: 'High ', index: 0 } as const
    yield { kind: 'content-complete', content: 'High water', metadata: { usage } } as const
  }
  const events = taskEvents(drafts, {
    ...{ contextId: 'c', taskId: 't' },
    onError(error) {
      throw error
    },
  })
  const { chat } = client(() => answer(events, true, ({ code }) => codes.push(code)))
  const completion = await chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion()
  expect(completion).toMatchObject({
    id: 'chatcmpl-t',
    model: 'harbour-agent',
    choices: [{ message: { content: 'High water' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  })
  expect(codes).toEqual(['dropped:task-status'])
})
