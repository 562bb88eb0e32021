/** Assembles the tool calls of a chat stream, whose arguments arrive as pieces of JSON text. */
import type { EventDraft } from 'agentwire'
import { type Fields, fields, isText, parseFields } from './loose-json.ts'

/** A tool call whose arguments are being written. */
export interface ToolCall {
  /** Position of the call in the answer; all pieces after the first are identified by it alone. */
  readonly index: number
  readonly id: string
  readonly name: string
  /** The arguments so far, as JSON text. */
  readonly json: string
}

/**
 * Appends a piece to its call, or starts a new call. Some servers give all calls the same index, so a different id
 * starts a new call.
 *
 * Returns `undefined` for a piece that neither belongs to a call nor starts one.
 */
export function addPiece(
  calls: readonly ToolCall[],
  piece: Fields,
): { calls: readonly ToolCall[]; drafts: EventDraft[] } | undefined {
  const { name, arguments: delta = '' } = fields(piece.function)
  const index = typeof piece.index === 'number' ? piece.index : 0
  const id = isText(piece.id) ? piece.id : undefined
  const at = calls.findLastIndex((call) => call.index === index && (id === undefined || call.id === id))
  const started = isText(name) ? { index, id: id ?? `call-${index}`, name, json: '' } : undefined
  const call = calls[at] ?? started
  if (call === undefined || typeof delta !== 'string') return undefined
  const grown = { ...call, json: call.json + delta }
  const { id: toolCallId, name: toolName } = call
  return {
    calls: at === -1 ? [...calls, grown] : calls.with(at, grown),
    drafts: delta === '' ? [] : [{ kind: 'tool-arguments-delta', toolCallId, toolName, delta }],
  }
}

/** Starts a call whose arguments are complete; an error if they are not a JSON object. */
export function startTool({ id: toolCallId, name: toolName, json }: ToolCall): EventDraft {
  // Some models send no arguments for tools without parameters.
  const args = parseFields(json === '' ? '{}' : json)
  if (args !== undefined) return { kind: 'tool-start', toolCallId, toolName, arguments: args }
  const message = `The model called ${toolName} with arguments that are not a JSON object.`
  const details = { arguments: json }
  return {
    kind: 'task-error',
    error: { code: 'provider_error', message, retry: 'retryable', scope: 'tool', toolCallId, details },
  }
}
