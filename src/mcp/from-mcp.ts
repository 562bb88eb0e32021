/** Messages of an MCP server about a tool call, as event drafts. */

import type { Diagnostic } from '../core/machine.ts'
import { requireFunction, requireObject } from '../core/require.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { type Fields, isFields } from '../validation/predicates.ts'

/** A tool call that an MCP server runs. */
export interface McpCall {
  readonly toolCallId: string
  readonly toolName: string
  /** The latest progress, which messages without one repeat: from 0 to 1. Defaults to 0. */
  readonly progress?: number
}

/** Which tool call a message is about: the host knows the ids that it has given to MCP. */
export interface McpMap {
  /**
   * Finds the call of a `progressToken`, of the `id` of a request, or of a `taskId`; for log messages, which name none,
   * of `undefined`. Returns `undefined` if there is none.
   */
  readonly callOf: (id: string | number | undefined) => McpCall | undefined
}

/** The drafts of a message. */
export interface FromMcp {
  /** To be emitted in the task that called the tool. */
  readonly drafts: readonly EventDraft[]
  /** `invalid-event`, or `dropped:<method>` with `detail.reason`: `no-equivalent`, `waiting` or `no-open-task`. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Maps one message of an MCP server: progress, logging, elicitation, status of a task, cancellation, and the response to
 * `tools/call` or `tasks/result`. Never throws on a message.
 *
 * Progress without a total is 0 with a `step`. The status of an MCP task is that of a tool call, not of an agent task.
 *
 * @throws TypeError if `map` has no function `callOf`.
 */
export function fromMcp(message: unknown, map: McpMap): FromMcp {
  requireObject('map', map)
  requireFunction('callOf', map.callOf)
  if (!isFields(message))
    return dropped('message', 'invalid-content', 'Expected a message, got another value.')
  const { method, id, result, error } = message
  const params = isFields(message.params) ? message.params : {}
  if (method === 'elicitation/create') return elicitation(id, params)
  const kind = typeof method === 'string' ? method : 'response'
  const call = map.callOf(keyOf(kind, id, params))
  if (call === undefined)
    return dropped(kind, 'no-open-task', `Expected a known tool call for ${kind}, got none.`)
  if (isFields(result)) return { drafts: [completion(call, result)], diagnostics: [] }
  if (isFields(error)) return { drafts: [failure(call, error.message)], diagnostics: [] }
  switch (kind) {
    case 'notifications/progress':
      return progress(call, params)
    case 'notifications/message': {
      const chunk = typeof params.data === 'string' ? params.data : (JSON.stringify(params.data) ?? '')
      const stream = typeof params.logger === 'string' ? params.logger : 'log'
      return { drafts: [activity(call, { stream, chunk })], diagnostics: [] }
    }
    case 'notifications/cancelled':
      return { drafts: [failure(call, params.reason ?? 'The call was canceled.')], diagnostics: [] }
    case 'notifications/tasks/status':
      return taskStatus(call, params)
    default:
      return dropped(kind, 'no-equivalent', `The message ${kind} has no equivalent.`)
  }
}

function keyOf(kind: string, id: unknown, params: Fields): string | number | undefined {
  const key = { 'notifications/progress': params.progressToken, 'notifications/cancelled': params.requestId }[
    kind
  ]
  const found = kind === 'notifications/tasks/status' ? params.taskId : (key ?? id)
  return typeof found === 'string' || typeof found === 'number' ? found : undefined
}

function progress(call: McpCall, { progress: done, total, message }: Fields): FromMcp {
  if (typeof done !== 'number')
    return dropped('notifications/progress', 'invalid-content', 'Expected a progress, got none.')
  const isFraction = typeof total === 'number' && total > 0
  const text = typeof message === 'string' ? { message } : {}
  if (!isFraction)
    return { drafts: [{ ...activity(call, { step: String(done) }), ...text }], diagnostics: [] }
  const fraction = Math.max(call.progress ?? 0, Math.min(1, Math.max(0, done / total)))
  return {
    drafts: [{ kind: 'tool-progress', toolCallId: call.toolCallId, progress: fraction, ...text }],
    diagnostics: [],
  }
}

function activity(
  { toolCallId, progress: known = 0 }: McpCall,
  metadata: object,
): EventDraft<'tool-progress'> {
  return { kind: 'tool-progress', toolCallId, progress: known, metadata: { ...metadata } }
}

function taskStatus(call: McpCall, { status, statusMessage }: Fields): FromMcp {
  const step = typeof statusMessage === 'string' ? statusMessage : String(status)
  if (status === 'failed' || status === 'cancelled') return { drafts: [failure(call, step)], diagnostics: [] }
  if (status === 'working' || status === 'input_required')
    return { drafts: [activity(call, { step })], diagnostics: [] }
  const reason = status === 'completed' ? 'waiting' : 'invalid-content'
  return dropped(
    'notifications/tasks/status',
    reason,
    `Expected the result of the task after status ${String(status)}.`,
  )
}

function failure({ toolCallId, toolName }: McpCall, reason: unknown): EventDraft<'tool-complete'> {
  const error = typeof reason === 'string' && reason !== '' ? reason : 'The tool failed.'
  return { kind: 'tool-complete', toolCallId, toolName, success: false, error }
}

function completion(
  call: McpCall,
  { content, structuredContent, isError }: Fields,
): EventDraft<'tool-complete'> {
  const items = Array.isArray(content) ? content.filter(isFields) : []
  const isText = items.length > 0 && items.every(({ text }) => typeof text === 'string')
  const text = isText ? items.map((item) => item.text as string).join('\n') : undefined
  if (isError === true) return failure(call, text)
  const { toolCallId, toolName } = call
  return {
    kind: 'tool-complete',
    toolCallId,
    toolName,
    success: true,
    result: structuredContent ?? text ?? content ?? null,
  }
}

/** A form is an input, a page to open is an authentication. The id of the request names it. */
function elicitation(id: unknown, { mode, message, requestedSchema, url }: Fields): FromMcp {
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof message !== 'string' || id === '') {
    return dropped(
      'elicitation/create',
      'invalid-content',
      'Expected a request with id and message, got another one.',
    )
  }
  if (mode === 'url' && typeof url === 'string') {
    const draft = {
      kind: 'auth-required',
      authId: String(id),
      authType: 'oauth2',
      prompt: message,
      authUrl: url,
    } as const
    return { drafts: [draft], diagnostics: [] }
  }
  const schema = isFields(requestedSchema) ? { schema: { ...requestedSchema } } : {}
  const draft = {
    kind: 'input-required',
    inputId: String(id),
    inputType: 'custom',
    prompt: message,
    ...schema,
  } as const
  return { drafts: [draft], diagnostics: [] }
}

function dropped(kind: string, reason: string, message: string): FromMcp {
  const code = reason === 'invalid-content' ? 'invalid-event' : `dropped:${kind}`
  return { drafts: [], diagnostics: [{ code, message, detail: { reason } }] }
}
