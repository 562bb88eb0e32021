// Nothing that is hidden from a viewer reaches it, by any way out: streams with secrets in every place.
import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { toA2a } from 'turnstream/a2a'
import { toAcp } from 'turnstream/acp'
import { agUiMessages, toAgUi } from 'turnstream/ag-ui'
import { toAgentEvents } from 'turnstream/agent-event'
import { toUiMessageStream, uiMessages } from 'turnstream/ai-sdk'
import { toFrames } from 'turnstream/frames'
import { toChatCompletions } from 'turnstream/openai'
import { toSessionEvents } from 'turnstream/session'
import { encodeEvent, eventStream } from 'turnstream/sse'
import {
  createRouter,
  createStream,
  emptyView,
  encodeBatch,
  foldEvents,
  project,
  readFilter,
  snapshotEvents,
  type Viewer,
} from 'turnstream/streams'
import { expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import {
  type Fields,
  hidings,
  SECRET,
  secrets,
  withSecretArgument,
  withSecrets,
} from '../../support/canaries.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { runs } from '../../support/runs.ts'

const writers: readonly ((options: { viewer: Viewer }) => unknown)[] = [
  toAgUi,
  toUiMessageStream,
  ({ viewer }) => toA2a({ viewer, version: '1.0' }),
  toAgentEvents,
  ({ viewer }) => toAcp({ viewer, input: true }),
  ({ viewer }) => toChatCompletions({ viewer, includeUsage: true }),
  ({ viewer }) => toSessionEvents({ viewer }),
  ({ viewer }) => toFrames({ viewer, version: 'v2', sessionId: 's', newId: () => 'id' } as never),
  ({ viewer }) => toAgUi({ viewer, extension: true }),
  ({ viewer }) => toUiMessageStream({ viewer, extension: true }),
  ({ viewer }) => toA2a({ viewer, version: '0.3', extension: true }),
]

async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  return body === null ? '' : new Response(body).text()
}

