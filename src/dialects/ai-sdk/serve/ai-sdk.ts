/** The AI SDK as a protocol of a handler: what `useChat` posts and reads. */

import type { ReadCommandsOptions } from '../../../commands/wires/command-reader.ts'
import type { Diagnostic } from '../../../core/machine.ts'
import { optional, requireFunction, requireOnly } from '../../../core/require.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import type { Protocol, ProtocolRequest } from '../../../server/handler/options.ts'
import { beginTask, blocked, type Problem } from '../../../server/protocol/begin-task.ts'
import { readTask } from '../../../server/protocol/read-task.ts'
import { textStream } from '../../../server/protocol/text-stream.ts'
import { resumed, type TaskOutputs, type TaskWriter, upToEnd } from '../../../server/protocol/write-task.ts'
import { encodeComment } from '../../../sse/encode.ts'
import { textIn } from '../../../validation/read-fields.ts'
import { commandsFromChatRequest } from '../commands/index.ts'
import { uiMessages } from '../messages/ui-messages.ts'
import { type ToUiMessageStreamOptions, toUiMessageStream } from '../to/to-ui-message-stream.ts'
import { encodeUiMessageChunk, uiMessageStreamEnd, uiMessageStreamHeaders } from '../wire/encode.ts'
import type { UiMessageChunk } from '../wire/types.ts'
import { messageWriter } from './message-writer.ts'
import { WAITING, waitingTask } from './waiting-task.ts'

/** Options of {@link aiSdk}. */
export interface AiSdkOptions extends Pick<ToUiMessageStreamOptions, 'version' | 'tools'> {
  /** Called with the diagnostics of `toUiMessageStream`. Must not throw. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * The protocol of `useChat`, for the option `protocols` of `agentHandler`. The page uses it with `chatTransport`; the id of its chat
 * is the conversation.
 *
 * - `POST <path>` takes the newest message, or the answers in it, and streams the message of the task, until that ends or waits for
 *   the user. Sent again, it has the same response, and starts nothing
 * - `GET <path>/<id>/stream` resumes the message that is being written, from its beginning. While its task waits for the user, there
 *   is no response yet: once the request is answered, on whichever page, the message continues. 204 if no task runs
 * - `GET <path>/<id>` has the messages so far, for the page to begin with
 *
 * Errors are JSON with `error` and `code`: 400 for a body that cannot be read, 403, 404 and 409 for an answer that is not taken, 409
 * `waiting` for a message that is queued behind a task that waits for an answer, 429 beyond a limit.
 *
 * A message that is generated again is a new task with the same input: the agent sees the earlier answer, too.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const handler = agentHandler({ store, user, agent, protocols: { chat: aiSdk() } })
 * ```
 */
export function aiSdk(options: AiSdkOptions = {}): Protocol {
  requireOnly('options', options, ['version', 'tools', 'onDiagnostic'])
  const { onDiagnostic, ...format } = options
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  toUiMessageStream(format)

  const writerFor =
    ({ sender: { role: audience } }: ProtocolRequest): WriterFor =>
    (taskId) =>
      messageWriter(taskId, { ...format, viewer: { audience } }, onDiagnostic)

  return async (request) => {
    const { method } = request.request
    const [id = '', action] = request.path
    if (method === 'POST' && request.path.length === 0) return send(request, writerFor(request))
    if (method !== 'GET' || request.path.length > 2) return failed(nothingHere)
    if (action === 'stream') return resume(request, id, writerFor(request))
    if (action !== undefined || id === '') return failed(nothingHere)
    const viewer = { audience: request.sender.role }
    const view = await (await request.open(id, { create: false }))?.view(viewer)
    return Response.json(view === undefined ? [] : uiMessages(view, { ...format, viewer }), {
      headers: noStore,
    })
  }
}

/** Returns what writes the message of a task. */
type WriterFor = (taskId: string) => TaskWriter<UiMessageChunk>

/** Takes what the page has posted, and answers with what follows. */
async function send(request: ProtocolRequest, writerFor: WriterFor): Promise<Response> {
  const { body } = request
  const read = (options: ReadCommandsOptions) => commandsFromChatRequest(body, options)
  const task = await beginTask(request, textIn(body, 'id') ?? '', read)
  if ('code' in task) return failed(task)
  if (task.isBlocked) return failed(blocked)
  return streamed(task.taskId, upToEnd(task, writerFor(task.taskId)))
}

/**
 * Continues the task that the page has left waiting, which may have ended since; or else with the oldest that runs, as those
 * behind it wait for it.
 */
async function resume(
  { request, open, sender, signal }: ProtocolRequest,
  contextId: string,
  writerFor: WriterFor,
): Promise<Response> {
  const nothing = new Response(null, { status: 204, headers: noStore })
  const stream = await open(contextId, { create: false })
  const view = await stream?.view({ audience: sender.role })
  const tasks = view?.tasks.filter(({ parentTaskId }) => parentTaskId === null) ?? []
  const left = waitingTask(request.url)
  const { taskId } =
    tasks.find((task) => task.taskId === left) ?? tasks.find(({ status }) => !isTerminalStatus(status)) ?? {}
  if (stream === undefined || taskId === undefined) return nothing
  const task = await readTask(stream.log, { taskId }, signal)
  const chunks = task && (await resumed(task, writerFor(taskId)))
  return chunks === undefined ? nothing : streamed(taskId, chunks)
}

/** Browsers send one of two equal requests, unless their responses are not to be stored. */
const noStore: Readonly<Record<string, string>> = { 'cache-control': 'no-store' }

function streamed(taskId: string, chunks: TaskOutputs<UiMessageChunk>): Response {
  const headers = { ...uiMessageStreamHeaders, ...noStore }
  return new Response(textStream(encoded(taskId, chunks)), { headers })
}

async function* encoded(
  taskId: string,
  chunks: TaskOutputs<UiMessageChunk>,
): AsyncGenerator<string, void, undefined> {
  const end = yield* encodedChunks(chunks)
  if (end === 'blocked') yield encodeUiMessageChunk({ type: 'error', errorText: blocked.message })
  if (end === 'waiting') yield encodeComment(`${WAITING}${taskId}`)
  yield uiMessageStreamEnd
}

async function* encodedChunks(chunks: TaskOutputs<UiMessageChunk>): TaskOutputs<string> {
  for (;;) {
    const { done, value } = await chunks.next()
    if (done === true) return value
    yield encodeUiMessageChunk(value)
  }
}

const nothingHere: Problem = { status: 404, code: 'not-found', message: 'There is nothing here.' }

function failed({ status, code, message: error }: Problem): Response {
  return Response.json({ error, code }, { status })
}
