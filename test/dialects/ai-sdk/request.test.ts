// The request that was posted has what a response does not repeat: prompt, answers, results of the page, and ids.

import { ReadableStream } from 'node:stream/web'
import {
  convertToModelMessages,
  isStepCount,
  jsonSchema,
  readUIMessageStream,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
} from 'ai'
import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import {
  type ChatRequest,
  fromUiMessageStream,
  toUiMessageStream,
  type UiMessageChunk,
} from 'turnstream/ai-sdk'
import { emptyView, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'

/** A response, and the request that it answers. */
interface Response {
  readonly request?: ChatRequest
  readonly chunks: readonly object[]
}

/** Reads the responses about a message, each by a reader of its own that goes on with the state of the one before. */
function readAll(responses: readonly Response[]) {
  const codes: string[] = []
  let state: ReturnType<typeof fromUiMessageStream>['initial'] | undefined
  const events = responses.flatMap(({ request, chunks }) => {
    const reader = run(fromUiMessageStream({ now: () => 0, ...(request && { request }) }), {
      ...(state !== undefined && { state }),
      onDiagnostic: ({ code }) => codes.push(code),
    })
    const out = chunks.flatMap((chunk) => reader.push(JSON.parse(JSON.stringify(chunk)) as UiMessageChunk))
    state = JSON.parse(JSON.stringify(reader.state))
    return [...out, ...reader.end()]
  })
  const { push } = run(verifier({ mode: 'strict' }))
  const errors = events.flatMap((event) => push(event)).filter(({ severity }) => severity === 'error')
  expect(errors).toEqual([])
  return { events, codes, task: foldEvents(emptyView, events).tasks[0] }
}

const ofKind = (events: readonly ContextAnyEvent[], kind: ContextAnyEvent['kind']): ContextAnyEvent[] =>
  events.filter((event) => event.kind === kind)

const asks = (text: string, id = 'u'): ChatRequest['messages'][number] => ({
  ...{ id, role: 'user' },
  parts: [{ type: 'text', text }],
})
const start = { type: 'start', messageId: 'm' }
const call = { toolCallId: 'k', toolName: 'pay' }
const input = { amount: 5 }
const available = { type: 'tool-input-available', ...call, input }
const approval = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'k' }
const waits = { type: 'finish', finishReason: 'tool-calls' }
const finish = { type: 'finish', finishReason: 'stop' }
const output = { type: 'tool-output-available', toolCallId: 'k', output: 'paid' }
const text = (delta: string): object[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
]
const partOf = (more: object): object => ({ type: 'tool-pay', toolCallId: 'k', input, ...more })
const answered = (...parts: readonly object[]): ChatRequest => ({
  ...{
    id: 'c',
    messages: [asks('Pay.'), { id: 'm', role: 'assistant', parts: [{ type: 'step-start' }, ...parts] }],
  },
})
const approved = { state: 'approval-responded', approval: { id: 'a', approved: true } }
const declined = { state: 'approval-responded', approval: { id: 'a', approved: false, reason: 'Too much.' } }
const prompt: ChatRequest = { id: 'c', messages: [asks('Pay.')] }

