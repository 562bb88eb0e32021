/** Asks the servers, as the clients of their protocols do, and records what is sent. */

import { randomUUID } from 'node:crypto'
import { AgUiPage } from '../../dialects/peers/ag-ui-page.ts'
import { ChatPage } from '../../dialects/peers/chat-page.ts'
import type { Recording, Turn } from '../../dialects/peers/recording.ts'
import { type Case, type Move, nameOf } from './cases.ts'

const parameters = { type: 'object', properties: {} }

/** Records a conversation over AG-UI. */
export async function recordAgUi(url: string, { moves, tools = [], cut, ...rest }: Case): Promise<Recording> {
  const name = nameOf({ moves, cut, ...rest } as Case)
  const turns: Turn[] = []
  const threadId = randomUUID()
  const page = new AgUiPage(threadId, async (request) => {
    const items = await post(url, request, {}, cut)
    turns.push({ request, items: items.map(small) })
    return sse(items)
  })
  const { client } = page
  for (const [i, move] of moves.entries()) {
    const interrupts = client.pendingInterrupts
    const more: Record<string, unknown> = {}
    if ('prompt' in move) client.addMessage({ id: `u${i}`, role: 'user', content: move.prompt })
    else if ('results' in move) {
      for (const message of client.messages)
        if (message.role === 'assistant')
          for (const { id } of message.toolCalls ?? [])
            if (!client.messages.some((each) => each.role === 'tool' && each.toolCallId === id)) {
              const content = JSON.stringify(move.results)
              client.addMessage({ id: `result of ${id}`, role: 'tool', toolCallId: id, content })
            }
    } else if (interrupts.length > 0) {
      more.resume = interrupts.map(({ id: interruptId }) =>
        'answer' in move
          ? { interruptId, status: 'resolved', payload: move.answer }
          : { interruptId, status: 'cancelled' },
      )
    } else if ('answer' in move) more.forwardedProps = { command: { resume: move.answer } }
    const declared = tools.map((tool) => ({ name: tool, description: '', parameters }))
    await page.run({ runId: `r${i}`, tools: declared, ...more })
  }
  return { name, turns }
}

/** Records a conversation over the AI SDK. */
export async function recordChat(url: string, each: Case): Promise<Recording> {
  const turns: Turn[] = []
  const { moves } = each
  const name = nameOf(each)
  const page = new ChatPage(name, async (request: object): Promise<readonly object[]> => {
    const items = await post(url, request)
    turns.push({ request: JSON.parse(JSON.stringify(request)) as object, items })
    return items
  })
  for (const [i, move] of moves.entries()) {
    if ('prompt' in move)
      page.messages.push({ id: `u${i}`, role: 'user', parts: [{ type: 'text', text: move.prompt }] })
    else page.answer(changeOf(move))
    await page.run()
  }
  return { name, turns }
}

function changeOf(move: Exclude<Move, { prompt: string }>): object {
  if ('results' in move) return { state: 'output-available', output: move.results }
  return { state: 'approval-responded', approval: { approved: 'answer' in move } }
}

const sse = (items: readonly object[]): Response =>
  new Response(items.map((item) => `data: ${JSON.stringify(item)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

/** Posts a request. Returns the messages of the response, up to so many. */
export async function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  cut: number = Number.POSITIVE_INFINITY,
): Promise<object[]> {
  const response = await fetch(url, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
  })
  if (!response.ok || response.body === null)
    throw new Error(`Expected a stream of ${url}, got ${response.status}: ${await response.text()}`)
  const items: object[] = []
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const data = line.replace(/^data: ?/, '')
      if (data === line || data === '[DONE]') continue
      items.push(JSON.parse(data) as object)
      if (items.length >= cut) return items
    }
  }
  return items
}

/** An event without the copies of other systems' events, which readers ignore. */
function small(item: object): object {
  const { type, name, rawEvent: _, ...event } = item as { type: string; name?: string; rawEvent?: object }
  if (type === 'RAW') return { type, event: {} }
  return name === 'on_interrupt' ? item : { type, ...(name !== undefined && { name }), ...event }
}

/** What a client of A2A does after the first response: it answers the call that waits, or comes back after a connection that has ended. */
export type A2aMove = 'answer' | 'reconnect'

/** Records a task over A2A, and the task as the agent returns it at its end. */
export async function recordA2a(
  url: string,
  mode: string,
  extension?: string,
  move?: A2aMove,
): Promise<Recording> {
  const headers = { 'A2A-Version': '1.0', ...(extension !== undefined && { 'A2A-Extensions': extension }) }
  const call = (method: string, params: object): object => ({ jsonrpc: '2.0', id: '1', method, params })
  const send = (parts: readonly object[], ids: object = {}): object =>
    call('SendStreamingMessage', { message: { messageId: randomUUID(), role: 'ROLE_USER', parts, ...ids } })
  const turns: Turn[] = []
  const ask = async (request: object, cut?: number): Promise<string> => {
    const items = await post(url, request, headers, cut)
    turns.push({ request, items })
    return JSON.stringify(items)
  }
  // The first items are the task, its first state and a piece of its text.
  const first = await ask(send([{ text: 'What is the weather?' }]), move === 'reconnect' ? 3 : undefined)
  const [, id = ''] = /"taskId":"([^"]*)"/.exec(first) ?? []
  if (move === 'reconnect') await ask(call('SubscribeToTask', { id }))
  if (move === 'answer') {
    const [, contextId] = /"contextId":"([^"]*)"/.exec(first) ?? []
    const [called = ''] = first.match(/\{[^{}]*"args":\{[^{}]*\}[^{}]*\}/) ?? []
    const { id: of, name } = JSON.parse(called) as { id: string; name: string }
    const data = { id: of, name, response: { approved: true } }
    await ask(send([{ data, metadata: { adk_type: 'function_response' } }], { taskId: id, contextId }))
  }
  const sent = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(call('GetTask', { id })),
    headers: { ...headers, 'content-type': 'application/json' },
  })
  const { result } = (await sent.json()) as { result?: object }
  const name = [
    mode,
    ...(move === undefined ? [] : [move]),
    ...(extension === undefined ? [] : ['extension']),
  ].join(', ')
  return { name, turns, ...(result !== undefined && { task: result }) }
}
