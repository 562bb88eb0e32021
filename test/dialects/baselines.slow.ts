// Proves that nothing changes unseen in what formats write, read and find wrong, of streams with and without faults.
import fc from 'fast-check'
import { type ContextAnyEvent, decodeEvent } from 'turnstream'
import { commandsFromA2a, toA2a } from 'turnstream/a2a'
import { agUiMessages, commandsFromRunAgentInput, toAgUi } from 'turnstream/ag-ui'
import { toAgentEvents } from 'turnstream/agent-event'
import { commandsFromChatRequest, toUiMessageStream, uiMessages } from 'turnstream/ai-sdk'
import { fromLooopy } from 'turnstream/looopy'
import { toChatCompletions } from 'turnstream/openai'
import { toSessionEvents } from 'turnstream/session'
import { emptyView, foldEvents, openRequests } from 'turnstream/streams'
import { afterEach, beforeEach, describe, it, vi } from 'vitest'
import { commandsFromChatCompletion } from '../../src/dialects/openai/commands/chat-completion.ts'
import { baselineOf, drawn, madeBy } from '../support/baseline.ts'
import { faultyStreams } from '../support/faulty-streams.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { mutationsOf } from '../support/providers/mutations.ts'
import { a2aStreams } from './a2a/a2a-streams.ts'
import { shapedEvents } from './ag-ui/shaped-events.ts'
import { agUiStreams } from './ag-ui/streams.ts'
import { anything, legalStream } from './agent-event/support.ts'
import { laterStream, snapshotsOf } from './agent-event/versions.ts'
import { chunkStreams } from './ai-sdk/chunk-streams.ts'
import { shapedChunks } from './ai-sdk/shaped-chunks.ts'
import { formats, writtenBy } from './formats.ts'
import { anyFrame, legalLog, legalLogV2, mutated } from './frames/logs.ts'
import { rawSessions, realSessions } from './session/session-streams.ts'

const streams = drawn(
  fc.oneof(
    legalStreams({ revisions: true, maxChoices: 60 }),
    legalStreams({ revisions: true, focus: 'texts' }),
    legalStreams({ revisions: true, focus: 'artifacts' }),
    faultyStreams,
  ),
  50,
)
const a2aItems = (version: '0.3' | '1.0') =>
  fc
    .oneof(a2aStreams(version), a2aStreams(version, { growing: false }))
    .map(({ items }) => items as readonly unknown[])
const expectBaseline = baselineOf('dialects')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(formats)('$name', (format) => {
  it('writes as before', async () => {
    await expectBaseline(`${format.name} writer`, streams, (events) => madeBy(format.writer(), events))
  })

  it('is read as before', async () => {
    const written = streams.map((events, i) => {
      const out = writtenBy(format, events)
      const isWhole = i % 3 === 0 || out.length === 0 || format.isConnection === true
      return isWhole ? out : (drawn(mutationsOf(out), 1, i)[0] as readonly unknown[])
    })
    const shown = { showErrors: true, ...(format.name.endsWith('with the extension') && { extension: true }) }
    await expectBaseline(`${format.name} reader`, written, (values) => [
      madeBy(format.reader(shown), values),
      format.verifier === undefined ? [] : madeBy(format.verifier(), values),
    ])
  })
})

/** What others write, by the format. */
const foreign: Readonly<Record<string, readonly fc.Arbitrary<readonly unknown[]>[]>> = {
  'AG-UI': [agUiStreams, agUiStreams, shapedEvents],
  'AI SDK 7': [chunkStreams, chunkStreams, shapedChunks],
  ...{ 'A2A 0.3': [a2aItems('0.3')], 'A2A 1.0': [a2aItems('1.0')] },
  'agent-event': [
    ...[
      legalStream(true),
      legalStream(false),
      laterStream(2),
      laterStream(3),
      laterStream(3).map(snapshotsOf),
    ],
    fc.array(anything, { maxLength: 20, size: 'max' }),
  ],
  session: [realSessions, rawSessions],
  ...{ 'frames v1': [legalLog, mutated(legalLog), fc.array(anyFrame)], 'frames v2': [mutated(legalLogV2)] },
}

it.each(Object.entries(foreign))('%s of others is read as before', async (name, streams) => {
  const format = formats.find((each) => each.name === name)
  const inputs = drawn(fc.oneof(...streams), 90).map((values, i) => {
    const isWhole = i % 3 > 0 || values.length === 0
    return isWhole ? values : (drawn(mutationsOf(values), 1, i)[0] as readonly unknown[])
  })
  await expectBaseline(`${name} of others`, inputs, (values) => [
    madeBy(format?.reader({}), values),
    format?.verifier === undefined ? [] : madeBy(format.verifier(), values),
  ])
})