describe('the prompt', () => {
  it('is the text of the last message of the user, and the chat is the context', () => {
    const request = { id: 'c', messages: [asks('Hi.', 'u0'), asks('Pay.')] }
    const { task, events, codes } = readAll([{ request, chunks: [start, ...text('Done.'), finish] }])
    expect(task).toMatchObject({ taskId: 'm', contextId: 'c', input: 'Pay.', status: 'completed' })
    expect(events[0]).toMatchObject({ kind: 'task-created', metadata: { input: 'Pay.' } })
    expect(codes).toEqual([])
  })

  it('has files as parts', () => {
    const parts = [
      { type: 'text', text: 'See.' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    ]
    const request = { messages: [{ id: 'u', role: 'user', parts }] }
    expect(readAll([{ request, chunks: [start, finish] }]).task?.input).toEqual(parts)
  })

  it('is that of the server if it states one', () => {
    const stated = { ...start, messageMetadata: { input: 'Mine.' } }
    expect(readAll([{ request: prompt, chunks: [stated, finish] }]).task?.input).toBe('Mine.')
  })
})

describe('an answer', () => {
  it('approves a call, which starts', () => {
    const { task, events, codes } = readAll([
      { request: prompt, chunks: [start, available, approval, waits] },
      { request: answered(partOf(approved)), chunks: [start, output, ...text('Done.'), finish] },
    ])
    expect(events.map(({ kind }) => kind)).toEqual([
      ...['task-created', 'task-status', 'input-required', 'task-status', 'input-received', 'task-status'],
      ...['tool-start', 'tool-complete', 'content-delta', 'content-complete', 'task-status', 'task-complete'],
    ])
    expect(task?.parts).toMatchObject([{ type: 'input' }, { result: 'paid' }, { text: 'Done.' }])
    expect(codes).toEqual([])
  })

  it('declines a call, with its reason', () => {
    const denied = { type: 'tool-output-denied', toolCallId: 'k' }
    const { events, codes, task } = readAll([
      { request: prompt, chunks: [start, available, approval, waits] },
      { request: answered(partOf(declined)), chunks: [start, denied, ...text('No.'), finish] },
    ])
    expect(ofKind(events, 'input-received')).toMatchObject([
      { inputId: 'a', outcome: 'declined', metadata: { aiSdk: { reason: 'Too much.' } } },
    ])
    expect(ofKind(events, 'tool-start')).toEqual([])
    expect(task?.status).toBe('completed')
    expect(codes).toEqual([])
  })

  it.each<[string, object, object]>([
    ['a result', { state: 'output-available', output: 'here' }, { success: true, result: 'here' }],
    ['an error', { state: 'output-error', errorText: 'Denied.' }, { success: false, error: 'Denied.' }],
  ])('is %s of the page', (_, more, expected) => {
    const { events, codes } = readAll([
      { request: prompt, chunks: [start, available, waits] },
      { request: answered(partOf(more)), chunks: [start, ...text('Done.'), finish] },
    ])
    expect(ofKind(events, 'input-received')).toHaveLength(1)
    expect(ofKind(events, 'tool-complete')).toMatchObject([expected])
    expect(codes).toEqual(['inferred:input-required'])
  })

  it('is known by its call if the server gives the message another id', () => {
    const { task, codes } = readAll([
      { request: prompt, chunks: [start, available, approval, waits] },
      { request: answered(partOf(approved)), chunks: [{ ...start, messageId: 'n' }, output, finish] },
    ])
    expect(task).toMatchObject({ taskId: 'm', status: 'completed' })
    expect(codes).toEqual([])
  })

  it('is read with its question without the state of the reader that asked', () => {
    const { task, events, codes } = readAll([
      { request: answered(partOf(approved)), chunks: [{ type: 'start' }, output, finish] },
    ])
    expect(task).toMatchObject({ taskId: 'm', contextId: 'c', input: 'Pay.', status: 'completed' })
    expect(ofKind(events, 'input-received')).toMatchObject([{ inputId: 'a' }])
    expect(ofKind(events, 'tool-start')).toMatchObject([{ toolName: 'pay', arguments: input }])
    expect(codes).toEqual([])
  })

  it('is none to a question that the request leaves open', () => {
    const asked = { state: 'approval-requested', approval: { id: 'a' } }
    const { events } = readAll([
      { request: prompt, chunks: [start, available, approval, waits] },
      { request: answered(partOf(asked)), chunks: [start, ...text('Still?'), waits] },
    ])
    expect(ofKind(events, 'input-received')).toEqual([])
  })
})

describe('a request', () => {
  it.each<[string, ChatRequest]>([
    ['a new message of the user', { id: 'c', messages: [asks('Pay.'), asks('Hello?', 'u2')] }],
    [
      'another message',
      {
        messages: [
          asks('Pay.'),
          { id: 'x', role: 'assistant', parts: [partOf({ ...approved, toolCallId: 'other' })] },
        ],
      },
    ],
  ])('with %s is reported, and answers nothing', (_, request) => {
    const { events, codes } = readAll([
      { request: prompt, chunks: [start, available, approval, waits] },
      { request, chunks: [start, ...text('Hm.'), waits] },
    ])
    expect(ofKind(events, 'input-received')).toEqual([])
    expect(codes).toContain('lossy:request')
  })

  it('names the tools of the page, so that other calls are none for it', () => {
    const chunks = [start, available, waits]
    const request = (tools: object): ChatRequest => ({ ...prompt, tools })
    expect(readAll([{ request: request({ pay: {} }), chunks }]).task?.status).toBe('waiting-input')
    expect(readAll([{ request: request({ locate: {} }), chunks }]).task?.status).toBe('completed')
    expect(readAll([{ request: prompt, chunks }]).task?.status).toBe('waiting-input')
  })

  it.each([null, {}, { messages: [null] }, { messages: [{ role: 'user', parts: 'x' }] }])(
    'must be one: %j',
    (request) => {
      expect(() => fromUiMessageStream({ request: request as never })).toThrow('"request" must be')
    },
  )

  it('changes nothing of what the extension states', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const writer = run(toUiMessageStream({ extension: true }))
        const chunks = [...events.flatMap((event) => writer.push(event)), ...writer.end()]
        const read = (request?: ChatRequest): readonly ContextAnyEvent[] => {
          const reader = run(
            fromUiMessageStream({ now: () => 0, extension: true, ...(request && { request }) }),
          )
          return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()]
        }
        expect(read(answered(partOf(approved)))).toEqual(read())
        expect(read(prompt)).toEqual(read())
      }),
      { numRuns: runs(100) },
    )
  })
})

