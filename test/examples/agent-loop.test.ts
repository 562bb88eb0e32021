// Proves that the agents of examples/agent-loop run a tool and answer. The SDKs are the real ones, pointed at a server on this
// computer.
import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { createCommand } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent } from 'turnstream/server'
import { encodeMessage } from 'turnstream/sse'
import { afterEach, expect, it } from 'vitest'
import { chatAgent, geminiAgent, messagesAgent, responsesAgent } from '../../examples/agent-loop/agents.ts'
import { chat, type FakeProvider, gemini, messages, responses } from '../agents/models.ts'
import { anyone } from '../support/anyone.ts'
import { type ModelServer, modelServer } from '../support/providers/model-server.ts'

const clients: readonly [string, FakeProvider, (baseURL: string) => Agent][] = [
  ['chatAgent', chat, (baseURL) => chatAgent(new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 }), 'm')],
  [
    'responsesAgent',
    responses,
    (baseURL) => responsesAgent(new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 }), 'm'),
  ],
  [
    'messagesAgent',
    messages,
    (baseURL) => messagesAgent(new Anthropic({ apiKey: 'none', baseURL, maxRetries: 0 }), 'm'),
  ],
  [
    'geminiAgent',
    gemini,
    (baseUrl) => geminiAgent(new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } }), 'm'),
  ],
]

let server: ModelServer | undefined
afterEach(() => server?.close())

it.each(clients)('%s runs its tool and answers', async (name, provider, agentOf) => {
  const bodyOf = (chunks: readonly unknown[]): string =>
    chunks
      .map((chunk) => {
        const { type } = chunk as { type?: string }
        return encodeMessage({ data: JSON.stringify(chunk), ...(type !== undefined && { event: type }) })
      })
      .join('') + (name === 'chatAgent' ? encodeMessage({ data: '[DONE]' }) : '')
  const calls = [{ id: 'call-1', name: 'weather', arguments: '{"city":"Brest"}' }]
  server = await modelServer([
    { body: bodyOf(provider.chunks({ thought: 'Ask.', calls }, 1)) },
    { body: bodyOf(provider.chunks({ text: 'Mild.' }, 2)) },
  ])
  const agent = agentOf(server.url)
  const store = memoryStore(anyone)
  const errors: unknown[] = []
  let finish = (): void => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const stream = await store.open('s', {
    onInput: (stream, input) => runAgent(stream, input, agent, (error) => errors.push(error)).then(finish),
  })
  await stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input: 'How is it in Brest?' }), {
    role: 'user',
    id: 'ann',
  })
  await done
  const [task] = (await stream.view()).tasks
  expect(errors).toEqual([])
  expect(task).toMatchObject({ status: 'completed' })
  // The end of a response without a text is an empty one.
  const shown = task?.parts.filter(
    (part) => part.type === 'tool' || (part.type === 'text' && part.text !== ''),
  )
  expect(shown).toMatchObject([
    { type: 'tool', status: 'succeeded', result: { city: 'Brest', celsius: 21 } },
    { type: 'text', text: 'Mild.' },
  ])
  expect(server.requests).toHaveLength(2)
  expect(JSON.stringify(server.requests[1])).toContain('celsius')
  await store.close()
})

it('takes at most ten lines an agent', () => {
  const source = readFileSync('examples/agent-loop/agents.ts', 'utf8')
  const agents = source.split('export function ').slice(1)
  expect(agents).toHaveLength(4)
  for (const agent of agents) expect(agent.trim().split('\n').length).toBeLessThanOrEqual(10)
})
