/** Agents: what they get of the task that they run. */

import type { Answer, Sender } from '../commands/ledger/types.ts'
import type { JsonValue } from '../core/json-value.ts'
import { requireAsyncIterable, requireFunction, requireObject, requireText } from '../core/require.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { NeedsApproval } from '../events/approval.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import { readToEnd } from '../streams/log/read-to-end.ts'
import { type Turn, turnsOf } from '../turns/index.ts'
import type { Approval, ApproveOptions, AskOptions, Reply, ToolCall } from './ask-options.ts'
import type { AgentInput, Stream } from './stream.ts'

/** A task, as its agent sees it. */
export interface AgentTask extends TaskName {
  /** Who sent the input. */
  readonly user: Sender
  /** The user's message, or a structured request. */
  readonly input: JsonValue
  /** Aborted as soon as the task is to stop: it was canceled, or another process runs it. */
  readonly signal: AbortSignal
  /** The conversation: the earlier tasks, the input, and, after a restart, the responses of this task so far. */
  readonly turns: readonly Turn[]
  /** What the user sends while the task runs. While nobody reads it, such input is refused as `unsupported`. */
  readonly inputs: AsyncIterable<JsonValue>
  /** Whether the task has begun before, and continues after an answer: see `AgentInput`. */
  readonly isResumed: boolean
  /** What the task had sent before, if it `isResumed`: the readers of frameworks continue from it. Omitted: nothing. */
  readonly sent?: readonly ContextAnyEvent[]
  /** Which calls must be approved, by the `needsApproval` of the store: `agentLoop` asks about them. Omitted: none. */
  readonly needsApproval?: NeedsApproval
  /**
   * Asks whether calls may start: `Stream.approve` for this task.
   *
   * @param options.taskId - The subtask of it whose calls they are: what is yielded are drafts of that one. Omitted: the task itself.
   */
  approve(
    calls: readonly ToolCall[],
    options?: ApproveOptions & { readonly taskId?: string },
  ): AsyncGenerator<EventDraft, readonly Approval[]>
  /** Asks a question: `Stream.ask` for this task. */
  ask(options: AskOptions): AsyncGenerator<EventDraft, Reply>
  /** Waits for the answer to a request that the agent has yielded, such as an `auth-required`: `Stream.answer` for this task. */
  answer(request: { readonly authId: string } | { readonly inputId: string }): Promise<Answer | undefined>
  /** The questions, by their `inputId`, that `answer` has resolved for: a framework that asks the same as one of them asks anew. */
  readonly answered: ReadonlySet<string>
  /**
   * Reports an error that the agent handles itself, such as one of a tool. Returns the error that clients receive, if it is an
   * `ErrorInfo`.
   */
  onError(error: unknown): unknown
}

/** An agent: yields what happens in its task. */
export type Agent = (task: AgentTask) => AsyncIterable<EventDraft | ContextAnyEvent>

/**
 * Runs an agent with the input of a stream: what `onInput` of `Store.open` is for. Resolves when the task has ended, and rejects as
 * `Stream.run` does.
 *
 * @param input - As `onInput` gets it.
 * @param onError - Called with the errors that the agent handles itself. Returns the error that clients receive, if it is an `ErrorInfo`.
 *
 * @example
 * ```ts
 * await store.open('chat', { onInput: (stream, input) => runAgent(stream, input, agent, console.error) })
 * ```
 */
export async function runAgent(
  stream: Stream,
  input: AgentInput,
  agent: Agent,
  onError: (error: unknown) => unknown,
): Promise<void> {
  requireObject('stream', stream)
  requireFunction('stream.run', stream.run)
  requireObject('input', input)
  requireText('input.taskId', input.taskId)
  requireFunction('agent', agent)
  requireFunction('onError', onError)
  const { contextId = input.taskId, taskId, sender: user, isResumed } = input
  const name = { contextId, taskId }
  const { needsApproval } = stream
  await stream.run({ ...name, input: input.input }, async function* (signal) {
    const events = await conversation(stream.log)
    const turns = turnsOf(events, name)
    const answered = new Set<string>()
    const drafts = agent({
      ...{ ...name, answered, user, input: input.input, signal, turns, isResumed, onError },
      ...(needsApproval !== undefined && { needsApproval }),
      ...(isResumed && { sent: events.filter((event) => event.taskId === taskId) }),
      inputs: valuesOf(stream, name),
      approve: (calls, options) => stream.approve(calls, { signal, taskId, ...options, contextId }),
      ask: (options) => stream.ask({ signal, ...options, ...name }),
      async answer(request) {
        const answer = await stream.answer({ ...request, ...name }, { signal })
        if ('inputId' in request) answered.add(request.inputId)
        return answer
      },
    })
    requireAsyncIterable('agent()', drafts)
    yield* drafts
  })
}

/** Nobody reads them before the first is asked for. */
async function* valuesOf(stream: Stream, task: TaskName): AsyncGenerator<JsonValue> {
  for await (const { input } of stream.inputs(task)) yield input
}

/** The events that the log has. */
async function conversation(log: EventLog): Promise<ContextAnyEvent[]> {
  let events: ContextAnyEvent[] = []
  for await (const part of readToEnd(log)) {
    if (part.type === 'reset') events = []
    for (const event of part.events ?? []) events.push(event)
  }
  return events
}
