/** An agent that speaks ACP, as an agent. */

import type { Diagnostic } from '../core/machine.ts'
import { onAbort } from '../core/on-abort.ts'
import { readEach } from '../core/read-items.ts'
import { optional, requireFunction, requireObject, requireOnly, requireText } from '../core/require.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { ErrorInfo } from '../events/error.ts'
import type { Agent, AgentTask } from '../server/agent-task.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { fieldsOf } from '../validation/read-fields.ts'
import { AcpUpdates } from './read-updates.ts'

/** A connection with an agent: parsed messages of JSON-RPC, as `ndJsonStream` of `@agentclientprotocol/sdk` makes of a process. */
export interface AcpStream {
  readonly readable: ReadableStream<unknown>
  readonly writable: WritableStream<unknown>
}

/** Options of {@link acpAgent}. */
export interface AcpAgentOptions {
  /** Opens a connection for a task, such as to a process that it starts. It is closed at the end of the task. */
  readonly connect: (task: AgentTask) => AcpStream | PromiseLike<AcpStream>
  /** The working directory of the session, as an absolute path. @defaultValue `'/'` */
  readonly cwd?: string
  /** Called with what has no equivalent, such as `dropped:available_commands_update`. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * Makes an agent of one that speaks the Agent Client Protocol, version 1: each task is a session with one prompt. Messages are
 * texts, thoughts are thoughts, and tools run at the agent. A permission that it asks for is an approval of the task; a task that
 * is canceled cancels the prompt. Files and terminals of the client are not offered to it.
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const agent = acpAgent({
 *   cwd: process.cwd(),
 *   connect() {
 *     const { stdin, stdout } = spawn('gemini', ['--acp'], { stdio: ['pipe', 'pipe', 'inherit'] })
 *     return ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout))
 *   },
 * })
 * ```
 */
export function acpAgent(options: AcpAgentOptions): Agent {
  requireOnly('options', options, ['connect', 'cwd', 'onDiagnostic'])
  const { connect, cwd = '/', onDiagnostic = () => {} } = options
  requireFunction('connect', connect)
  requireText('cwd', cwd)
  optional(requireFunction, 'onDiagnostic', options.onDiagnostic)
  return async function* (task) {
    requireObject('task', task)
    const stream = await connect(task)
    const writer = stream.writable.getWriter()
    try {
      yield* prompt(
        task,
        stream.readable,
        (message) => writer.write({ jsonrpc: '2.0', ...message }),
        cwd,
        onDiagnostic,
      )
    } finally {
      await writer.close().catch(() => {})
    }
  }
}

type Send = (message: object) => Promise<void>

const [INITIALIZE, NEW_SESSION, PROMPT] = [0, 1, 2]

async function* prompt(
  task: AgentTask,
  messages: ReadableStream<unknown>,
  send: Send,
  cwd: string,
  report: (diagnostic: Diagnostic) => void,
): AsyncGenerator<EventDraft> {
  const updates = new AcpUpdates(report)
  let sessionId: unknown
  const cancel = (): void => {
    if (sessionId !== undefined) send({ method: 'session/cancel', params: { sessionId } }).catch(() => {})
  }
  const forget = onAbort(task.signal, cancel)
  const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }
  try {
    await send({ id: INITIALIZE, method: 'initialize', params: { protocolVersion: 1, clientCapabilities } })
    for await (const message of readEach(messages)) {
      const { id, method, params, result, error } = fieldsOf(message)
      const asked = fieldsOf(params)
      if (method === 'session/update') yield* updates.read(fieldsOf(asked.update))
      else if (method === 'session/request_permission') {
        yield* updates.close()
        const outcome = yield* permission(task, updates, asked)
        await send({ id, result: { outcome } })
      } else if (method !== undefined) {
        if (id !== undefined) await send({ id, error: { code: -32601, message: 'Method not found' } })
      } else if (isFields(error)) {
        report({
          code: 'provider-error',
          message: 'The agent reported an error.',
          detail: { code: error.code, message: error.message },
        })
        return yield* end(updates, failure('provider_error', 'The agent failed.'))
      } else if (id === INITIALIZE) {
        await send({ id: NEW_SESSION, method: 'session/new', params: { cwd, mcpServers: [] } })
      } else if (id === NEW_SESSION) {
        sessionId = fieldsOf(result).sessionId
        const text = typeof task.input === 'string' ? task.input : JSON.stringify(task.input)
        await send({
          id: PROMPT,
          method: 'session/prompt',
          params: { sessionId, prompt: [{ type: 'text', text }] },
        })
        if (task.signal.aborted) cancel()
      } else if (id === PROMPT) return yield* end(updates, endOf(fieldsOf(result).stopReason))
    }
    yield* end(updates, failure('unavailable', 'The connection with the agent ended.'))
  } finally {
    forget()
  }
}

/** Asks for a permission. What is not allowed once is rejected. */
async function* permission(
  task: AgentTask,
  updates: AcpUpdates,
  { toolCall, options }: Fields,
): AsyncGenerator<EventDraft, object> {
  const call = updates.callOf(fieldsOf(toolCall))
  const choices = (Array.isArray(options) ? options : []).map(fieldsOf)
  const optionOf = (kind: string): unknown =>
    (
      choices.find((option) => option.kind === `${kind}_once`) ??
      choices.find((option) => option.kind === `${kind}_always`)
    )?.optionId
  const [approval] = yield* task.approve([call])
  if (approval?.status === 'approved' && optionOf('allow') !== undefined) {
    yield* updates.start(call.toolCallId)
    return { outcome: 'selected', optionId: optionOf('allow') }
  }
  const rejected = optionOf('reject')
  return task.signal.aborted || rejected === undefined
    ? { outcome: 'cancelled' }
    : { outcome: 'selected', optionId: rejected }
}

function* end(updates: AcpUpdates, last: EventDraft): Generator<EventDraft, void> {
  yield* updates.end()
  yield last
}

function endOf(reason: unknown): EventDraft {
  if (reason === 'cancelled') return { kind: 'task-status', status: 'canceled' }
  if (reason === 'refusal') return failure('refused', 'The agent refused to answer.')
  if (reason === 'max_tokens' || reason === 'max_turn_requests') {
    return failure('budget_exhausted', 'The agent has used up its tokens or turns.')
  }
  return { kind: 'task-complete' }
}

function failure(code: ErrorInfo['code'], message: string): EventDraft {
  return { kind: 'task-status', status: 'failed', error: { code, message, retry: 'terminal' } }
}
