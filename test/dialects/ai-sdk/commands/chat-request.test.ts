// Proves that what the AI SDK posts is read as the commands that it means, and that no body makes it throw.

import { DefaultChatTransport, type UIMessage } from 'ai'
import fc from 'fast-check'
import { run } from 'turnstream'
import { callDigest, decodeCommand } from 'turnstream/commands'
import { describe, expect, it } from 'vitest'
import { commandLedger } from '../../../../src/commands/ledger/ledger.ts'
import { openRequests } from '../../../../src/commands/ledger/read.ts'
import { commandsFromChatRequest } from '../../../../src/dialects/ai-sdk/commands/index.ts'
import { anyone } from '../../../support/anyone.ts'
import { expectSentences } from '../../../support/mapper-laws.ts'
import { runs } from '../../../support/runs.ts'
import { json } from '../../../support/zod-arbitrary.ts'
import { Chat, State } from '../chat.ts'

const options = { now: () => 0, newId: () => 'id' }

/** A chat whose server streams these chunks, and what it requests. */
function client(...chunks: readonly object[]) {
  const requests: { method: string; url: string; body: unknown }[] = []
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = init
    requests.push({
      method,
      url: String(url),
      body: body === undefined ? undefined : JSON.parse(String(body)),
    })
    if (method === 'GET') return new Response(null, { status: 204 })
    const list =
      requests.length === 1 ? [{ type: 'start', messageId: 'm-1' }, { type: 'start-step' }, ...chunks] : []
    const text = [...list, { type: 'finish' }].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
  const transport = new DefaultChatTransport<UIMessage>({
    api: 'http://agent.example/chat',
    fetch: fetch as never,
  })
  const chat = new Chat({ id: 'ctx-1', state: new State(), transport })
  return { chat, requests }
}

const call = { toolCallId: 'c', toolName: 'book' }
const input = { type: 'tool-input-available', ...call, input: { n: 1 } }
const approval = { type: 'tool-approval-request', approvalId: 'i', toolCallId: 'c' }

