/** Tool calls and questions of a round. */
import { textOf } from '../wire/coerce.ts'
import { MAX_ITEMS } from '../wire/limits.ts'
import type { RoundWriter } from './round-writer.ts'
import type { Call } from './state.ts'

/** The last tool call or question with an id of the session. */
export function findCall(writer: RoundWriter, kind: 'call' | 'input', id: unknown): Call | undefined {
  const key = `${kind} ${textOf(id)}`
  return writer.state.calls.find((call) => call.key === key)
}

/**
 * Opens a tool call or question. Its id in the core vocabulary is that of the session, or a numbered one
 * if the id was used before: some servers reuse ids.
 */
export function openCall(
  writer: RoundWriter,
  kind: 'call' | 'input',
  sessionId: unknown,
  name: string,
): Call {
  const previous = findCall(writer, kind, sessionId)
  if (previous !== undefined) failCall(writer, previous)
  const first = textOf(sessionId) || `${writer.state.taskId}/${kind}`
  const [, count = '1'] = /~(\d+)$/.exec(previous?.id ?? '') ?? []
  const id = previous === undefined ? first : `${first}~${Number(count) + 1}`
  const call = { key: `${kind} ${textOf(sessionId)}`, id, name, open: true }
  storeCall(writer, call)
  return call
}

/** Marks a tool call or question as ended. */
export function endCall(writer: RoundWriter, call: Call): void {
  storeCall(writer, { ...call, open: false })
}

/** Stores a call under its key. Evicts the oldest call if there are too many. */
function storeCall(writer: RoundWriter, call: Call): void {
  const { calls } = writer.state
  const at = calls.findIndex(({ key }) => key === call.key)
  const [oldest] = calls
  if (at !== -1) writer.update({ calls: calls.with(at, call) })
  else if (oldest !== undefined && calls.length >= MAX_ITEMS) {
    failCall(writer, oldest)
    writer.update({ calls: [...calls.slice(1), call] })
  } else writer.update({ calls: [...calls, call] })
}

/** Completes an open tool call without result as failed: the core vocabulary requires a result of each. */
function failCall(writer: RoundWriter, call: Call): void {
  if (!call.open || !call.key.startsWith('call ')) return
  const message = `Tool call ${JSON.stringify(call.id)} has no result; a failure was inferred.`
  writer.inferred('tool-complete', message)
  const fields = { toolCallId: call.id, toolName: call.name, success: false }
  writer.emitEvent('tool-complete', fields, { error: 'The tool call has no result.' })
}

/** Ends all open calls with the round. After a success, tool calls without result fail. */
export function closeCalls(writer: RoundWriter, isCompleted: boolean): void {
  const { calls } = writer.state
  if (!calls.some(({ open }) => open)) return
  if (isCompleted) for (const call of calls) failCall(writer, call)
  writer.update({ calls: calls.map((call) => ({ ...call, open: false })) })
}
