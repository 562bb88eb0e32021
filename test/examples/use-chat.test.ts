// Proves that a page of examples/use-chat shows the whole message, wherever the agent is by the time the page has loaded.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readUIMessageStream, type UIMessage } from 'ai'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { bookingAgent, textAfter, textBefore } from '../../examples/use-chat/agent.ts'
import { Chat } from '../../examples/use-chat/chat.ts'
import { chatServer } from '../../examples/use-chat/server.ts'
import { TurnstreamTransport } from '../../examples/use-chat/transport.ts'

const question = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Book the trip.' }] } as UIMessage
let chat: Chat
let server: Server
let url: string

beforeEach(async () => {
  chat = new Chat(bookingAgent(5))
  server = chatServer(chat, '').listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`
})

afterEach(() => {
  server.close()
  server.closeAllConnections()
})

/** The last message that a stream of chunks leads to. */
async function lastOf(stream: ReadableStream | null): Promise<UIMessage | undefined> {
  if (stream === null) return undefined
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) last = message
  return last
}

const textOf = (message: UIMessage | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''

const stateOf = (message: UIMessage | undefined): string | undefined =>
  message?.parts.find((part) => part.type === 'dynamic-tool')?.state

/** Waits until the last message has a call in a state, and returns it. */
const untilCall = (state: string): Promise<UIMessage> =>
  vi.waitFor(() => {
    const message = chat.load().messages.at(-1) as UIMessage | undefined
    expect(stateOf(message)).toBe(state)
    return message as UIMessage
  })

it('shows a question that came after the page had loaded', async () => {
  await chat.send(question)
  const loaded = chat.load()
  await untilCall('approval-requested')
  const message = await lastOf(await new TurnstreamTransport(url, loaded).reconnectToStream())
  expect([textOf(message), stateOf(message)]).toEqual([textBefore, 'approval-requested'])
})

it('shows what follows an answer that came before the page loaded', async () => {
  await chat.send(question)
  const asked = await untilCall('approval-requested')
  const parts = asked.parts.map((part) =>
    part.type === 'dynamic-tool'
      ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved: true } }
      : part,
  )
  const answer = { ...asked, parts } as UIMessage
  const request = { trigger: 'submit-message', chatId: 'c', messageId: undefined } as const
  const transport = new TurnstreamTransport(url, chat.load())
  const stream = await transport.sendMessages({ ...request, messages: [answer], abortSignal: undefined })
  await vi.waitFor(() => expect(chat.load().taskId).not.toBeNull())
  const reloaded = await lastOf(await new TurnstreamTransport(url, chat.load()).reconnectToStream())
  expect([textOf(reloaded), stateOf(reloaded)]).toEqual([textBefore + textAfter, 'output-available'])
  // The page that answered has the message up to the question.
  let rest = ''
  for await (const chunk of stream) if (chunk.type === 'text-delta') rest += chunk.delta
  expect(rest).toBe(textAfter)
})
