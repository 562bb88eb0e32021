/** AG-UI as a protocol of a handler. */

import type { ReadCommandsOptions } from '../../../commands/wires/command-reader.ts'
import type { Diagnostic } from '../../../core/machine.ts'
import { optional, requireFunction, requireOnly } from '../../../core/require.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import type { Protocol, ProtocolRequest } from '../../../server/handler/options.ts'
import { beginTask, blocked, faultIn, type Problem } from '../../../server/protocol/begin-task.ts'
import { readTask } from '../../../server/protocol/read-task.ts'
import { textStream } from '../../../server/protocol/text-stream.ts'
import { replayed, type TaskOutputs, upToEnd } from '../../../server/protocol/write-task.ts'
import { encodeJson } from '../../../sse/encode.ts'
import { eventStreamHeaders } from '../../../sse/headers.ts'
import { objectsIn, textIn } from '../../../validation/read-fields.ts'
import { commandsFromRunAgentInput } from '../commands/index.ts'
import { agUiMessages } from '../messages/messages.ts'
import type { ToAgUiOptions } from '../to/options.ts'
import type { AgUiEvent, AgUiMessage } from '../wire/types/index.ts'
import { runWriter } from './run-writer.ts'

/** Options of {@link agUi}. */
export interface AgUiOptions extends Pick<ToAgUiOptions, 'extension'> {
  /** Called with the diagnostics of `toAgUi`. Must not throw. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * The protocol of AG-UI, for the option `protocols` of `agentHandler`: CopilotKit, assistant-ui and `HttpAgent` use the agent. The
 * thread is the conversation of the user.
 *
 * - `POST <path>` takes a `RunAgentInput`: its newest message, or the answers in `resume` and in tool messages, and streams the run, until
 *   it ends or is interrupted. Sent again, it has the same response, and starts nothing
 * - `POST <path>/connect` takes one, too, and streams what the client has missed: the messages so far, and the runs of the task that works
 *   or waits, up to its end or an interrupt
 *
 * Errors are a `RUN_ERROR` with a `code`, as JSON: 400 for a body that cannot be read, 403, 404 and 409 for an answer that is not taken,
 * 409 `waiting` for a message that is queued behind a task that waits for an answer, 429 beyond a limit.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const handler = agentHandler({ store, user, agent, protocols: { 'ag-ui': agUi() } })
 * ```
 */
export function agUi(options: AgUiOptions = {}): Protocol {
  requireOnly('options', options, ['extension', 'onDiagnostic'])
  const { onDiagnostic, ...format } = options
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  runWriter('', 0, format, onDiagnostic)
  return async (request) => {
    const { body, path, sender } = request
    const [action] = path
    const isKnown = path.length === 0 || (path.length === 1 && action === 'connect')
    if (request.request.method !== 'POST' || !isKnown) return failed(notFound)
    const [threadId, runId] = [textIn(body, 'threadId'), textIn(body, 'runId')]
    const fault = faultIn({ threadId: 'id', runId: 'id' }, body)
    if (fault !== undefined || threadId === undefined || runId === undefined) return failed(fault ?? notFound)
    const run: Run = { threadId, runId, viewer: { audience: sender.role }, ...format }
    return action === 'connect' ? connect(request, run, onDiagnostic) : start(request, run, onDiagnostic)
  }
}

const notFound: Problem = { status: 404, code: 'not-found', message: 'Expected a POST of a RunAgentInput.' }

type Run = ToAgUiOptions & { readonly threadId: string; readonly runId: string; readonly viewer: object }
type Report = AgUiOptions['onDiagnostic']

/** Runs what the client has posted, and answers with the run. */
async function start(request: ProtocolRequest, run: Run, onDiagnostic: Report): Promise<Response> {
  const { body } = request
  const read = (options: ReadCommandsOptions) => commandsFromRunAgentInput(body, options)
  const task = await beginTask(request, run.threadId, read)
  if ('code' in task) return failed(task)
  if (task.isBlocked) return failed(blocked)
  // What follows the newest message of the user are the earlier runs of the task.
  const all = objectsIn(body, 'messages') as readonly unknown[] as readonly AgUiMessage[]
  const messages = all.slice(0, all.findLastIndex(({ role }) => role === 'user') + 1)
  const writer = runWriter(task.taskId, task.skipped, { ...run, messages }, onDiagnostic)
  return streamed(upToEnd(task, writer))
}

/** Answers with what a client has missed. */
async function connect({ open, signal }: ProtocolRequest, run: Run, onDiagnostic: Report): Promise<Response> {
  const { threadId, runId, viewer } = run
  const stream = await open(threadId, { create: false })
  const view = await stream?.view(viewer)
  const messages = view === undefined ? [] : agUiMessages(view, { viewer })
  const running = view?.tasks.find(
    ({ parentTaskId, status }) => parentTaskId === null && !isTerminalStatus(status),
  )
  const task = stream && running && (await readTask(stream.log, { taskId: running.taskId }, signal))
  if (task === undefined) return streamed(missed({ threadId, runId }, messages))
  const input = messages.findIndex(({ id }) => id === `${task.taskId}:input`)
  const before = messages.slice(0, input + 1)
  const writer = runWriter(task.taskId, 0, { ...run, messages: before }, onDiagnostic)
  return streamed(withMessages(replayed(task, writer), before))
}

/** A run that only brings the messages of a thread. */
async function* missed(
  run: Pick<Run, 'threadId' | 'runId'>,
  messages: AgUiMessage[],
): TaskOutputs<AgUiEvent> {
  yield { type: 'RUN_STARTED', ...run, protocolVersion: '1.0' }
  yield { type: 'MESSAGES_SNAPSHOT', messages }
  yield { type: 'RUN_FINISHED', ...run, outcome: { type: 'success' } }
  return 'ended'
}

/** Events, with messages at the beginning of the first run. */
async function* withMessages(
  events: TaskOutputs<AgUiEvent>,
  messages: AgUiMessage[],
): TaskOutputs<AgUiEvent> {
  let hasBegun = false
  for await (const event of events) {
    yield event
    if (!hasBegun && event.type === 'RUN_STARTED') yield { type: 'MESSAGES_SNAPSHOT', messages }
    hasBegun = true
  }
  return undefined
}

function streamed(events: TaskOutputs<AgUiEvent>): Response {
  return new Response(textStream(encoded(events)), { headers: { ...eventStreamHeaders } })
}

async function* encoded(events: TaskOutputs<AgUiEvent>): AsyncGenerator<string, void, undefined> {
  for (;;) {
    const { done, value } = await events.next()
    if (done !== true) yield encodeJson(value)
    else if (value === 'blocked') yield encodeJson(errorOf(blocked))
    if (done === true) return
  }
}

function failed(problem: Problem): Response {
  return Response.json(errorOf(problem), { status: problem.status })
}

function errorOf({ code, message }: Problem): AgUiEvent {
  return { type: 'RUN_ERROR', message, code }
}
