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
  /** Finds the call of a `progressToken`, request or `taskId`. Log messages name none: they ask for `undefined`. */
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
 * @throws TypeError if `map` has no function `callOf`.
 */
export function fromMcp(message: unknown, map: McpMap): FromMcp {
  requireObject('map', map)
  requireFunction('callOf', map.callOf)
  const read = isFields(message) ? readMessage(message, map) : invalid('a message of MCP')
  return 'code' in read ? { drafts: [], diagnostics: [read] } : { drafts: [read], diagnostics: [] }
}

function readMessage(message: Fields, map: McpMap): EventDraft | Diagnostic {
  const { id, result, error } = message
  const method = textOf(message.method, 'response')
  const params = isFields(message.params) ? message.params : {}
  if (method === 'elicitation/create') return elicitation(id, params)
  const key = params.progressToken ?? params.requestId ?? params.taskId ?? id
  const call = map.callOf(typeof key === 'string' || typeof key === 'number' ? key : undefined)
  if (call === undefined) return dropped(method, 'no-open-task', 'Expected a known tool call, got none.')
  const { toolCallId, toolName, progress = 0 } = call
  const activity = { kind: 'tool-progress', toolCallId, progress } as const
  const end = { kind: 'tool-complete', toolCallId, toolName } as const
  const failure = (text: unknown, otherwise = 'The tool failed.'): EventDraft => {
    return { ...end, success: false, error: textOf(text, otherwise) }
  }
  if (method === 'notifications/progress') {
    if (typeof params.progress !== 'number') return invalid('a number as progress')
    return { ...activity, ...progressOf(params, progress) }
  }
  if (method === 'notifications/message') {
    const chunk = typeof params.data === 'string' ? params.data : (JSON.stringify(params.data) ?? '')
    return { ...activity, metadata: { stream: textOf(params.logger, 'log'), chunk } }
  }
  if (method === 'notifications/cancelled') return failure(params.reason, 'The call was canceled.')
  if (method === 'notifications/tasks/status') {
    const status = textOf(params.status, 'unknown')
    const step = textOf(params.statusMessage, status)
    if (status === 'failed' || status === 'cancelled') return failure(step)
    // Its result comes in a response.
    if (status === 'completed')
      return dropped(method, 'waiting', 'Expected the result of the task to follow.')
    return { ...activity, metadata: { step } }
  }
  if (isFields(error)) return failure(error.message)
  if (!isFields(result)) return dropped(method, 'no-equivalent', `The message ${method} has no equivalent.`)
  const text = textIn(result.content)
  if (result.isError === true) return failure(text)
  return { ...end, success: true, result: result.structuredContent ?? text ?? result.content ?? null }
}

/** The fraction if there is a total, otherwise a step. Progress never decreases. */
function progressOf({ progress, total, message }: Fields, latest: number): object {
  const fraction = typeof total === 'number' && total > 0 ? Number(progress) / total : Number.NaN
  const known = Math.max(latest, Math.min(1, fraction))
  const reached = Number.isFinite(fraction) ? { progress: known } : { metadata: { step: String(progress) } }
  return typeof message === 'string' ? { ...reached, message } : reached
}

/** The text of a content that has nothing else. */
function textIn(content: unknown): string | undefined {
  const texts = Array.isArray(content) ? content.map((item) => (isFields(item) ? item.text : null)) : []
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined
}

/** A form is an input, a page to open is an authentication. The id of the request names it. */
function elicitation(id: unknown, { mode, message, requestedSchema, url }: Fields): EventDraft | Diagnostic {
  const name = typeof id === 'number' ? String(id) : textOf(id, '')
  if (name === '' || typeof message !== 'string') return invalid('an elicitation with id and message')
  if (mode === 'url' && typeof url === 'string')
    return { kind: 'auth-required', authId: name, authType: 'oauth2', prompt: message, authUrl: url }
  const schema = isFields(requestedSchema) ? { schema: { ...requestedSchema } } : {}
  return { kind: 'input-required', inputId: name, inputType: 'custom', prompt: message, ...schema }
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

function dropped(method: string, reason: string, message: string): Diagnostic {
  return { code: `dropped:${method}`, message, detail: { reason } }
}

function invalid(expected: string): Diagnostic {
  return { code: 'invalid-event', message: `Expected ${expected}, got another value.` }
}
