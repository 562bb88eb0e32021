/** Messages of an MCP server about a tool call, as event drafts. */
import type { Diagnostic } from '../core/machine.ts'
import { optional, requireFunction, requireObject, requireText } from '../core/require.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { isSafeAuthUrl } from '../events/auth-url.ts'
import { canonicalJson } from '../json/canonical.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { fieldsOf, textIn } from '../validation/read-fields.ts'

/** A tool call that an MCP server runs. */
export interface McpCall {
  readonly toolCallId: string
  readonly toolName: string
  /** The latest progress, which messages without one repeat: from 0 to 1. Defaults to 0. */
  readonly progress?: number
}

/** Which tool call a message is about: the host knows the ids that it has given to MCP. */
export interface McpMap {
  /** Finds the call of a `progressToken`, request or `taskId`. Log messages may name none: they ask for `undefined`. */
  readonly callOf: (id: string | number | undefined) => McpCall | undefined
  /**
   * Put before the `inputId` and `authId` of elicitations: unique for each connection, as each numbers its requests
   * anew. Defaults to none.
   */
  readonly idPrefix?: string
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
 * `tools/call`, `tasks/get` or `tasks/result`. Never throws on a message.
 *
 * @throws TypeError if `map` has no function `callOf`, or an `idPrefix` that is no text.
 */
export function fromMcp(message: unknown, map: McpMap): FromMcp {
  requireObject('map', map)
  requireFunction('callOf', map.callOf)
  optional(requireText, 'idPrefix', map.idPrefix)
  const read = isFields(message) ? readMessage(message, map) : invalid('a message of MCP')
  return 'code' in read ? { drafts: [], diagnostics: [read] } : { drafts: [read], diagnostics: [] }
}

function readMessage(message: Fields, map: McpMap): EventDraft | Diagnostic {
  const [params, result] = [fieldsOf(message.params), fieldsOf(message.result)]
  const method = textIn(message, 'method') ?? 'response'
  if (method === 'elicitation/create') return elicitation(message.id, params, map.idPrefix)
  const related = fieldsOf(fieldsOf(params._meta)['io.modelcontextprotocol/related-task']).taskId
  const key = params.progressToken ?? params.requestId ?? params.taskId ?? related ?? message.id
  const call = map.callOf(typeof key === 'string' || typeof key === 'number' ? key : undefined)
  const { level = null, data = null } = params
  const stream = textIn(params, 'logger') ?? 'log'
  // What a server logs about no call is for whoever runs the agents.
  if (call === undefined && method === 'notifications/message')
    return {
      kind: 'custom',
      name: 'mcp.log',
      data: { level, stream, data },
      metadata: { audience: ['operator'] },
    }
  if (call === undefined) return dropped(method, 'no-open-task', 'Expected a known tool call, got none.')
  const { toolCallId, toolName, progress = 0 } = call
  const activity = { kind: 'tool-progress', toolCallId, progress } as const
  const end = { kind: 'tool-complete', toolCallId, toolName } as const
  const failure = (error = 'The tool failed.'): EventDraft => ({ ...end, success: false, error })
  if (method === 'notifications/progress') {
    const { progress: reached } = params
    if (typeof reached !== 'number') return invalid('a number', '/params/progress')
    return { ...activity, ...progressOf(reached, params, progress) }
  }
  if (method === 'notifications/message') {
    const chunk = typeof data === 'string' ? data : canonicalJson(data)
    if (chunk === undefined) return invalid('data of at most 1000 levels', '/params/data')
    return {
      ...activity,
      metadata: { stream, chunk },
    }
  }
  if (method === 'notifications/cancelled')
    return failure(textIn(params, 'reason') ?? 'The call was canceled.')
  if (isFields(message.error)) return failure(textIn(message.error, 'message'))
  const task = method === 'notifications/tasks/status' ? params : taskIn(result)
  if (task !== undefined) {
    const step = textIn(task, 'statusMessage') ?? textIn(task, 'status') ?? 'unknown'
    if (task.status === 'failed' || task.status === 'cancelled') return failure(step)
    if (task.status !== 'completed') return { ...activity, metadata: { step } }
    return dropped(method, 'waiting', 'Expected the result of the task, which follows, got its status.')
  }
  if (!isFields(message.result)) return dropped(method, 'no-equivalent', `${method} has no equivalent.`)
  const { content, structuredContent, isError, resultType = 'complete' } = result
  // A tool that asks has not succeeded, nor has one whose result is of a type that is not known.
  if (resultType === 'input_required')
    return dropped(method, 'waiting', 'Expected the result of the call, got a question of the tool.')
  if (resultType !== 'complete') return invalid('the resultType complete', '/result/resultType')
  const texts = Array.isArray(content) ? content.map((item) => fieldsOf(item).text) : []
  const isText = texts.length > 0 && texts.every((each) => typeof each === 'string')
  const text = isText ? texts.join('\n') : undefined
  // An error is a text; what else there is cannot be one.
  if (isError === true)
    return failure(texts.filter((each) => typeof each === 'string').join('\n') || undefined)
  return { ...end, success: true, result: structuredContent ?? text ?? content ?? null }
}

/** The task in a response that states how it is going, and not its result. */
function taskIn(result: Fields): Fields | undefined {
  if (result.content !== undefined) return undefined
  if (isFields(result.task)) return result.task
  return 'taskId' in result && 'status' in result ? result : undefined
}

/** The fraction if there is a total, otherwise a step. Progress never decreases. */
function progressOf(reached: number, { total, message }: Fields, latest: number): object {
  const fraction = typeof total === 'number' && total > 0 ? reached / total : Number.NaN
  const progress = Math.max(latest, Math.min(1, fraction))
  const text = typeof message === 'string' ? { message } : {}
  return Number.isFinite(fraction) ? { progress, ...text } : { metadata: { step: String(reached) }, ...text }
}

/** A form is an input, a page to open is an authentication. The id of the request names it. */
function elicitation(id: unknown, { mode, message: prompt, requestedSchema, url }: Fields, prefix = '') {
  const own = typeof id === 'number' ? String(id) : id
  if (typeof own !== 'string' || own === '' || typeof prompt !== 'string')
    return invalid('an elicitation with id and message')
  const name = prefix + own
  const schema = isFields(requestedSchema) ? { schema: { ...requestedSchema } } : {}
  if (mode !== 'url')
    return { kind: 'input-required', inputId: name, inputType: 'custom', prompt, ...schema } as const
  if (!isSafeAuthUrl(url)) return invalid('a URL that is safe to open', '/params/url')
  return { kind: 'auth-required', authId: name, authType: 'oauth2', prompt, authUrl: url } as const
}

function dropped(method: string, reason: string, message: string): Diagnostic {
  return { code: `dropped:${method}`, message, detail: { reason } }
}

function invalid(expected: string, path = ''): Diagnostic {
  return { code: 'invalid-event', path, message: `Expected ${expected}, got another value.` }
}
