// The messages of a view have the ids and texts that a client builds from the stream.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AgUiMessage, agUiMessages, fromAgUi } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { run } from '../../../src/index.ts'
import { encodeJson } from '../../../src/sse/index.ts'
import { emptyView, foldEvents, project, type Viewer } from '../../../src/streams/index.ts'
import { withLabels } from '../../support/legal-streams/labels.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { HttpAgent } from './peers.ts'
import { closing, isWritten, outputsOf, writer } from './support.ts'

const operator: Viewer = { audience: 'operator' }
const viewers: readonly Viewer[] = [operator, { audience: 'user', subtasks: 'all' }]

/** Serves each request the next of the streams. */
async function served<T>(streams: readonly string[], use: (url: string) => Promise<T>): Promise<T> {
  let at = 0
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streams[at++ % streams.length])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

async function messagesOf(events: readonly ContextAnyEvent[], viewer: Viewer = operator) {
  const body = outputsOf(writer({ viewer }), events).map((event, i) => encodeJson(event, { id: `e/${i}` }))
  return served([body.join('')], async (url) => {
    const agent = new HttpAgent({ url, threadId: 't' })
    await agent.runAgent({}, {})
    return agent.messages
  })
}

/** A message without what a view does not have, as `agUiMessages` states. */
function comparable(message: AgUiMessage, changed: ReadonlySet<string>): object {
  const { metadata, ...rest } = message
  if (message.role === 'tool') return { ...rest, error: undefined }
  if (message.id.endsWith(':progress'))
    return { ...rest, content: { ...(message.content as object), metadata: undefined } }
  if (message.role === 'activity') return changed.has(message.id) ? { ...rest, content: undefined } : rest
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message
  return {
    ...rest,
    toolCalls: message.toolCalls.map((call) => ({ ...call, metadata: undefined, encryptedValue: undefined })),
  }
}

/** The keys of the messages of each agent in order, without those that stand elsewhere in a view. */
function ordersOf(
  messages: readonly AgUiMessage[],
  isElsewhere: (id: string) => boolean,
): Map<string, string[]> {
  const orders = new Map<string, string[]>()
  for (const { id, role, subagentRunId = '' } of messages) {
    // What follows a call does so later than in a view.
    if (/:(result|progress)$/.test(id) || isElsewhere(id)) continue
    orders.set(subagentRunId, [...(orders.get(subagentRunId) ?? []), `${role} ${id}`])
  }
  return orders
}

const labelled = fc
  .tuple(
    legalStreams({ maxChoices: 25 }),
    fc.array(fc.constantFrom<readonly string[] | undefined>(undefined, undefined, ['operator']), {
      minLength: 1,
    }),
  )
  .map(([events, labels]) => withLabels(events, labels))

