// The messages of a view have the ids and texts that a client builds from the stream.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agUiMessages, fromAgUi } from '../../../src/dialects/ag-ui/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { run } from '../../../src/index.ts'
import { encodeJson } from '../../../src/sse/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'
import { HttpAgent } from './peers.ts'
import { closing, outputsOf, writer } from './support.ts'

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

async function messagesOf(events: readonly ContextAnyEvent[]) {
  const body = outputsOf(writer(), events).map((event, i) => encodeJson(event, { id: `e/${i}` }))
  return served([body.join('')], async (url) => {
    const agent = new HttpAgent({ url, threadId: 't' })
    await agent.runAgent({}, {})
    return agent.messages
  })
}

/** Without progress, which a view keeps in its call. */
const isShown = ({ id }: { id: string }): boolean => !id.endsWith(':progress')

it('are those that the client of the protocol reads from the stream', async () => {
  // Artifacts that are written once: a client shows the version of the stream, a view the latest one.
  const streams = legalStreams({ internal: false, maxChoices: 25 })
  await fc.assert(
    fc.asyncProperty(streams, async (events) => {
      const shown = (await messagesOf(events)).filter(isShown)
      const built = agUiMessages(foldEvents(emptyView, events)).filter(({ role }) => role !== 'user')
      const idsOf = (messages: readonly { id: string; role: string }[]) =>
        messages.map(({ id, role }) => `${role} ${id}`).sort()
      expect(idsOf(built)).toEqual(idsOf(shown))
      for (const message of built) {
        if (message.role === 'reasoning') expect(shown).toContainEqual(message)
        if (message.role !== 'assistant' || message.content === undefined) continue
        expect(shown.find(({ id }) => id === message.id)?.content).toBe(message.content)
      }
    }),
    { numRuns: runs(40) },
  )
})

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
  const messages = agUiMessages(foldEvents(emptyView, events))
  expect(messages).toMatchObject([{ id: 'sealed', role: 'reasoning', content: '', encryptedValue: 'opaque' }])
  expect(await messagesOf(events)).toEqual(messages)
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
  const messages = agUiMessages(foldEvents(emptyView, events))
  expect(messages.map(({ id }) => id)).toEqual(fails ? ['x', 'x:result'] : ['x'])
  expect((await messagesOf(events)).map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
  const reader = run(fromAgUi())
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
  expect(agUiMessages(foldEvents(emptyView, events))).toEqual([
    { id: 't:input', role: 'user', content: 'When?' },
    ...(await messagesOf(events)),
  ])
  const reader = run(fromAgUi())
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