/** What an agent has asked before. */
const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00.000Z' }
const toolCall = { id: 'c', function: { name: 'book', arguments: '{"n":1}' } }
const requests = openRequests(
  foldEvents(emptyView, [
    { ...place, kind: 'task-created', initiator: 'user' },
    ...['i', 'j'].map((inputId): ContextAnyEvent => {
      const about = { inputId, inputType: 'tool-execution', prompt: 'Run it?' } as const
      return { ...place, kind: 'input-required', ...about, metadata: inputId === 'i' ? { toolCall } : {} }
    }),
    { ...place, kind: 'auth-required', authId: 'a', authType: 'oauth2', prompt: 'Sign in.' },
  ]),
)

/** What a client of another protocol sends, complete: cases are these with faults. */
const asked = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const approved = { type: 'tool-book', toolCallId: 'c', state: 'approval-responded', input: { n: 1 } }
const ran = {
  type: 'dynamic-tool',
  toolName: 'f',
  toolCallId: 'd',
  state: 'output-available',
  input: {},
  output: 1,
}
const failed = { type: 'tool-f', toolCallId: 'e', state: 'output-error', input: {}, errorText: 'No.' }
const answers = [{ ...approved, approval: { id: 'i', approved: false, reason: 'Why?' } }, ran, failed]
const resumed = { interruptId: 'i', status: 'resolved', payload: { approved: true, editedArgs: { n: 2 } } }
const sent = {
  messageId: 'm',
  role: 'user',
  kind: 'message',
  taskId: 't',
  contextId: 'c',
  metadata: { a: 1 },
}
const parts = [{ kind: 'text', text: 'Hi' }, { kind: 'data', data: { approved: true } }, { text: 'Hi' }]
const bodies: Readonly<Record<string, readonly [read: (body: never) => unknown, bodies: readonly object[]]>> =
  {
    'AG-UI': [
      (body) => commandsFromRunAgentInput(body, { requests }),
      [
        {
          ...{
            threadId: 't',
            runId: 'r',
            state: { a: 1 },
            context: [],
            tools: [{ name: 'f' }],
            forwardedProps: { a: 1 },
          },
          messages: [
            { id: 'u', role: 'user', content: [{ type: 'text', text: 'Hi' }] },
            {
              id: 'a',
              role: 'assistant',
              toolCalls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
            },
            { id: 't', role: 'tool', toolCallId: 'c', content: '{"a":1}', error: 'No.' },
          ],
          resume: [resumed, { interruptId: 'j', status: 'cancelled' }],
        },
        { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'Hi', name: 'n' }] },
      ],
    ],
    'AI SDK': [
      (body) => commandsFromChatRequest(body, { requests }),
      [
        {
          id: 'c',
          trigger: 'submit-message',
          messages: [asked, { id: 'a', role: 'assistant', parts: answers }],
        },
        { id: 'c', trigger: 'regenerate-message', messageId: 'a', messages: [asked], data: { a: 1 } },
      ],
    ],
    A2A: [
      (body) => commandsFromA2a(body, { requests }),
      [
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'message/send',
          params: { message: { ...sent, parts }, configuration: {} },
        },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'SendStreamingMessage',
          params: { message: { ...sent, role: 'ROLE_USER', parts } },
        },
        { jsonrpc: '2.0', id: 1, method: 'tasks/cancel', params: { id: 't', metadata: { reason: 'x' } } },
      ],
    ],
    openai: [
      (body) => commandsFromChatCompletion(body, { contextId: 'c', commandId: 'm' }, { requests }),
      [
        {
          model: 'm',
          messages: [
            { role: 'system', content: 'Be kind.' },
            {
              role: 'assistant',
              content: 'A?',
              tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
            },
            { role: 'tool', tool_call_id: 'c', content: '{"a":1}' },
            { role: 'user', name: 'ann', content: [{ type: 'text', text: 'Hi' }] },
          ],
        },
      ],
    ],
  }

it.each(Object.entries(bodies))('commands of %s are read as before', async (name, [read, whole]) => {
  const cases = whole.flatMap((body, i) => [[body], ...drawn(mutationsOf([body]), 80, i)])
  await expectBaseline(`${name} commands`, cases, ([body]) => {
    try {
      return read(body as never)
    } catch (error) {
      return String(error)
    }
  })
})

it('messages of a view, and what a user sees, are as before', async () => {
  const writers = [toAgUi, toUiMessageStream, toSessionEvents, toAgentEvents, toChatCompletions]
  await expectBaseline('views', streams.slice(0, 36), (events) => {
    const view = foldEvents(
      emptyView,
      events.filter((event) => decodeEvent(event).status === 'known'),
    )
    return [
      ...[agUiMessages(view), agUiMessages(view, { viewer: { audience: 'operator' } })],
      ...[uiMessages(view), uiMessages(view, { version: 6, viewer: { audience: 'operator' } } as never)],
      ...writers.map((writer) => madeBy((writer as () => unknown)(), events)),
      madeBy(toA2a({ version: '1.0' }), events),
      madeBy(fromLooopy({}), events),
    ]
  })
})
