/** Chat Completions as a protocol of a handler. */

import { createCommand } from '../../../commands/create.ts'
import type { ReadCommands, ReadCommandsOptions } from '../../../commands/wires/command-reader.ts'
import type { Diagnostic } from '../../../core/machine.ts'
import { onAbort } from '../../../core/on-abort.ts'
import { optional, requireFunction, requireOnly } from '../../../core/require.ts'
import type { Protocol, ProtocolRequest } from '../../../server/handler/options.ts'
import { beginTask, blocked, faultIn, type Problem } from '../../../server/protocol/begin-task.ts'
import { readTask, type TaskEvents } from '../../../server/protocol/read-task.ts'
import { textStream } from '../../../server/protocol/text-stream.ts'
import { type TaskWriter, upToEnd } from '../../../server/protocol/write-task.ts'
import type { Stream } from '../../../server/stream.ts'
import { encodeJson } from '../../../sse/encode.ts'
import { eventStreamHeaders } from '../../../sse/headers.ts'
import { isFields } from '../../../validation/predicates.ts'
import { textIn } from '../../../validation/read-fields.ts'
import {
  type CompletionNames,
  commandsFromChatCompletion,
  completionShape,
  conversationIn,
  exchangesIn,
} from '../commands/chat-completion.ts'
import type { ChatCompletionEvent } from '../wire/chunk.ts'
import { REPLY_TO_CALL } from '../wire/question.ts'
import { completionOf, errorOf, statusOf } from './completion.ts'
import { namesOf, type Recent, type RequestNames } from './names.ts'
import { continued, type Replies, taskWriter, type Written } from './task-writer.ts'