function asked() {
  const ledger = run(commandLedger(anyone))
  const toolCall = { id: 'c', function: { name: 'book', arguments: '{"n":1}' } }
  const context = { contextId: 'ctx-1', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  const ask = { kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: '?' } as const
  ledger.push({ type: 'event', event: { ...context, ...ask, metadata: { toolCall } } })
  return openRequests(ledger.state)
}

describe('commandsFromChatRequest', () => {
  it('reads an edited message as a new command, the same whenever it is sent again', async () => {
    const { chat, requests } = client()
    await chat.sendMessage({ text: 'Book it.' })
    const messageId = chat.messages[0]?.id ?? ''
    await chat.sendMessage({ text: 'Book two.', messageId })
    const idOf = (at: number): unknown =>
      commandsFromChatRequest(requests.at(at)?.body, options).commands[0]?.commandId
    expect(idOf(0)).toBe(messageId)
    expect(idOf(1)).not.toBe(messageId)
    expect(idOf(1)).toBe(idOf(1))
    await chat.sendMessage({ text: 'Book three.', messageId })
    expect(new Set([idOf(0), idOf(1), idOf(2)]).size).toBe(3)
  })

  it('reads the output of a tool that the client runs without having been asked', async () => {
    const { chat, requests } = client(input)
    await chat.sendMessage({ text: 'Book it.' })
    await chat.addToolOutput({ ...call, tool: 'book', output: 'Booked.' })
    await chat.sendMessage()
    const ledger = run(commandLedger(anyone))
    const context = { contextId: 'ctx-1', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    const begin = { kind: 'tool-start', ...call, arguments: {} } as const
    const listed = (metadata: object) => {
      ledger.push({ type: 'event', event: { ...context, ...begin, ...metadata } })
      return commandsFromChatRequest(requests.at(-1)?.body, {
        ...options,
        requests: openRequests(ledger.state),
      })
    }
    expect(listed({ metadata: { provider: 'client' } }).commands).toMatchObject([
      { kind: 'tool.result', toolCallId: 'c', success: true, result: 'Booked.' },
    ])
  })

  it('reads a new message, and one to generate again', async () => {
    const { chat, requests } = client()
    await chat.sendMessage({ text: 'Book it.' })
    await chat.regenerate()
    const [first, second] = requests.map(({ body }) => commandsFromChatRequest(body, options).commands)
    const messageId = chat.messages[0]?.id
    expect(first).toMatchObject([
      {
        kind: 'task.send',
        commandId: messageId,
        contextId: 'ctx-1',
        input: 'Book it.',
        metadata: { messageId },
      },
    ])
    expect(second).toMatchObject([
      { kind: 'task.send', input: 'Book it.', metadata: { trigger: 'regenerate-message' } },
    ])
    const again = commandsFromChatRequest(requests.at(-1)?.body, { newId: () => 'other' }).commands
    expect(again[0]?.commandId).toBe(second?.[0]?.commandId)
  })

  it.each([true, false])('reads an approval: %s', async (approved) => {
    const { chat, requests } = client(input, approval)
    await chat.sendMessage({ text: 'Book it.' })
    await chat.addToolApprovalResponse({ id: 'i', approved, ...(!approved && { reason: 'Too dear.' }) })
    await chat.sendMessage()
    const { commands, diagnostics } = commandsFromChatRequest(requests.at(-1)?.body, {
      ...options,
      requests: asked(),
    })
    expect(diagnostics).toEqual([])
    const digest = callDigest({ toolName: 'book', arguments: { n: 1 } })
    expect(commands).toMatchObject([
      {
        ...{ kind: 'input.respond', contextId: 'ctx-1' },
        commandId: expect.stringMatching(/^m-1:approvals:/) as unknown,
        responses: [
          approved
            ? { inputId: 'i', callDigest: digest }
            : { inputId: 'i', outcome: 'declined', reason: 'Too dear.' },
        ],
      },
    ])
  })

  it('reads what is answered and was not sent before the message behind it, if it is open', () => {
    const approval = { id: 'i', approved: true }
    const part = {
      type: 'tool-book',
      toolCallId: 'c',
      state: 'approval-responded',
      input: { n: 1 },
      approval,
    }
    const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'And now?' }] }
    const body = { id: 'ctx-1', messages: [{ id: 't', role: 'assistant', parts: [part] }, user] }
    const kinds = (requests?: ReturnType<typeof asked>) =>
      commandsFromChatRequest(body, { ...options, ...(requests && { requests }) }).commands.map(
        ({ kind }) => kind,
      )
    expect(kinds(asked())).toEqual(['input.respond', 'task.send'])
    expect([kinds([]), kinds()]).toEqual([['task.send'], ['task.send']])
  })

  it('reports the reason of an approval', () => {
    const approval = { id: 'i', approved: true, reason: 'Fine.' }
    const part = { type: 'tool-book', toolCallId: 'c', state: 'approval-responded', input: {}, approval }
    const body = { id: 'ctx-1', messages: [{ id: 'm', role: 'assistant', parts: [part] }] }
    const { commands, diagnostics } = commandsFromChatRequest(body, options)
    expect(commands).toMatchObject([{ kind: 'input.respond' }])
    expect(diagnostics).toMatchObject([{ code: 'lossy:reason', path: '/messages/0/parts/0/approval/reason' }])
  })

  it('reads the output of a tool of the page, and its failure', async () => {
    for (const failed of [false, true]) {
      const { chat, requests } = client(input)
      await chat.sendMessage({ text: 'Book it.' })
      await chat.addToolOutput(
        failed
          ? { state: 'output-error', tool: 'book', toolCallId: 'c', errorText: 'Full.' }
          : { tool: 'book', toolCallId: 'c', output: { ok: 1 } },
      )
      await chat.sendMessage()
      const { commands } = commandsFromChatRequest(requests.at(-1)?.body, { ...options, requests: asked() })
      const outcome = failed ? { success: false, error: 'Full.' } : { success: true, result: { ok: 1 } }
      expect(commands).toMatchObject([
        { kind: 'tool.result', commandId: 'm-1:c', toolCallId: 'c', ...outcome },
      ])
    }
  })

  it('reads only what is new: of the last step, and not what the server knows', async () => {
    const output = { type: 'tool-output-available', toolCallId: 'c', output: 1 }
    const { chat, requests } = client(
      input,
      output,
      { type: 'finish-step' },
      { type: 'start-step' },
      {
        ...input,
        toolCallId: 'd',
      },
    )
    await chat.sendMessage({ text: 'Book it.' })
    const before = structuredClone(chat.messages.at(-1))
    await chat.addToolOutput({ tool: 'book', toolCallId: 'd', output: 2 })
    await chat.sendMessage()
    const body = requests.at(-1)?.body
    expect(commandsFromChatRequest(body, options).commands).toMatchObject([{ toolCallId: 'd', result: 2 }])
    expect(commandsFromChatRequest(body, { ...options, before }).commands).toMatchObject([
      { toolCallId: 'd' },
    ])
    const after = { ...options, before: chat.messages.at(-1) }
    expect(commandsFromChatRequest(body, after)).toMatchObject({
      commands: [],
      diagnostics: [{ code: 'dropped:messages' }],
    })
  })

  it('gets no request from stop, and a GET without a body from resumeStream', async () => {
    const { chat, requests } = client()
    await chat.stop()
    expect(requests).toEqual([])
    await chat.resumeStream()
    expect(requests).toEqual([
      { method: 'GET', url: 'http://agent.example/chat/ctx-1/stream', body: undefined },
    ])
  })

  it('gives valid commands and never throws', () => {
    const state = fc.constantFrom('approval-responded', 'output-available', 'output-error', 'x')
    const answer = fc.record({ id: fc.constant('i'), approved: fc.boolean(), reason: fc.string() })
    const approval = fc.oneof(json, answer)
    const part = fc.oneof(
      json,
      fc.record({ toolCallId: fc.oneof(json, fc.constant('c')), state, approval, output: json }),
    )
    const message = fc.record({ role: fc.constantFrom('user', 'assistant'), id: json, parts: fc.array(part) })
    const trigger = fc.constantFrom('submit-message', 'regenerate-message')
    const body = fc.record({ id: fc.constant('ctx-1'), messages: fc.array(fc.oneof(json, message)), trigger })
    fc.assert(
      fc.property(fc.oneof(json, body), (value) => {
        const { commands, diagnostics } = commandsFromChatRequest(value, options)
        for (const command of commands) expect(decodeCommand(command).status).toBe('known')
        expect(commands.length + diagnostics.length).toBeGreaterThan(0)
        expectSentences([{ out: [], diagnostics }])
      }),
      { numRuns: runs(200) },
    )
  })
})

it('names the result of a tool in a message without an id by the call', () => {
  const parts = [{ type: 'tool-pay', toolCallId: 'k', state: 'output-available', input: {}, output: 1 }]
  const { commands } = commandsFromChatRequest({ id: 'c', messages: [{ role: 'assistant', parts }] })
  expect(commands).toMatchObject([{ kind: 'tool.result', commandId: ':k', result: 1 }])
})
