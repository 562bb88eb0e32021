/** An AG-UI agent as an agent. */

import { fromAgUi } from '../../dialects/ag-ui/from/from-ag-ui.ts'
import { interruptIdOf, ownCallId } from '../../dialects/ag-ui/from/own-ids.ts'
import type { AgUiMessage, AgUiRunInput } from '../../dialects/ag-ui/wire/types/index.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Agent, AgentTask } from '../../server/agent-task.ts'
import type { Turn } from '../../turns/index.ts'
import { isFields } from '../../validation/predicates.ts'
import { type Answered, isClientCall } from './answered.ts'
import { type ClientTool, type RemoteAgentOptions, requireRemote } from './options.ts'
import { type Remote, remoteAgent, textOfInput } from './remote-agent.ts'

/** What is posted of a conversation. */
interface Thread {
  messages: AgUiMessage[]
  /** How often the task was continued. */
  runs: number
  /** The ids of its calls, by those that they have here. Only those that differ. */
  readonly callIds: Map<string, string>
}

/**
 * An AG-UI agent, such as one of LangGraph, Mastra, pydantic-ai or CrewAI, as the agent of a stream: posts each input as a run,
 * and what a user answers as the run that resumes it. The conversation is the thread, with all of its messages, and the task
 * the run.
 *
 * What the agent asks is asked in the stream; its subtasks are subtasks. A call starts in the stream when its result comes, or once it is
 * approved, if the agent asks about it as its run ends. If it runs though the answer has not approved it, its `tool-start` has
 * `metadata.provider: 'provider'`. After a restart the task that waited fails, as nobody
 * knows what the agent waits for.
 *
 * Errors of the agent go to the `onError` of the task; the page gets a sentence without details.
 *
 * Diagnostics: those of `fromAgUi`.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const agent = agUiAgent({
 *   post: (input, { signal }) => fetch(url, { method: 'POST', headers, body: JSON.stringify(input), signal }),
 * })
 * ```
 */
export function agUiAgent(options: RemoteAgentOptions<AgUiRunInput>): Agent {
  requireRemote(options)
  return remoteAgent(agUi(options.clientTools ?? []), options)
}

function agUi(clientTools: readonly ClientTool[]): Remote<AgUiRunInput, Thread> {
  const tools = clientTools.map(({ name, description = '', parameters = { type: 'object' } }) => ({
    ...{ name, description, parameters },
  }))
  return {
    begin: ({ turns, contextId }) => ({
      messages: messagesOf(turns.slice(0, -1), contextId),
      runs: 0,
      callIds: new Map(),
    }),
    prompt(task, thread) {
      thread.runs = 0
      thread.callIds.clear()
      thread.messages.push({ id: `${task.taskId}:input`, role: 'user', content: textOfInput(task.input) })
      return requestOf(task, thread, task.taskId, tools)
    },
    answer(task, thread, answers, state, logins) {
      const runId = `${task.taskId}:${++thread.runs}`
      const resume: Resume = []
      for (const each of answers) {
        const id = interruptIdOf(state, each.request.inputId)
        if (isClientCall(each.request)) thread.messages.push(resultOf(each, id))
        else resume.push(answerOf(each, id))
      }
      for (const each of logins) resume.push(answerOf(each, interruptIdOf(state, each.authId)))
      return { ...requestOf(task, thread, runId, tools), ...(resume.length > 0 && { resume }) }
    },
    holdsCalls: true,
    answersAuth: true,
    reader: (request, { contextId, user }) =>
      fromAgUi({ request, contextId, ...(user.id !== undefined && { userId: user.id }) }) as never,
    onEvent: remember,
  }
}

function requestOf(
  { contextId: threadId }: AgentTask,
  thread: Thread,
  runId: string,
  tools: AgUiRunInput['tools'],
): AgUiRunInput {
  const messages = [...thread.messages]
  return { threadId, runId, messages, tools, context: [], state: {}, forwardedProps: {} }
}

