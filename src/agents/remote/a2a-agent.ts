/** An A2A agent as an agent. */

import type { JsonMessage } from '../../core/json-message.ts'
import { requireObject } from '../../core/require.ts'
import { fromA2a } from '../../dialects/a2a/from/from-a2a.ts'
import { parseItem } from '../../dialects/a2a/wire/parse.ts'
import type { Agent } from '../../server/agent-task.ts'
import { isFields } from '../../validation/predicates.ts'
import { type Answered, isClientCall } from './answered.ts'
import { type RemoteAgentOptions, requireRemote } from './options.ts'
import { type Remote, remoteAgent } from './remote-agent.ts'

/** A request of JSON-RPC to an A2A agent. */
export interface A2aPosted {
  readonly jsonrpc: '2.0'
  readonly id: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Options of {@link a2aAgent}. */
export interface A2aAgentOptions extends RemoteAgentOptions<A2aPosted> {
  /**
   * The card of the agent: it has the version of the protocol, and whether the agent streams. Omitted: version 1.0, and it
   * streams.
   */
  readonly card?: object
}

/** The conversation, as the agent names it. */
interface Thread {
  contextId?: string
  taskId?: string
  /** How many messages were posted. */
  messages: number
}

/**
 * An A2A agent as the agent of a stream: posts each input as a message, and what a user answers as a message to the task that
 * waits. A task that is canceled is canceled there too.
 *
 * What the agent asks is asked in the stream, requests for authentication too: the user logs in where the agent asks for it. Once the
 * agent continues by itself, the request is completed; if the user or the application states that it is, the agent gets a message. After a restart the task that waited fails, as nobody knows what the agent waits for.
 *
 * Errors of the agent go to the `onError` of the task; the page gets a sentence without details.
 *
 * Diagnostics: those of `fromA2a`.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' }
 * const agent = a2aAgent({
 *   post: (request, { signal }) => fetch(url, { method: 'POST', headers, body: JSON.stringify(request), signal }),
 * })
 * ```
 */
export function a2aAgent(options: A2aAgentOptions): Agent {
  requireRemote(options, ['card'])
  const { card = {} } = options
  requireObject('card', card)
  return remoteAgent(a2a(card), options)
}

function a2a(card: object): Remote<A2aPosted, Thread> {
  const { isOlder, streams } = readCard(card)
  const names = isOlder
    ? { stream: 'message/stream', send: 'message/send', cancel: 'tasks/cancel' }
    : { stream: 'SendStreamingMessage', send: 'SendMessage', cancel: 'CancelTask' }
  const text = (value: string): object => (isOlder ? { kind: 'text', text: value } : { text: value })
  const data = (value: unknown, metadata?: object): object => ({
    ...(isOlder && { kind: 'data' }),
    data: value,
    ...(metadata && { metadata }),
  })
  const post = (id: string, method: string, params: A2aPosted['params']): A2aPosted => ({
    ...{ jsonrpc: '2.0', id, method, params },
  })
  const send = (id: string, parts: readonly object[], more: object): A2aPosted =>
    post(id, streams ? names.stream : names.send, {
      message: {
        ...(isOlder && { kind: 'message' }),
        ...{ messageId: id, role: isOlder ? 'user' : 'ROLE_USER', parts, ...more },
      },
    })

  /** The part of a message that is an answer. */
  function partOf({ request, reply }: Answered): object {
    const { metadata } = request
    const adk = isFields(metadata?.a2a) && isFields(metadata.a2a.adk) ? metadata.a2a.adk : undefined
    const isAnswered = reply.status === 'answered'
    const value = reply.value ?? null
    if (adk !== undefined) {
      const response = isClientCall(request)
        ? isFields(value)
          ? value
          : { result: value, ...(!isAnswered && { error: reply.status }) }
        : { confirmed: isAnswered }
      return data({ ...adk, response }, { adk_type: 'function_response' })
    }
    const isDecision = request.inputType === 'tool-execution' || request.inputType === 'confirmation'
    if (isDecision || !isAnswered) return data(isFields(value) ? value : { approved: isAnswered })
    return typeof value === 'string' ? text(value) : data(value)
  }

  return {
    begin: () => ({ messages: 0 }),
    prompt(task, thread) {
      const { contextId } = thread
      delete thread.taskId
      const { input } = task
      const part = typeof input === 'string' ? text(input) : data(isFields(input) ? input : { value: input })
      return send(`${task.taskId}:input`, [part], contextId === undefined ? {} : { contextId })
    },
    answer(task, thread, answers, _, logins) {
      const { contextId, taskId } = thread
      const ids = { ...(contextId !== undefined && { contextId }), ...(taskId !== undefined && { taskId }) }
      const [first] = answers
      const [login] = logins
      const named = first === undefined ? { authId: login?.authId } : { inputId: first.request.inputId }
      const decisions = logins.map(({ reply }) => data({ approved: reply.status === 'answered' }))
      return send(`${task.taskId}:answer:${++thread.messages}`, [...answers.map(partOf), ...decisions], {
        ...ids,
        metadata: named,
      })
    },
    cancel: ({ taskId }) =>
      taskId === undefined ? undefined : post(`${taskId}:cancel`, names.cancel, { id: taskId }),
    isPerTask: true,
    answersAuth: true,
    reader: ({ params }, { contextId }) => fromA2a({ contextId, request: params }) as never,
    onMessage: remember,
  }
}

/** Keeps the names of the context and the task: the first ones, as an agent may send updates of others. */
function remember(thread: Thread, { value }: JsonMessage): void {
  const parsed = parseItem(value)
  if (parsed.type !== 'update') return
  const { contextId, taskId } = parsed.update
  thread.contextId ??= contextId
  thread.taskId ??= taskId
}

function readCard(card: object): { isOlder: boolean; streams: boolean } {
  const { protocolVersion, supportedInterfaces, capabilities } = card as Record<string, unknown>
  const [first] = Array.isArray(supportedInterfaces) ? (supportedInterfaces as unknown[]) : []
  const version = isFields(first) ? first.protocolVersion : protocolVersion
  const streams = isFields(capabilities) ? capabilities.streaming !== false : true
  return { isOlder: typeof version === 'string' && version.startsWith('0.'), streams }
}