/** How a user answers a question of the AI SDK. */
const answers = fc.constantFrom('approve', 'decline', 'result', 'error')

it('leads to what a page of the AI SDK shows, whatever the user answers', async () => {
  const inputSchema = jsonSchema<{ amount: number }>({
    ...{ type: 'object', properties: { amount: { type: 'number' } } },
  })
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 3 }), async (given) => {
      const calls = given.map((answer, i) => ({
        ...{ toolCallId: `k${i}`, input: JSON.stringify({ amount: i }), answer },
        toolName: answer === 'approve' || answer === 'decline' ? 'pay' : 'locate',
      }))
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const turns = [
        [
          ...calls.map(({ toolCallId, toolName, input }) => ({
            type: 'tool-call',
            toolCallId,
            toolName,
            input,
          })),
          { type: 'finish', finishReason: { unified: 'tool-calls' }, usage },
        ],
        [...text('Done.'), { type: 'finish', finishReason: { unified: 'stop' }, usage }],
      ]
      const model = {
        ...{ specificationVersion: 'v3', provider: 'fake', modelId: 'fake', supportedUrls: {} },
        doStream: async () => ({
          stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...(turns.shift() ?? [])]),
        }),
      }
      const tools = {
        pay: tool({
          ...{ inputSchema, needsApproval: true },
          execute: async ({ amount }: { amount: number }) => ({ paid: amount }),
        }),
        locate: tool({ inputSchema }),
      }
      const messages: UIMessage[] = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] }]
      const responses: Response[] = []
      for (let i = 0; i < 2; i++) {
        const result = streamText({
          ...{
            model: model as never,
            tools: tools as never as ToolSet,
            stopWhen: isStepCount(1),
            onError: () => undefined,
          },
          messages: await convertToModelMessages(messages),
        })
        const chunks: object[] = []
        const stream = result.toUIMessageStream({ originalMessages: messages, generateMessageId: () => 'm' })
        for await (const chunk of stream) chunks.push(chunk)
        responses.push({ request: JSON.parse(JSON.stringify({ id: 'c', messages })) as ChatRequest, chunks })
        const last = messages.at(-1)
        let shown: UIMessage | undefined
        for await (const message of readUIMessageStream({
          ...(last?.role === 'assistant' && { message: last }),
          stream: ReadableStream.from(chunks) as never,
        }))
          shown = message
        if (shown === undefined) throw new Error('Expected a message of the page, got none.')
        if (last?.role === 'assistant') messages.pop()
        if (i === 0)
          for (const { toolCallId, answer } of calls) {
            const part = shown.parts.find((each) => 'toolCallId' in each && each.toolCallId === toolCallId)
            const id = part !== undefined && 'approval' in part ? part.approval?.id : undefined
            Object.assign(
              part ?? {},
              {
                approve: { state: 'approval-responded', approval: { id, approved: true } },
                decline: { state: 'approval-responded', approval: { id, approved: false } },
                result: { state: 'output-available', output: 'here' },
                error: { state: 'output-error', errorText: 'Nowhere.' },
              }[answer],
            )
          }
        messages.push(shown)
      }
      const { task, codes } = readAll(responses)
      expect(task).toMatchObject({ taskId: 'm', input: 'Pay.', status: 'completed' })
      const shown = messages[1]?.parts.flatMap((part) =>
        'toolCallId' in part && part.state !== 'output-denied'
          ? [[part.toolCallId, part.state, 'output' in part ? part.output : undefined]]
          : [],
      )
      const read = task?.parts.flatMap((part) =>
        part.type === 'tool' && part.approval?.status !== 'declined'
          ? [[part.toolCallId, part.status === 'failed' ? 'output-error' : 'output-available', part.result]]
          : [],
      )
      expect(read?.toSorted()).toEqual(shown?.toSorted())
      expect(codes.filter((code) => code !== 'inferred:input-required')).toEqual([])
    }),
    { numRuns: runs(12) },
  )
})
