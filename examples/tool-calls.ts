/** Tool calls of a chat stream, whose arguments come as pieces of JSON text. */
import type { EventDraft } from 'agentwire'
import { type Fields, fields, isText, parseFields } from './loose-json.ts'

/** A tool call whose arguments are being written. */
export interface ToolCall {
  /** Which of the calls of an answer this is: pieces after the first have no other name. */
  readonly index: number
  readonly id: string
  readonly name: string
  /** The arguments so far, as JSON text. */
  readonly json: string
}

/**
 * Adds a piece to the call it belongs to, or begins a call. Some servers give all calls the same
 * index, so another id begins another call.
 *
 * Returns `undefined` for a piece that belongs to no call and begins none.
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

/** A call whose arguments are all there: it can start, unless they are no JSON object. */
export function startTool({ id: toolCallId, name: toolName, json }: ToolCall): EventDraft {
  // Tools without parameters are called with nothing at all.
  const args = parseFields(json === '' ? '{}' : json)
  if (args !== undefined) return { kind: 'tool-start', toolCallId, toolName, arguments: args }
  const message = `The model called ${toolName} with arguments that are no JSON object.`
  const details = { arguments: json }
  return {
    kind: 'task-error',
    error: { code: 'provider_error', message, retry: 'retryable', scope: 'tool', toolCallId, details },
  }
}
