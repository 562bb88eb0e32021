/** Tools that run at the provider: web search, code execution, MCP servers. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ToolProgressMetadata } from '../../events/tool.ts'
import { argumentsOf, type CallInfo, endCall, openCall, startsHere } from './calls.ts'
import { contentOf } from './growing.ts'
import type { ModelWriter } from './model-writer.ts'
import { cleaned } from './report.ts'
import { edit, findOpen } from './state.ts'

/** How a tool at the provider ended. */
export interface ServerResult {
  readonly success: boolean
  /** Omitted if there is none, or if the tool failed. */
  readonly result?: unknown
  readonly error?: string
}

/** Reports progress of the running call with a key, if there is one. */
export function progressCall(
  writer: ModelWriter,
  key: string,
  message: string,
  metadata?: ToolProgressMetadata,
): void {
  const call = findOpen(writer.state.calls, key, 'running')
  if (call === undefined) return
  const draft: EventDraft & { kind: 'tool-progress' } = {
    kind: 'tool-progress',
    toolCallId: call.toolCallId,
    progress: 0,
    message,
  }
  if (metadata !== undefined) draft.metadata = metadata
  writer.emit(draft)
}

/** Completes the call with a key. A call that has not started, or is unknown, starts first. */
export function completeCall(
  writer: ModelWriter,
  key: string,
  info: CallInfo,
  { success, result, error }: ServerResult,
): void {
  if (findOpen(writer.state.calls, key, 'running') === undefined) {
    openCall(writer, key, info)
    endCall(writer, key)
  }
  const call = findOpen(writer.state.calls, key, 'running')
  if (call === undefined) return
  edit(writer.state, 'calls', call, { status: 'complete' })
  const { toolCallId, toolName } = call
  const draft: EventDraft & { kind: 'tool-complete' } = {
    kind: 'tool-complete',
    toolCallId,
    toolName,
    success,
  }
  if (!success) draft.error = error ?? 'The tool failed.'
  else if (result !== undefined) draft.result = cleaned(writer, result, 'result')
  writer.emit(draft)
}

/**
 * Completes the running call with an id. If there is none, as it was in the response before or was lost, the result is
 * that of a call of its own.
 *
 * @param isDeferred - Whether it is known to be of the response before. Otherwise, that the call is missing is reported.
 */
export function completeResult(
  writer: ModelWriter,
  key: string,
  { toolCallId = '', toolName = 'tool' }: CallInfo,
  result: ServerResult,
  isDeferred = false,
): void {
  const call = writer.state.calls.find(
    (other) => other.toolCallId === toolCallId && other.status === 'running',
  )
  if (call !== undefined) {
    completeCall(writer, call.key, {}, result)
    return
  }
  if (!isDeferred)
    writer.inferred(
      'tool-start',
      `Expected the call of a result, got none. It is one of the tool ${toolName}.`,
    )
  const id = toolCallId === '' ? '' : `${toolCallId}-result`
  completeCall(writer, `${key} result`, { toolCallId: id, toolName, server: 'provider' }, result)
}

/**
 * Starts the call with an id that seemed to be one of the application's tools: the provider runs it. Returns its key;
 * empty if no such call is complete or running.
 */
export function startClientCall(writer: ModelWriter, toolCallId: string): string {
  const call = writer.state.calls.find((other) => other.toolCallId === toolCallId)
  if (call === undefined || toolCallId === '') return ''
  const { key, toolName, text, status } = call
  if (status === 'running') return key
  if (status !== 'complete' || call.server !== '') return ''
  edit(writer.state, 'calls', call, { status: 'running', server: 'provider' })
  if (!startsHere(writer, toolName)) {
    const { value = {} } = argumentsOf(contentOf(text))
    writer.emit({
      kind: 'tool-start',
      toolCallId,
      toolName,
      arguments: value,
      metadata: { provider: 'provider' },
    })
  }
  return key
}

/** Completes the calls whose result did not come. */
export function endServerCalls(writer: ModelWriter): void {
  const result = { success: false, error: 'The response ended without a result.' }
  for (const { key, status } of writer.state.calls) {
    if (status === 'running') completeCall(writer, key, {}, result)
  }
}