type Resume = NonNullable<AgUiRunInput['resume']>

function answerOf(
  { reply, request }: Pick<Answered, 'reply'> & Partial<Answered>,
  interruptId: string,
): Resume[number] {
  if (reply.status !== 'answered' && reply.value === undefined) return { interruptId, status: 'cancelled' }
  const value = reply.value ?? { approved: true }
  const args = request?.metadata?.toolCall !== undefined && isFields(value) ? value.arguments : undefined
  // As `fromAgUi` has read the schema of the interrupt.
  const payload = isFields(args) ? { approved: true, editedArgs: args } : value
  return { interruptId, status: 'resolved', payload }
}

/** The result of a call that the client has run. */
function resultOf({ reply }: Answered, toolCallId: string): AgUiMessage {
  const id = `${toolCallId}:result`
  if (reply.status === 'answered') return { id, role: 'tool', toolCallId, content: textOfInput(reply.value) }
  return { id, role: 'tool', toolCallId, content: '', error: reply.reason ?? reply.status }
}

/** Keeps what the agent has written, under its own ids, for the next request. */
function remember(thread: Thread, event: ContextAnyEvent, state: object): void {
  if (event.parentTaskId !== undefined) return
  if (event.kind === 'content-complete') {
    const id = event.contentId ?? `${event.taskId}:${thread.messages.length}`
    thread.messages.push({ id, role: 'assistant', content: event.content })
  } else if (event.kind === 'tool-start') {
    const { toolName: name, arguments: args, metadata } = event
    const id = ownCallId(state, event.toolCallId)
    if (id !== event.toolCallId) thread.callIds.set(event.toolCallId, id)
    const call = {
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    } as const
    addCall(thread, metadata?.parentMessageId, call)
  } else if (event.kind === 'tool-complete') {
    const { success, result, error, metadata } = event
    const toolCallId = thread.callIds.get(event.toolCallId) ?? event.toolCallId
    thread.callIds.delete(event.toolCallId)
    const id = typeof metadata?.messageId === 'string' ? metadata.messageId : `${toolCallId}:result`
    const failure = success ? {} : { error: error ?? 'failed' }
    thread.messages.push({
      id,
      role: 'tool',
      toolCallId,
      content: textOfInput(result ?? error ?? ''),
      ...failure,
    })
  }
}

type Call = NonNullable<Extract<AgUiMessage, { role: 'assistant' }>['toolCalls']>[number]

/** Adds a call to the message that it is part of, or as one of its own. */
function addCall({ messages }: Thread, parent: unknown, call: Call): void {
  const i = messages.findLastIndex(({ id, role }) => role === 'assistant' && id === parent)
  const known = messages[i]
  if (known?.role !== 'assistant') messages.push({ id: call.id, role: 'assistant', toolCalls: [call] })
  else messages[i] = { ...known, toolCalls: [...(known.toolCalls ?? []), call] }
}

/** The messages of earlier tasks, which this process has not read. */
function messagesOf(turns: readonly Turn[], contextId: string): AgUiMessage[] {
  return turns.flatMap((turn, i): AgUiMessage[] => {
    const id = `${contextId}:turn:${i}`
    if (turn.role === 'user') return [{ id, role: 'user', content: textOfInput(turn.content) }]
    if (turn.role === 'tool')
      return turn.results.map(({ toolCallId, success, result, error }) => ({
        ...{
          id: `${toolCallId}:result`,
          role: 'tool',
          toolCallId,
          content: textOfInput(result ?? error ?? ''),
        },
        ...(!success && { error: error ?? 'failed' }),
      }))
    const toolCalls = (turn.calls ?? []).map(({ toolCallId, toolName: name, arguments: args }) => ({
      ...{ id: toolCallId, type: 'function' as const, function: { name, arguments: args } },
    }))
    return [{ id, role: 'assistant', content: turn.text, ...(toolCalls.length > 0 && { toolCalls }) }]
  })
}