/** All that reaches the viewer, by the way it goes. */
async function waysOut(
  events: readonly ContextAnyEvent[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, string>> {
  const out = new Map<string, string>()
  out.set('project', JSON.stringify(events.map((event) => project(event, viewer))))
  out.set('encodeEvent', events.map((event) => encodeEvent(event, { viewer })).join(''))
  out.set('eventStream', await textOf(eventStream(events, { viewer })))
  const { apply } = readFilter(viewer)
  out.set('readFilter', JSON.stringify(events.map(apply)))
  const delivered: unknown[] = []
  const router = createRouter()
  router.subscribe('**', { viewer }, (event) => delivered.push(event))
  for (const event of events) router.route(event)
  out.set('router', JSON.stringify(delivered))
  const stream = createStream({ stream: 's', epoch: 'e' })
  for (const event of events) await stream.append(event)
  await stream.close()
  out.set('respond', await textOf(stream.respond(null, { viewer }).body))
  out.set('reset', await textOf(stream.respond('{"unreadable', { viewer }).body))
  const short = createStream({ stream: 's', epoch: 'e', limits: { maxEvents: 2 } })
  for (const event of events) await short.append(event)
  await short.close()
  out.set('evicted', await textOf(short.respond(null, { viewer }).body))
  out.set('encodeBatch', encodeBatch(await stream.log.read(null, { filter: readFilter(viewer) })))
  for (const [i, writer] of writers.entries()) {
    const { push, end } = run(writer({ viewer }) as Machine<unknown, ContextAnyEvent, unknown, undefined>)
    out.set(`writer ${i}`, JSON.stringify([...events.flatMap((event) => [...push(event)]), ...end()]))
  }
  const view = foldEvents(emptyView, events)
  out.set('uiMessages', JSON.stringify(uiMessages(view, { viewer })))
  out.set('agUiMessages', JSON.stringify(agUiMessages(view, { viewer })))
  out.set('snapshot', JSON.stringify(snapshotEvents(view).map((event) => project(event, viewer))))
  return out
}

it('no secret reaches a user', async () => {
  await fc.assert(
    fc.asyncProperty(legalStreams({ maxChoices: 30 }), secrets, async (events, places) => {
      const viewer: Viewer = { audience: 'user', subtasks: 'all' }
      const leaks = [...(await waysOut(withSecrets(events, places), viewer))].filter(([, text]) =>
        text.includes(SECRET),
      )
      expect(leaks.map(([way]) => way)).toEqual([])
    }),
    { numRuns: runs(400) },
  )
})

it('an argument that is removed is removed wherever it is repeated', async () => {
  const pointer = fc.constantFrom('/arguments/pin', '/arguments')
  const removed = fc.oneof(
    pointer.map((each): Viewer => ({ audience: 'user', removed: { 'tool-start': [each] } })),
    fc.constant<Viewer>({ audience: 'observer' }),
  )
  await fc.assert(
    fc.asyncProperty(legalStreams({ maxChoices: 30 }), removed, async (events, viewer) => {
      const leaks = [...(await waysOut(withSecretArgument(events), viewer))].filter(([, text]) =>
        text.includes(SECRET),
      )
      expect(leaks.map(([way]) => way)).toEqual([])
    }),
    { numRuns: runs(200) },
  )
})

it.each<[name: string, viewer: Viewer, event: object]>([
  [
    'a signature that is carried of the AI SDK',
    { audience: 'user' },
    {
      ...{ kind: 'content-complete', content: 'hi' },
      metadata: { aiSdk: { providerMetadata: { google: { thoughtSignature: SECRET, own: 1 } } } },
    },
  ],
  [
    'the output of a call, from an observer',
    { audience: 'observer' },
    {
      ...{ kind: 'tool-start', toolCallId: 'k', toolName: 'n', arguments: {} },
      metadata: { output: SECRET, result: SECRET, data: SECRET, toolArgs: SECRET },
    },
  ],
  [
    'a result that is removed, in other words',
    { audience: 'user', removed: { 'tool-complete': ['/result/pin'] } },
    {
      ...{ kind: 'tool-complete', toolCallId: 'k', toolName: 'n', success: true, result: { pin: SECRET } },
      metadata: { output: SECRET, result: SECRET },
    },
  ],
  [
    'an argument that is removed, in JSON within JSON',
    { audience: 'user', removed: { 'tool-start': ['/arguments/pin'] } },
    {
      ...{ kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: 'Pay?' },
      metadata: {
        toolCall: {
          id: 'k',
          function: { name: 'pay', arguments: JSON.stringify(JSON.stringify({ pin: SECRET })) },
        },
      },
    },
  ],
  [
    'what an object of a class becomes in JSON',
    { audience: 'user' },
    {
      kind: 'content-complete',
      content: 'hi',
      metadata: new (class {
        toJSON = () => ({ secret: SECRET })
      })(),
    },
  ],
  [
    'what is labelled for others with a misspelled audience',
    { audience: 'user' },
    { kind: 'content-complete', content: SECRET, metadata: { audience: ['user', 'opertor'] } },
  ],
])('hides %s', (_, viewer, event) => {
  const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
  const seen = project({ ...place, ...event } as unknown as ContextAnyEvent, viewer)
  expect(JSON.stringify(seen) ?? '').not.toContain(SECRET)
})

it('a call to approve keeps the arguments that are not removed', () => {
  const toolCall = { id: 'k', function: { name: 'pay', arguments: '{"pin":1,"n":{"a":2}}' } }
  const asked = {
    ...{ kind: 'input-required', contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' },
    ...{ inputId: 'i', inputType: 'tool-execution', prompt: 'Pay?', metadata: { toolCall } },
  } as unknown as ContextAnyEvent
  const seen = (pointer: string): unknown => {
    const event = project(asked, { audience: 'user', removed: { 'tool-start': [pointer] } })
    return (event as { metadata?: { toolCall?: { function: { arguments: string } } } })?.metadata?.toolCall
      ?.function.arguments
  }
  expect(seen('/arguments/pin')).toBe('{"n":{"a":2}}')
  expect(seen('/arguments/n/a')).toBe('{"pin":1,"n":{}}')
  expect(seen('/arguments')).toBe('')
})

it('each place is one that an operator sees', () => {
  const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
  const events: Readonly<Record<string, Fields>> = {
    default: { ...place, kind: 'content-complete', content: 'a' },
    error: { ...place, kind: 'task-error', error: { code: 'x', message: 'm', retry: 'terminal' } },
    change: {
      ...{ ...place, kind: 'artifact-delta', artifactId: 'a', baseVersion: 1, version: 2 },
      change: { type: 'text-append', text: 'b' },
    },
    thought: {
      ...{ ...place, kind: 'thought-stream', thoughtId: 'a', thoughtType: 'planning', verbosity: 'brief' },
      ...{ content: 'x', index: 0 },
    },
  }
  for (const [name, hide] of Object.entries(hidings)) {
    const hidden = Object.values(events).flatMap((event) => hide(event) ?? [])
    expect([name, hidden.length > 0]).toEqual([name, true])
    for (const event of hidden) {
      const seen = project(event as unknown as ContextAnyEvent, { audience: 'operator' })
      expect([name, JSON.stringify(seen).includes(SECRET)]).toEqual([name, true])
    }
  }
})
