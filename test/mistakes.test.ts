// Proves that each typical mistake of a newcomer is named: what was expected, what came, and what to write instead.

import { createEmitter, type Diagnostic, eventDecoder, iterate, pipe, readEvents, run } from 'turnstream'
import { toAgUi } from 'turnstream/ag-ui'
import { aiSdk } from 'turnstream/ai-sdk'
import { agentClient } from 'turnstream/client'
import { createCommand } from 'turnstream/commands'
import { openaiChat } from 'turnstream/providers'
import { agentHandler, memoryStore } from 'turnstream/server'
import { sqlStore } from 'turnstream/sql'
import { encodeEvent, eventStream, eventStreamHeaders, jsonDecoder } from 'turnstream/sse'
import { createStream, emptyView, foldEvent, verifier, watchStream } from 'turnstream/streams'
import { expect, it } from 'vitest'

/** A call with what its type refuses. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler names these mistakes; this is what it does not see.
const any = (value: unknown): any => value

const context = { contextId: 'c', taskId: 't' }
const draft = { kind: 'content-delta', delta: 'Hi' } as const
const event = { ...context, ...draft, index: 0, timestamp: '2026-01-31T10:30:00Z' }
const request = new Request('https://example.com/agent')
const sse = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n')
const handler = { store: memoryStore(), user: () => 'ann', agent: async function* () {} }

/** What a machine reports of its inputs. */
function reported(machine: unknown, ...inputs: readonly unknown[]): string | undefined {
  const diagnostics: Diagnostic[] = []
  const { push } = run(any(machine), { onDiagnostic: (one) => diagnostics.push(one) })
  for (const input of inputs) push(input)
  return diagnostics[0]?.message
}

async function read(source: unknown): Promise<void> {
  for await (const _ of readEvents(any(source)));
}

async function usedBody(): Promise<Response> {
  const response = new Response('data: 1\n\n', { headers: { 'content-type': 'text/event-stream' } })
  await response.text()
  return response
}

