/** Tool calls and questions of a round. */

import {
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
} from '../../../core/bounded-map/bounded-map.ts'
import { textOf } from '../wire/coerce.ts'
import type { RoundWriter } from './round-writer.ts'
import type { Call } from './state.ts'

type CallType = 'call' | 'input'

/** The open tool call or question with an id of the session. */
export function findCall({ state }: RoundWriter, type: CallType, id: unknown): Call | undefined {
  return boundedGet(state.calls, `${type} ${textOf(id)}`)
}

/**
 * Opens a tool call or question. Its id in the core vocabulary is that of the session, or a numbered one if the id was
 * used before: some servers reuse ids. An open call with the id fails.
 *
 * @param name - The name of the tool; `null` for a question.
 */
export function openCall(writer: RoundWriter, type: CallType, sessionId: unknown, name: string | null): Call {
  const previous = findCall(writer, type, sessionId)
  if (previous !== undefined) failCall(writer, previous)
  const { taskId, openedCount } = writer.state
  const id = writer.uniqueId(type, textOf(sessionId) || `${taskId}/${type}`)
  const call = { id, name, progress: 0, order: openedCount }
  writer.update({ openedCount: openedCount + 1 })
  storeCall(writer, type, sessionId, call)
  return call
}

/** Stores a call under its id of the session. */
export function storeCall(writer: RoundWriter, type: CallType, sessionId: unknown, call: Call): void {
  const { map: calls, hasEvicted } = boundedSet(writer.state.calls, `${type} ${textOf(sessionId)}`, call)
  if (hasEvicted) writer.evicted('tool calls and questions')
  writer.update({ calls })
}

/** Removes a tool call or question that has ended. */
export function endCall(writer: RoundWriter, type: CallType, sessionId: unknown): void {
  writer.update({ calls: boundedDelete(writer.state.calls, `${type} ${textOf(sessionId)}`) })
}

/** Completes the open tool calls of a round as failed: after a success, each must have a result. */
export function failCalls(writer: RoundWriter): void {
  const calls = [...boundedEntries(writer.state.calls)].map(([, call]) => call)
  for (const call of calls.sort((a, b) => a.order - b.order)) failCall(writer, call)
}

/** Completes an open tool call without result as failed. */
function failCall(writer: RoundWriter, { id, name }: Call): void {
  if (name === null) return
  writer.inferred('tool-complete', `Expected a result of tool call ${JSON.stringify(id)}, got none.`)
  const fields = { toolCallId: id, toolName: name, success: false }
  writer.emitEvent('tool-complete', fields, { error: 'The tool call has no result.' })
}
