/** Messages of an MCP server about a tool call, as event drafts. */
import { optional, requireFunction, requireObject, requireText } from '../core/require.ts'
import { canonicalJson } from '../json/canonical.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { fieldsOf, textIn, textOf } from '../validation/read-fields.ts'
import { readCanceled, readCompleted, readElicitation } from './elicitation.ts'
import { readResponse, readTask } from './read-result.ts'
import {
  add,
  drop,
  type FromMcp,
  invalid,
  jsonCopy,
  type McpCall,
  type McpMap,
  type Reading,
} from './reading.ts'

/**
 * Maps one message of an MCP server of the revisions 2025-11-25 and 2026-07-28: progress, logging, elicitation and its end, status of
 * a task, and the response to `tools/call`, `tasks/get` or `tasks/result`. Only a response or a task ends a call; a result that asks
 * is a question and ends none; nor does one that cannot be read. Never throws on a message.
 *
 * @throws TypeError if `map` has no function `callOf`, or a `server` or `idPrefix` that is no text.
 */
export function fromMcp(message: unknown, map: McpMap): FromMcp {
  requireObject('map', map)
  requireFunction('callOf', map.callOf)
  optional(requireText, 'server', map.server)
  optional(requireText, 'idPrefix', map.idPrefix)
  const reading: Reading = { drafts: [], diagnostics: [] }
  const copy = jsonCopy(message)
  return isFields(copy) ? readMessage(reading, copy, map) : invalid(reading, 'a message of MCP')
}

function readMessage(reading: Reading, message: Fields, map: McpMap): Reading {
  const params = fieldsOf(message.params)
  const method = textOf(message.method) || 'response'
  /** What names the call. The server numbers its own requests, so that only a response has an `id` of the host. */
  const named = (id: unknown, read: (call: McpCall) => Reading): Reading => {
    const call = callNamed(map, id)
    if (call !== undefined) return read(call)
    return drop(reading, method, 'no-open-task', 'Expected a known tool call, got none.')
  }
  if ((message.method ?? null) === null)
    return named(message.id, (call) => readResponse(reading, message, map, call))
  switch (method) {
    case 'elicitation/create':
      return readElicitation(reading, message, map)
    case 'notifications/cancelled':
      return readCanceled(reading, params, map)
    case 'notifications/elicitation/complete':
      return readCompleted(reading, params)
    case 'notifications/message':
      return readLog(reading, params, map)
    case 'notifications/progress':
      return named(params.progressToken, (call) => readProgress(reading, params, call))
    case 'notifications/tasks':
    case 'notifications/tasks/status':
      return named(params.taskId, (call) =>
        readTask(
          reading,
          params,
          '/params',
          map,
          call,
          method === 'notifications/tasks' ? undefined : method,
        ),
      )
    default:
      return drop(reading, method, 'no-equivalent', `${method} has no equivalent.`)
  }
}

function callNamed(map: McpMap, id: unknown): McpCall | undefined {
  return map.callOf(typeof id === 'string' || typeof id === 'number' ? id : undefined)
}

/** What a server logs about no call is for whoever runs the agents. */
function readLog(reading: Reading, params: Fields, map: McpMap): Reading {
  const { level = null, data = null } = params
  const stream = textIn(params, 'logger') ?? 'log'
  const related = fieldsOf(fieldsOf(params._meta)['io.modelcontextprotocol/related-task']).taskId
  const call = callNamed(map, related)
  const chunk = typeof data === 'string' ? data : canonicalJson(data)
  if (chunk === undefined) return invalid(reading, 'data of at most 1000 levels', '/params/data')
  if (call === undefined) {
    const log = { kind: 'custom', name: 'mcp.log', data: { level, stream, data } } as const
    return add(reading, { ...log, metadata: { audience: ['operator'] } })
  }
  const { toolCallId, progress = 0 } = call
  return add(reading, { kind: 'tool-progress', toolCallId, progress, metadata: { stream, chunk } })
}

/** The fraction if there is a total, otherwise a step. Progress never decreases. */
function readProgress(
  reading: Reading,
  { progress: reached, total, message }: Fields,
  call: McpCall,
): Reading {
  if (typeof reached !== 'number') return invalid(reading, 'a number', '/params/progress')
  const { toolCallId, progress: latest = 0 } = call
  const fraction = typeof total === 'number' && total > 0 ? reached / total : Number.NaN
  const isKnown = Number.isFinite(fraction)
  return add(reading, {
    ...{ kind: 'tool-progress', toolCallId },
    progress: isKnown ? Math.max(latest, Math.min(1, fraction)) : latest,
    ...(typeof message === 'string' && { message }),
    ...(!isKnown && { metadata: { step: String(reached) } }),
  })
}
