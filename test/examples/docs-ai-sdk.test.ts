// Proves that the code in docs/ai-sdk.md behaves as the page describes.

import { DefaultChatTransport, readUIMessageStream } from 'ai'
import { type ContextAnyEvent, createEmitter, type Diagnostic } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { answer, read } from '../../examples/docs/ai-sdk.ts'

async function* events(): AsyncGenerator<ContextAnyEvent> {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
  yield emit({ kind: 'task-created', initiator: 'user', metadata: { model: 'atlas-2' } })
  yield emit({ kind: 'tool-start', toolCallId: 'call-1', toolName: 'tides', arguments: { port: 'Brest' } })
  yield emit({
    kind: 'tool-complete',
    toolCallId: 'call-1',
    toolName: 'tides',
    success: true,
    result: [8, 20],
  })
  yield emit({ kind: 'content-delta', delta: 'At eight.' })
  yield emit({ kind: 'content-complete', content: 'At eight.' })
  yield emit({ kind: 'task-complete', metadata: { finishReason: 'end_turn' } })
}

describe('the AI SDK', () => {
  it('is answered as its own transport reads it', async () => {
    const transport = new DefaultChatTransport({
      api: 'https://agent.example/chat',
      fetch: async () => answer(events()),
    })
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: 'chat-1',
      messageId: undefined,
      messages: [],
      abortSignal: undefined,
    })
    let last: unknown
    for await (const message of readUIMessageStream({ stream })) last = message
    expect(JSON.parse(JSON.stringify(last))).toEqual({
      id: 'task-1',
      role: 'assistant',
      metadata: { model: 'atlas-2', result: { finishReason: 'end_turn' } },
      parts: [
        { type: 'step-start' },
        {
          type: 'dynamic-tool',
          toolName: 'tides',
          toolCallId: 'call-1',
          state: 'output-available',
          input: { port: 'Brest' },
          output: [8, 20],
        },
        { type: 'step-start' },
        { type: 'text', text: 'At eight.', state: 'done' },
      ],
    })
  })

  it('is read, with what is lost', async () => {
    const diagnostics: Diagnostic[] = []
    const read1: ContextAnyEvent[] = []
    for await (const event of read(answer(events()), (diagnostic) => diagnostics.push(diagnostic)))
      read1.push(event)
    expect(read1.map(({ kind }) => kind)).toEqual([
      'task-created',
      'task-status',
      'tool-start',
      'tool-complete',
      'content-delta',
      'content-complete',
      'task-status',
      'task-complete',
    ])
    expect(read1.at(-1)).toMatchObject({ taskId: 'task-1', metadata: { finishReason: 'end_turn' } })
  })

  it('goes on after a chunk that is unknown, malformed or no JSON', async () => {
    const lines = [
      '{"type":"start","messageId":"m"}',
      '{"type":"new"}',
      '{"type":"text-delta"}',
      '{',
      '{"type":"finish"}',
      '[DONE]',
    ]
    const body = lines.map((line) => `data: ${line}\n\n`).join('')
    const codes: string[] = []
    const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const kinds: string[] = []
    for await (const { kind } of read(response, ({ code }) => codes.push(code))) kinds.push(kind)
    expect(kinds).toEqual(['task-created', 'task-status', 'task-status', 'task-complete'])
    expect(codes).toEqual(['dropped:new', 'invalid-event'])
  })
})
