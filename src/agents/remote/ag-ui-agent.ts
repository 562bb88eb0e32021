/** An AG-UI agent as an agent. */

import { fromAgUi } from '../../dialects/ag-ui/from/from-ag-ui.ts'
import type { AgUiMessage, AgUiRunInput } from '../../dialects/ag-ui/wire/types/index.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Agent, AgentTask } from '../../server/agent-task.ts'
import type { Turn } from '../../turns/index.ts'
import { type RemoteAgentOptions, requireRemote } from './options.ts'
import { type Answered, isClientCall, type Remote, remoteAgent, textOfInput } from './remote-agent.ts'

/** What is posted of a conversation. */
interface Thread {
  messages: AgUiMessage[]
  /** How often the task was continued. */
  runs: number
}

/**
 * An AG-UI agent, such as one of LangGraph, Mastra, pydantic-ai or CrewAI, as the agent of a stream: posts each input as a run,
 * and what a user answers as the run that resumes it. The conversation is the thread, with all of its messages, and the task
 * the run.
 *
 * What the agent asks is asked in the stream; its subtasks are subtasks. After a restart the task that waited fails, as nobody
 * knows what the agent waits for.
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
  return remoteAgent(agUi, options)
}

const agUi: Remote<AgUiRunInput, Thread> = {
  begin: ({ turns, contextId }) => ({ messages: messagesOf(turns.slice(0, -1), contextId), runs: 0 }),
  prompt(task, thread) {
    thread.runs = 0
    thread.messages.push({ id: `${task.taskId}:input`, role: 'user', content: textOfInput(task.input) })
    return requestOf(task, thread, task.taskId)
  },
  answer(task, thread, answers) {
    const runId = `${task.taskId}:${++thread.runs}`
    for (const each of answers) if (isClientCall(each.request)) thread.messages.push(resultOf(each))
    const resume = answers.filter(({ request }) => !isClientCall(request)).map(answerOf)
    return { ...requestOf(task, thread, runId), ...(resume.length > 0 && { resume }) }
  },
  reader: (request, { contextId, user }) =>
    fromAgUi({ request, contextId, ...(user.id !== undefined && { userId: user.id }) }) as never,
  onEvent: remember,
}

function requestOf({ contextId: threadId }: AgentTask, thread: Thread, runId: string): AgUiRunInput {
  const messages = [...thread.messages]
  return { threadId, runId, messages, tools: [], context: [], state: {}, forwardedProps: {} }
}

function answerOf({
  request: { inputId: interruptId },
  reply,
}: Answered): NonNullable<AgUiRunInput['resume']>[number] {
  if (reply.status !== 'answered') return { interruptId, status: 'cancelled' }
  return { interruptId, status: 'resolved', payload: reply.value ?? { approved: true } }
}

/** The result of a call that the client has run. */
function resultOf({ request, reply }: Answered): AgUiMessage {
  const toolCallId = String(request.metadata?.toolCall?.id ?? request.inputId)
  const id = `${toolCallId}:result`
  if (reply.status === 'answered') return { id, role: 'tool', toolCallId, content: textOfInput(reply.value) }
  return { id, role: 'tool', toolCallId, content: '', error: reply.reason ?? reply.status }
}

/** Keeps what the agent has written, under its own ids, for the next request. */
function remember(thread: Thread, event: ContextAnyEvent): void {
  if (event.parentTaskId !== undefined) return
  if (event.kind === 'content-complete') {
    const id = event.contentId ?? `${event.taskId}:${thread.messages.length}`
    thread.messages.push({ id, role: 'assistant', content: event.content })
  } else if (event.kind === 'tool-start') {
    const { toolCallId, toolName: name, arguments: args, metadata } = event
    const call = {
      id: toolCallId,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    } as const
    addCall(thread, metadata?.parentMessageId, call)
  } else if (event.kind === 'tool-complete') {
    const { toolCallId, success, result, error, metadata } = event
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