/** A text that begins without text, before another one, and ends without any. */
const afterEmptyText = [
  { kind: 'task-created', initiator: 'agent' },
  { kind: 'content-delta', delta: '', index: 0 },
  { kind: 'content-delta', contentId: 'text-1', delta: 'b', index: 0 },
  { kind: 'content-complete', content: '' },
  { kind: 'content-complete', contentId: 'text-1', content: 'b' },
  { kind: 'task-complete', content: 'b' },
].map(
  (event) =>
    ({ contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00.000Z', ...event }) as ContextAnyEvent,
)

it.each(viewers)(
  'are those that the client of the protocol reads from the stream, for $audience',
  async (viewer) => {
    await fc.assert(
      fc.asyncProperty(labelled, async (events) => {
        // Clients keep reasoning that was discarded, without its text, unless there is other reasoning.
        const shown = ((await messagesOf(events, viewer)) as readonly AgUiMessage[]).filter(
          (message) => message.role !== 'reasoning' || message.content !== '' || 'encryptedValue' in message,
        )
        const view = foldEvents(emptyView, events)
        const built = agUiMessages(view, { viewer }).filter(({ role }) => role !== 'user')
        const changed = new Set<string>()
        for (const event of events) {
          if (event.kind === 'artifact-delta' && !isWritten(event)) changed.add(event.artifactId)
        }
        const byKey = (messages: readonly AgUiMessage[]) =>
          messages
            .map((message) => ({ key: `${message.role} ${message.id}`, ...comparable(message, changed) }))
            .sort((a, b) => (a.key < b.key ? -1 : 1))
        expect(byKey(built)).toEqual(byKey(shown))
        // A thought in a view stands where its first delta is, also if that is empty or the reader may not see it.
        const late = new Set<string>()
        for (const event of events) {
          if (event.kind !== 'thought-delta') continue
          if (event.delta === '' || project(event, viewer) === undefined) late.add(event.thoughtId)
        }
        const isLate = (id: string): boolean => late.has(id)
        expect(ordersOf(built, isLate)).toEqual(ordersOf(shown, isLate))
      }),
      { numRuns: runs(60), examples: [[afterEmptyText]] },
    )
  },
)

it('keeps the encrypted value of a thought without text', async () => {
  const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
  const thought = {
    kind: 'thought-stream',
    thoughtType: 'reasoning',
    verbosity: 'normal',
    content: '',
  } as const
  const events: ContextAnyEvent[] = [
    { kind: 'task-created', initiator: 'agent', ...context },
    {
      ...thought,
      thoughtId: 'sealed',
      index: 0,
      metadata: { signature: 'opaque', redacted: true },
      ...context,
    },
    { ...thought, thoughtId: 'labelled', index: 1, metadata: { redacted: true }, ...context },
    { kind: 'task-complete', ...context },
  ]
  const messages = agUiMessages(foldEvents(emptyView, events), { viewer: operator })
  expect(messages).toMatchObject([{ id: 'sealed', role: 'reasoning', content: '', encryptedValue: 'opaque' }])
  expect(await messagesOf(events)).toEqual(messages)
})

it('has no encrypted values unless an operator reads them, and no message of them alone', async () => {
  const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
  const thought = { kind: 'thought-stream', thoughtType: 'reasoning', verbosity: 'normal' } as const
  const events: ContextAnyEvent[] = [
    { kind: 'task-created', initiator: 'user', ...context },
    { ...thought, thoughtId: 'a', content: 'hm', index: 0, metadata: { signature: 'opaque' }, ...context },
    { ...thought, thoughtId: 'b', content: '', index: 1, metadata: { signature: 'opaque' }, ...context },
    { kind: 'task-complete', ...context },
  ]
  const messages = agUiMessages(foldEvents(emptyView, events))
  expect(messages).toEqual([{ id: 'a', role: 'reasoning', content: 'hm' }])
  expect(await messagesOf(events, { audience: 'user' })).toEqual(messages)
})

it.each([true, false])('has a call without arguments yet, which fails: %s', async (fails) => {
  const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
  const call = { toolCallId: 'x', toolName: 'clock' }
  const events: ContextAnyEvent[] = [
    { kind: 'task-created', initiator: 'agent', ...context },
    { kind: 'tool-arguments-delta', ...call, delta: '', index: 0, ...context },
  ]
  if (fails) events.push({ kind: 'tool-complete', ...call, success: false, error: 'Cut.', ...context })
  events.push({ kind: 'task-complete', ...context })
  const messages = agUiMessages(foldEvents(emptyView, events), { viewer: operator })
  expect(messages.map(({ id }) => id)).toEqual(fails ? ['x', 'x:result'] : ['x'])
  expect((await messagesOf(events)).map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
  const reader = run(fromAgUi({ now: () => 0 }))
  const back = outputsOf(writer(), events).flatMap((event) => [...reader.push(event)])
  expect(back.map(({ kind }) => kind)).not.toContain('tool-start')
  expect(back).toContainEqual(events[1])
})

it('lets a page read what is served, and read it again as events', async () => {
  const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
  const events: ContextAnyEvent[] = [
    { kind: 'task-created', initiator: 'user', metadata: { input: 'When?' }, ...context },
    { kind: 'content-delta', delta: 'At ', index: 0, ...context },
    { kind: 'content-delta', delta: 'noon.', index: 1, ...context },
    { kind: 'content-complete', content: 'At noon.', ...context },
    { kind: 'tool-start', toolCallId: 'x', toolName: 'clock', arguments: { zone: 'UTC' }, ...context },
    {
      kind: 'tool-complete',
      toolCallId: 'x',
      toolName: 'clock',
      success: true,
      result: { hour: 12 },
      ...context,
    },
    { kind: 'task-status', status: 'completed', ...context },
    { kind: 'task-complete', content: 'At noon.', ...context },
  ]
  expect(await messagesOf(events)).toEqual([
    { id: 't:content:0', role: 'assistant', content: 'At noon.' },
    {
      id: 'x',
      role: 'assistant',
      toolCalls: [{ id: 'x', type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }],
    },
    { id: 'x:result', role: 'tool', toolCallId: 'x', content: '{"hour":12}' },
  ])
  expect(agUiMessages(foldEvents(emptyView, events), { viewer: operator })).toEqual([
    { id: 't:input', role: 'user', content: 'When?' },
    ...(await messagesOf(events)),
  ])
  const reader = run(fromAgUi({ now: () => 0 }))
  const back = outputsOf(writer(), events).flatMap((event) => [...reader.push(event)])
  expect(back.filter(({ kind }) => kind !== 'task-status' && kind !== 'tool-arguments-delta')).toEqual(
    events
      .filter(({ kind }) => kind !== 'task-status')
      .map((event) =>
        event.kind === 'task-created'
          ? { ...event, metadata: { input: 'When?', protocolVersion: '1.0' } }
          : event,
      ),
  )
  expect(outputsOf(closing(), [])).toEqual([])
})