/** Options of {@link chatCompletions}. */
export interface ChatCompletionsOptions {
  /**
   * Returns the name of the conversation that a request continues. Omitted: `metadata.conversation` of the body, or else the header
   * `x-conversation`. `undefined`, or an empty text: the request is a conversation of its own.
   */
  readonly conversation?: (body: unknown, request: Request) => string | undefined
  /** Called with the diagnostics of `toChatCompletions`. Must not throw. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * The protocol of OpenAI's Chat Completions, for the option `protocols` of `agentHandler`: any client of it talks to the agent, with
 * `stream` and without.
 *
 * The newest message of the user is the input of a task. The earlier messages of the request begin a conversation that is new: as
 * earlier tasks, without instructions and calls. A conversation that has a name has its own history, and the request only adds to it.
 *
 * What the agent asks ends the message as text, and the next message of a conversation with a name is the answer: `approve` or
 * `decline` for calls. A conversation without a name cannot be answered, so that its task is canceled. A client that sends a request
 * again, with the same `Idempotency-Key` or as the SDK does after a failure, gets the same task. A message may follow the results of
 * calls; without those of open calls it is 400.
 *
 * Errors are those of OpenAI: `{ error: { message, type, code, param } }`.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const protocols = { 'v1/chat/completions': chatCompletions() }
 * const handler = agentHandler({ store, user, agent, protocols })
 * const client = new OpenAI({ baseURL: 'https://example.com/agent/v1', apiKey })
 * ```
 */
export function chatCompletions(options: ChatCompletionsOptions = {}): Protocol {
  requireOnly('options', options, ['conversation', 'onDiagnostic'])
  const { onDiagnostic, conversation = (body, { headers }) => conversationIn(body, headers) } = options
  requireFunction('conversation', conversation)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  const recent: Recent = new Map()

  return async (request) => {
    const { body, path, sender } = request
    if (request.request.method !== 'POST' || path.length > 0)
      return failed({ status: 404, code: 'not-found', message: 'Expected a POST of a completion.' })
    const fault = faultIn(completionShape, body)
    if (fault !== undefined || !isFields(body)) return failed(fault ?? notFound)
    const name = conversation(body, request.request) || undefined
    const names = namesOf(request, name, recent)
    const streams = body.stream === true
    const includeUsage =
      !streams || (isFields(body.stream_options) && body.stream_options.include_usage === true)
    const model = textIn(body, 'model') || 'agent'
    const written = { model, includeUsage, viewer: { audience: sender.role } }
    const replies = name === undefined ? unnamed : named
    const writerOf = (taskId: string) => taskWriter(taskId, written, replies, onDiagnostic)
    const task = await taskOf(request, names, writerOf)
    if ('code' in task) return failed(task)
    if (task.isBlocked) return failed(blocked)
    const writer = writerOf(task.taskId)
    const onWaiting = async (): Promise<void> => {
      if (name === undefined) await cancel(request, names, task)
    }
    const chunks = continued(task, upToEnd(task, writer), onWaiting)
    if (name === undefined) onAbort(request.signal, () => void canceledLater(request, names, task, writerOf))
    return streams ? streamed(chunks) : completed(chunks)
  }
}

const named: Replies = { call: REPLY_TO_CALL, other: '' }
const noReply = 'This conversation has no name, so that it cannot be answered.'
const unnamed: Replies = { call: noReply, other: noReply }

/** The task of a request: of its message, or the one that waits, if the message is no answer to it. */
async function taskOf(
  request: ProtocolRequest,
  names: RequestNames,
  writerOf: (taskId: string) => TaskWriter<Written>,
): Promise<TaskEvents | Problem> {
  const { body, sender, open, signal } = request
  const { contextId } = names
  // Sent again, it is what it was: the question may be closed by now.
  const read = (options: ReadCommandsOptions): ReadCommands => {
    const found = names.read ?? commandsFromChatCompletion(body, names, options)
    if (found.commands.length > 0) names.read = found
    return found
  }
  const stream = await open(contextId, { create: false })
  const requests = (await stream?.requests()) ?? []
  const { commands, diagnostics } = read({ requests, role: sender.role })
  const [first] = requests
  const isNoAnswer = commands.length === 0 && diagnostics.some(({ code }) => code === 'dropped:answer')
  if (isNoAnswer && first === undefined) return closed
  if (stream === undefined || first === undefined || !isNoAnswer)
    return beginTask(request, contextId, read, (opened) => begin(opened, contextId, body))
  const taskId = first.ancestorTaskIds?.at(-1) ?? first.taskId
  const task = await readTask(stream.log, { taskId }, signal)
  return task === undefined ? notFound : { ...task, skipped: lastEnd(task, writerOf(taskId)) }
}

const closed: Problem = {
  status: 409,
  code: 'conflict',
  message: 'The question has been answered before, or is gone.',
}

const notFound: Problem = { status: 404, code: 'not-found', message: 'There is no such task.' }

/** The event at which the latest message of a task has ended. */
function lastEnd({ past }: TaskEvents, { push, isEnd }: TaskWriter<Written>): number {
  return past.map((event) => push(event).some(isEnd)).lastIndexOf(true)
}

/** The most exchanges that a conversation begins with: the latest. */
const MAX_EXCHANGES = 100

/** Begins a conversation with what the client has of it. */
async function begin(stream: Stream, contextId: string, body: unknown): Promise<void> {
  const exchanges = exchangesIn(body).slice(-MAX_EXCHANGES)
  for (const [i, { input, answer }] of exchanges.entries())
    await stream.run({ contextId, taskId: `${contextId}:before:${i}`, input }, async function* () {
      yield { kind: 'content-complete', content: answer }
    })
}

/** Cancels a task that nobody reads any more, once it waits: nobody can answer it. */
async function canceledLater(
  request: ProtocolRequest,
  names: CompletionNames,
  { taskId }: TaskEvents,
  writerOf: (taskId: string) => TaskWriter<Written>,
): Promise<void> {
  try {
    const stream = await request.open(names.contextId, { create: false })
    const task = stream && (await readTask(stream.log, { taskId }, new AbortController().signal))
    if (task === undefined) return
    const rest = continued(task, upToEnd(task, writerOf(taskId)), () => cancel(request, names, task))
    while ((await rest.next()).done !== true);
  } catch {
    // The store does not answer: the task is left as it is.
  }
}

async function cancel(
  { open, submit }: ProtocolRequest,
  { contextId, commandId }: CompletionNames,
  { taskId }: TaskEvents,
): Promise<void> {
  const stream = await open(contextId, { create: false })
  const reason = 'Nobody can answer in a conversation without a name.'
  const command = createCommand({
    kind: 'task.cancel',
    commandId: `${commandId}:cancel`,
    contextId,
    taskId,
    reason,
  })
  if (stream !== undefined) await submit(stream, command)
}

type Chunks = AsyncGenerator<ChatCompletionEvent, void, undefined>

function streamed(chunks: Chunks): Response {
  return new Response(textStream(encoded(chunks)), { headers: { ...eventStreamHeaders } })
}

async function* encoded(chunks: Chunks): AsyncGenerator<string, void, undefined> {
  for await (const chunk of chunks) yield encodeJson(chunk)
  yield 'data: [DONE]\n\n'
}

async function completed(chunks: Chunks): Promise<Response> {
  const completion = await completionOf(chunks)
  if (!('error' in completion)) return Response.json(completion)
  if (completion.error.code === blocked.code) return failed(blocked)
  return Response.json(completion, { status: statusOf(completion.error.code), headers: noRetry })
}

/** The SDKs would send the request again, and get the same. */
const noRetry: Readonly<Record<string, string>> = { 'x-should-retry': 'false' }

function failed(problem: Problem): Response {
  return Response.json(errorOf(problem), { status: problem.status, headers: noRetry })
}
