/** The agent that a remote one is: it posts prompts and answers, and yields what comes. */

import { iterate } from '../../core/iterate.ts'
import type { JsonMessage } from '../../core/json-message.ts'
import type { Machine } from '../../core/machine.ts'
import { run } from '../../core/machine.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import type { Agent, AgentTask } from '../../server/agent-task.ts'
import { describeError } from '../../server/describe-error.ts'
import { jsonDecoder } from '../../sse/json-decoder.ts'
import {
  type Answered,
  type InputRequired,
  impossibleIn,
  type Login,
  withOwnProvider,
  withoutApproval,
} from './answered.ts'
import { HeldCalls } from './held-calls.ts'
import { Logins } from './logins.ts'
import type { RemoteAgentOptions } from './options.ts'
import { reported } from './peer-error.ts'

type Reader = Machine<object, JsonMessage, ContextAnyEvent, unknown>

/** How a protocol is spoken. */
export interface Remote<Request, Thread> {
  /** What is known of a conversation before its first task here. */
  begin(task: AgentTask): Thread
  /** The request that begins a task. */
  prompt(task: AgentTask, thread: Thread): Request
  /** The request with answers, under the ids of the agent: the state of the reader has them. */
  answer(
    task: AgentTask,
    thread: Thread,
    answers: readonly Answered[],
    state: object | undefined,
    logins: readonly Login[],
  ): Request
  /** The request that cancels the task, if there is one. */
  cancel?(thread: Thread): Request | undefined
  /** Whether a reader reads one task, and not all of a conversation. */
  readonly isPerTask?: true
  /** Whether it announces calls before it asks about them. */
  readonly holdsCalls?: true
  /** Whether a request for authentication can be answered. */
  readonly answersAuth?: true
  /** Reads the response to a request. */
  reader(request: Request, task: AgentTask): Reader
  /** Remembers a message, and an event, for later requests. */
  onMessage?(thread: Thread, message: JsonMessage): void
  onEvent?(thread: Thread, event: ContextAnyEvent, state: object): void
}

/** A conversation with the agent. */
interface Kept<Thread> {
  readonly thread: Thread
  /** The state of the reader: a task that waits continues in the next response. */
  state?: object
}

/** The conversations that are known; the oldest are forgotten. */
const MAX_THREADS = 1024

export function remoteAgent<Request, Thread>(
  remote: Remote<Request, Thread>,
  options: RemoteAgentOptions<Request>,
): Agent {
  const threads = new Map<string, Kept<Thread>>()
  return (task) => {
    const { contextId } = task
    const known = threads.get(contextId)
    const kept = known ?? { thread: remote.begin(task) }
    threads.delete(contextId)
    threads.set(contextId, kept)
    for (const [oldest] of threads) if (threads.size > MAX_THREADS) threads.delete(oldest)
    if (task.isResumed && known === undefined) return lost()
    return converse(task, remote, options, kept)
  }
}

async function* lost(): AsyncGenerator<EventDraft> {
  const message = 'What the agent waited for was lost with the process that had asked it.'
  yield failed({ code: 'unavailable', message, retry: 'retryable' })
}