/** Each mistake, as it is made, and what names it. */
const mistakes: readonly (readonly [mistake: string, make: () => unknown, named: string])[] = [
  [
    'bytes to a reader of values, without jsonDecoder',
    () => reported(openaiChat(), sse),
    'Dropped an invalid event. Expected an object, got bytes; jsonDecoder reads a body.',
  ],
  [
    'text to a reader of values, without jsonDecoder',
    () => reported(openaiChat(), 'data: {}'),
    'Dropped an invalid event. Expected an object, got string; jsonDecoder reads a body.',
  ],
  [
    'a reader that is not called',
    () => run(any(openaiChat)),
    '"machine" must be a machine such as jsonDecoder(), got a function.',
  ],
  [
    'options in a pipe',
    () => pipe(jsonDecoder(), any({})),
    '"machines[1]" must be a machine such as jsonDecoder(), got an object.',
  ],
  [
    'the source before the machine',
    () => iterate(any([]), any(openaiChat())),
    '"source" must be a ReadableStream, an async iterable or an iterable, got an object.',
  ],
  [
    'a URL to readEvents',
    () => read('https://example.com/'),
    '"source" must be a Response, a ReadableStream, an async iterable or an iterable, got "https://example.com/".',
  ],
  [
    'fetch without await',
    () => read(Promise.resolve(new Response(''))),
    '"source" must be a Response, a ReadableStream, an async iterable or an iterable, got a Promise: await it first.',
  ],
  [
    'a body that was read',
    async () => read(await usedBody()),
    '"source" must be a body that nobody has read, got a locked one.',
  ],
  [
    'an HTML page to readEvents',
    () => read(new Response('<html>', { headers: { 'content-type': 'text/html' } })),
    'Expected an event stream, got status 200 with content type text/html.',
  ],
  [
    'a misspelled option',
    () => eventDecoder(any({ maxMessageSizes: 1 })),
    '"options" must be an object of "maxMessageSize", "maxDepth" and "inexactNumbers", got "maxMessageSizes".',
  ],
  [
    'a draft folded',
    () => foldEvent(emptyView, any(draft)),
    '"event" must be an event with context, as createEmitter makes them, got one without "contextId", "taskId" and "timestamp".',
  ],
  [
    'a draft encoded',
    () => encodeEvent(any(draft), { viewer: 'all' }),
    '"event" must be an event with context, as createEmitter makes them, got one without "contextId", "taskId" and "timestamp".',
  ],
  [
    'drafts to eventStream',
    async () => new Response(any(eventStream)([draft], { viewer: 'all' })).text(),
    '"event" must be an event with context, as createEmitter makes them, got one without "contextId", "taskId" and "timestamp".',
  ],
  [
    'an event encoded for nobody',
    () => any(encodeEvent)(event),
    '"viewer" must be a viewer such as { audience: "user" }, or "all", got undefined.',
  ],
  [
    'the name of an audience as viewer',
    () => encodeEvent(any(event), { viewer: any('user') }),
    '"viewer" must be a viewer such as { audience: "user" }, or "all", got "user".',
  ],
  [
    'an emitter without ids',
    () => createEmitter(any({})),
    '"contextId" must be a non-empty string, got undefined.',
  ],
  [
    'a kind in snake case',
    () => createEmitter(context).emit(any({ kind: 'content_delta', delta: 'Hi' })),
    '"kind" must be an event kind such as "content-delta", "content-complete" or "content-replace", got "content_delta".',
  ],
  [
    'a field of another name',
    () => createEmitter(context).emit(any({ kind: 'content-delta', text: 'Hi' })),
    'Invalid content-delta event. /delta: Missing: expected a string.',
  ],
  [
    'a draft to a mapper',
    () => reported(toAgUi(), draft),
    'Dropped an invalid event. /index: Missing: expected an integer.',
  ],
  ['a Request as options', () => createStream(any(request)), '"options" must be an object, got a Request.'],
  [
    'a Response instead of a function to watchStream',
    () => watchStream(any(new Response(''))).next(),
    '"connect" must be a function, got a Response.',
  ],
  [
    'a handler without user',
    () => agentHandler(any({ ...handler, user: undefined })),
    '"user" must be a function such as (request) => userId, got undefined.',
  ],
  [
    'a store that is not called',
    () => agentHandler(any({ ...handler, store: memoryStore })),
    '"store" must be a store such as memoryStore(), got a function.',
  ],
  [
    'an agent that is called',
    () => agentHandler(any({ ...handler, agent: handler.agent() })),
    '"agent" must be a function such as (task) => agentLoop(task, options), got an AsyncGenerator.',
  ],
  [
    'a list of protocols',
    () => agentHandler(any({ ...handler, protocols: [aiSdk()] })),
    '"protocols" must be protocols by segment of the path, such as { chat: aiSdk() }, got an array.',
  ],
  [
    'a request of Node.js to the handler',
    () => agentHandler(handler)(any({ url: '/agent', method: 'GET', headers: {} })),
    '"request" must be a Request, which toNodeListener(handler) makes of those of Node.js, got an object.',
  ],
  ['a page without a URL', () => any(agentClient)(), '"url" must be a non-empty string, got undefined.'],
  [
    'a kind of command that is not',
    () => createCommand(any({ kind: 'input.response' })),
    '"kind" must be "task.send", "task.cancel", "input.respond", "auth.respond", "tool.result" or "stream.resume", got "input.response".',
  ],
  [
    'a database that is no driver',
    () => sqlStore({ database: any('postgres://localhost') }),
    '"database" must be a SqlDatabase, such as sqlite(db) or postgres(pool), got "postgres://localhost".',
  ],
  [
    'a stream whose messages have no ids, to watchStream',
    () =>
      watchStream(
        () => new Response(encodeEvent(any(event), { viewer: 'all' }), { headers: eventStreamHeaders }),
      ).next(),
    'Expected messages of a stream, whose ids are positions, got 1 other message. Dropped a content-delta event. Expected an event id with a position in the stream, such as "stream:epoch:41".',
  ],
  [
    'a mode that is not',
    () => verifier({ mode: any('loose') }),
    '"mode" must be "strict", "standard" or "lenient", got "loose".',
  ],
]

it.each(mistakes)('%s', async (_, make, named) => {
  const came = await (async () => make())().catch((error: unknown) => (error as Error).message)
  expect(came).toBe(named)
})
