/** A chat endpoint of the AI SDK as an agent. */

import { fromUiMessageStream } from '../../dialects/ai-sdk/from/from-ui-message-stream.ts'
import type { ChatRequest } from '../../dialects/ai-sdk/wire/chat-request.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Agent, AgentTask } from '../../server/agent-task.ts'
import type { Turn } from '../../turns/index.ts'
import { type Answered, isClientCall } from './answered.ts'
import { type RemoteAgentOptions, requireRemote } from './options.ts'
import { type Remote, remoteAgent, textOfInput } from './remote-agent.ts'

/** A message of the conversation. */
interface Message {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly Part[]
}

interface Part {
  readonly type: string
  readonly [field: string]: unknown
}

interface Thread {
  messages: Message[]
}

/**
 * An endpoint that `useChat` of the AI SDK posts to, as the agent of a stream: posts each input with the conversation, and
 * what a user answers as parts of its last message: approvals, and results of tools that the client runs.
 *
 * What the agent asks is asked in the stream. After a restart the task that waited fails, as nobody knows what the agent waits for.
 *
 * Errors of the agent go to the `onError` of the task; the page gets a sentence without details.
 *
 * Diagnostics: those of `fromUiMessageStream`.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const agent = chatAgent({
 *   post: (body, { signal }) => fetch('https://…/api/chat', { method: 'POST', headers, body: JSON.stringify(body), signal }),
 * })
 * ```
 */
export function chatAgent(options: RemoteAgentOptions<ChatRequest>): Agent {
  requireRemote(options)
  return remoteAgent(chat, options)
}

const chat: Remote<ChatRequest, Thread> = {
  begin: ({ turns, contextId }) => ({ messages: messagesOf(turns.slice(0, -1), contextId) }),
  prompt(task, thread) {
    const text = textOfInput(task.input)
    thread.messages.push({ id: `${task.taskId}:input`, role: 'user', parts: [{ type: 'text', text }] })
    return requestOf(task, thread)
  },
  answer(task, thread, answers) {
    for (const each of answers) changeCall(thread, task.taskId, each)
    return { ...requestOf(task, thread), messageId: task.taskId }
  },
  isPerTask: true,
  reader: (request, { contextId, taskId }) => fromUiMessageStream({ request, contextId, taskId }) as never,
  onEvent: remember,
}

function requestOf({ contextId: id }: AgentTask, { messages }: Thread): ChatRequest {
  return { id, messages: [...messages], trigger: 'submit-message' }
}

/** Puts an answer into the part of the call that it is about. */
function changeCall(thread: Thread, messageId: string, { request, reply }: Answered): void {
  const toolCall = request.metadata?.toolCall
  const toolCallId = toolCall?.id ?? request.inputId
  const isAnswered = reply.status === 'answered'
  const reason = isAnswered ? undefined : reply.reason
  const changes: Record<string, unknown> = isClientCall(request)
    ? isAnswered
      ? { state: 'output-available', output: reply.value }
      : { state: 'output-error', errorText: reason ?? reply.status }
    : {
        state: 'approval-responded',
        approval: { id: request.inputId, approved: isAnswered, ...(reason !== undefined && { reason }) },
      }
  const name = toolCall?.function.name ?? 'input'
  const input = toolCall === undefined ? {} : (JSON.parse(toolCall.function.arguments) as unknown)
  setPart(thread, messageId, toolCallId, { type: `tool-${name}`, toolCallId, input, ...changes })
}

/** Adds a part to the message of a task, or replaces the part of the same call. */
function setPart({ messages }: Thread, messageId: string, toolCallId: string | undefined, part: Part): void {
  const i = messages.findIndex(({ id }) => id === messageId)
  const known = messages[i] ?? { id: messageId, role: 'assistant' as const, parts: [] }
  const at = toolCallId === undefined ? -1 : known.parts.findIndex((each) => each.toolCallId === toolCallId)
  const parts = at < 0 ? [...known.parts, part] : known.parts.map((each, j) => (j === at ? part : each))
  messages[i < 0 ? messages.length : i] = { ...known, parts }
}

/** Keeps what the agent has written for the next request. */
function remember(thread: Thread, event: ContextAnyEvent): void {
  const { taskId } = event
  if (event.kind === 'content-complete')
    setPart(thread, taskId, undefined, { type: 'text', text: event.content, state: 'done' })
  else if (event.kind === 'tool-start') {
    const { toolCallId, toolName, arguments: input } = event
    setPart(thread, taskId, toolCallId, {
      type: `tool-${toolName}`,
      toolCallId,
      state: 'input-available',
      input,
    })
  } else if (event.kind === 'tool-complete') {
    const { toolCallId, toolName, success, result, error } = event
    const known = thread.messages
      .find(({ id }) => id === taskId)
      ?.parts.find((each) => each.toolCallId === toolCallId)
    const outcome = success
      ? { state: 'output-available', output: result ?? null }
      : { state: 'output-error', errorText: error ?? 'failed' }
    const part = { type: `tool-${toolName}`, toolCallId, input: known?.input ?? {}, ...outcome }
    setPart(thread, taskId, toolCallId, part)
  }
}

/** The texts of earlier tasks, which this process has not read. */
function messagesOf(turns: readonly Turn[], contextId: string): Message[] {
  return turns.flatMap((turn, i): Message[] => {
    if (turn.role === 'tool') return []
    const text = turn.role === 'user' ? textOfInput(turn.content) : turn.text
    return [{ id: `${contextId}:turn:${i}`, role: turn.role, parts: [{ type: 'text', text }] }]
  })
}