async function* converse<Request, Thread>(
  task: AgentTask,
  remote: Remote<Request, Thread>,
  options: RemoteAgentOptions<Request>,
  kept: Kept<Thread>,
): AsyncGenerator<EventDraft | ContextAnyEvent> {
  const { signal } = task
  const declared = new Set((options.clientTools ?? []).map(({ name }) => name))
  /** The task of the agent, as it names it. */
  const root: { taskId?: string } = {}
  const held = remote.holdsCalls === true ? new HeldCalls() : undefined
  if (remote.isPerTask === true) delete kept.state
  try {
    let request = remote.prompt(task, kept.thread)
    while (!signal.aborted) {
      const asked: InputRequired[] = []
      const logins = new Logins(task)
      let hasEnded = false
      for await (const read of responseTo(request, task, remote, options, kept, logins.left)) {
        const event = withOwnProvider(read, declared)
        if (event.kind === 'task-created' && event.parentTaskId === undefined) root.taskId ??= event.taskId
        // What ends a task of an earlier response.
        if (root.taskId === undefined) continue
        const isOwn = event.taskId === root.taskId
        const impossible = impossibleIn(event, declared, isOwn, remote.answersAuth === true)
        if (impossible !== undefined) {
          const { message, error } = impossible
          const known = task.onError(error)
          await cancel(remote, options, kept.thread)
          yield failed(describeError(known) ?? { code: 'unsupported', message, retry: 'terminal' })
          return
        }
        if (isOwn && event.kind === 'input-required') asked.push(event)
        if (isOwn && isTaskEnd(event)) hasEnded = true
        for (const each of held?.take(event) ?? [event]) {
          const shown = reported(each, task)
          const own = isOwn ? draftOf(shown) : below(shown, task, root.taskId)
          if (own !== undefined) yield own
        }
        if (isOwn) yield* logins.follow(event)
      }
      if (hasEnded) return
      if (asked.length === 0 && !logins.areOpen) {
        yield failed({
          code: 'unavailable',
          message: 'The agent stopped without an end.',
          retry: 'retryable',
        })
        return
      }
      const completed = await logins.answers()
      const answers: Answered[] = []
      for (const each of asked) {
        const { inputId, prompt } = each
        answers.push({ request: each, reply: withoutApproval(each, yield* task.ask({ inputId, prompt })) })
      }
      for (const each of held?.decide(answers) ?? []) {
        const start = draftOf(each)
        if (start !== undefined) yield start
      }
      request = remote.answer(task, kept.thread, answers, kept.state, completed)
    }
  } catch (error) {
    if (!signal.aborted) {
      const known = task.onError(error)
      const unreachable = {
        code: 'unavailable',
        message: 'The agent cannot be reached.',
        retry: 'retryable',
      } as const
      yield failed(describeError(known) ?? unreachable)
      return
    }
  }
  await cancel(remote, options, kept.thread)
  yield { kind: 'task-status', status: 'canceled' }
}

/** Posts a request, and reads the response. */
async function* responseTo<Request, Thread>(
  request: Request,
  task: AgentTask,
  remote: Remote<Request, Thread>,
  { post, onDiagnostic }: RemoteAgentOptions<Request>,
  kept: Kept<Thread>,
  left: AbortSignal,
): AsyncGenerator<ContextAnyEvent> {
  const signal = AbortSignal.any([task.signal, left])
  const { ok, status, body } = await post(request, { signal })
  if (!ok || body === null) throw new Error(`Expected a response of the agent, got ${status}.`)
  const { state } = kept
  const reporting = onDiagnostic === undefined ? {} : { onDiagnostic }
  const reader = run(remote.reader(request, task), { ...reporting, ...(state !== undefined && { state }) })
  try {
    for await (const message of iterate(jsonDecoder(), body, { ...reporting, signal })) {
      remote.onMessage?.(kept.thread, message)
      const events = reader.push(message)
      // Whoever reads stops at the end of the task.
      kept.state = reader.state
      for (const event of events) {
        remote.onEvent?.(kept.thread, event, reader.state)
        yield event
      }
    }
  } catch (error) {
    if (!left.aborted || task.signal.aborted) throw error
    return
  }
  yield* reader.end()
}

async function cancel<Request, Thread>(
  remote: Remote<Request, Thread>,
  { post }: RemoteAgentOptions<Request>,
  thread: Thread,
): Promise<void> {
  const request = remote.cancel?.(thread)
  if (request === undefined) return
  try {
    await post(request, { signal: new AbortController().signal })
  } catch {
    // The task is canceled here, whether the agent learns of it or not.
  }
}

/** An event of the agent's task as a draft. `undefined` if the stream itself states it: beginnings, waits and answers. */
function draftOf(event: ContextAnyEvent): EventDraft | undefined {
  const { kind } = event
  if (kind === 'task-created' || kind === 'input-received') return undefined
  // The stream states that its task works; what it works on, the agent does.
  const isProgress = kind === 'task-status' && event.status === 'working' && event.message !== undefined
  if (kind === 'task-status' && !isProgress && !isTaskEnd(event)) return undefined
  const { contextId: _, taskId: __, timestamp: ___, ...draft } = event as ContextAnyEvent & { index?: number }
  delete draft.index
  return draft as EventDraft
}

/** An event of a subtask, below the task here. */
function below(event: ContextAnyEvent, { taskId }: AgentTask, root: string | undefined): ContextAnyEvent {
  return event.parentTaskId === root && root !== undefined ? { ...event, parentTaskId: taskId } : event
}

function failed(error: ErrorInfo): EventDraft {
  return { kind: 'task-status', status: 'failed', message: error.message, error }
}

/** An input as text. */
export function textOfInput(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
}
