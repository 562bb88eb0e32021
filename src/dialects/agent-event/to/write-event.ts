/** Writing a task as the run of an agent, event by event. */

import { boundedDelete, boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { MAX_DIAGNOSTICS } from '../../../core/step-builder.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { jsonText } from '../../../json/json-text.ts'
import { calledItem } from '../../engine/end-items.ts'
import type { TaskFormat } from '../../engine/write-task.ts'
import { argumentsText } from '../wire/json-text.ts'
import { closeCall, newestCall } from '../wire/open-calls.ts'
import { progressData } from '../wire/progress.ts'
import { formats, type RunWriter } from './run-writer.ts'

export const format: TaskFormat<RunWriter> = {
  items: formats,
  begin() {},
  write(writer, event) {
    if (event.kind === 'tool-progress') writeProgress(writer, event)
    else if (event.kind === 'tool-complete') writeResult(writer, event)
    else if (event.kind === 'tool-start') keepOriginal(writer, event)
  },
  end(writer, calls) {
    // Each call has its result before the end.
    for (const { key, toolName } of calls)
      writer.emit({
        type: 'tool_result',
        toolName,
        output: 'The task has completed without the result of the call.',
        isError: true,
        ...writer.callId(key),
      })
    writer.emit({ type: 'final' })
  },
  fail(writer, error, status) {
    writer.emit({ type: 'error', error: error.message })
    if (status === 'canceled') writer.lossy('status', 'The status canceled is sent as an error.')
    if (!isPlainError(error)) writer.lossy('error', 'Only the message of the error is sent.')
  },
}

/** Keeps the original text of arguments, if that is what was sent. */
function keepOriginal({ kept }: RunWriter, { arguments: args, metadata }: ToolStartEvent): void {
  if (argumentsText(args, metadata?.toolArgs).isOriginal) kept.push('metadata.toolArgs')
}

/** Whether an error has nothing but a message, as a receiver reads it. */
function isPlainError(error: ErrorInfo): boolean {
  return error.code === 'internal' && error.retry === 'terminal' && Object.keys(error).length === 3
}

function writeProgress(writer: RunWriter, event: ContextEvent<ToolProgressEvent>): void {
  const call = calledItem(writer, formats, event)
  if (call === undefined) return
  const { state } = writer
  const { toolCallId, progress, message, metadata } = event
  writer.emit({
    type: 'tool_progress',
    toolName: call.toolName,
    data: progressData(event),
    ...writer.callId(toolCallId),
  })
  reportReceiver(writer, toolCallId, call.toolName)
  if (metadata === undefined || !Object.hasOwn(metadata, 'data')) {
    state.progress = boundedSet(state.progress, toolCallId, progress).map
    return
  }
  const reason = 'Only metadata.data is sent.'
  if (progress !== boundedGet(state.progress, toolCallId)) writer.lossy('progress', reason)
  if (message !== undefined) writer.lossy('message', reason)
  const others = Object.keys(metadata).filter((key) => key !== 'data' && metadata[key] !== undefined)
  for (const key of others.slice(0, MAX_DIAGNOSTICS)) {
    writer.diagnostic('lossy:metadata', reason, { path: toPointer(['metadata', key]) })
  }
}

function writeResult(writer: RunWriter, event: ToolCompleteEvent): void {
  const { state } = writer
  const { toolCallId, toolName, success, result, error } = event
  state.progress = boundedDelete(state.progress, toolCallId)
  const failure = success ? undefined : error
  const text = typeof result === 'string' ? result : result === undefined ? '' : jsonText(result)
  writer.emit({
    type: 'tool_result',
    toolName,
    output: failure ?? text ?? '',
    ...(!success && { isError: true }),
    ...writer.callId(toolCallId),
  })
  if (result !== undefined && (!success || typeof result !== 'string')) {
    writer.lossy('result', success ? 'The result is sent as JSON text.' : 'A failed call has no result.')
  }
  if (success && error !== undefined) writer.lossy('error', 'A successful call has no error.')
  reportReceiver(writer, toolCallId, toolName)
  const closed = newestCall(state.receiverCalls, toolName)
  if (closed !== undefined) state.receiverCalls = closeCall(state.receiverCalls, closed)
}

/** Reports if a receiver without ids matches the event to another call. */
function reportReceiver(writer: RunWriter, toolCallId: string, toolName: string): void {
  const assumed = newestCall(writer.state.receiverCalls, toolName)?.statedId
  if (assumed === undefined || assumed === toolCallId) return
  const [expected, actual] = [describeValue(toolCallId), describeValue(assumed)]
  writer.lossy('toolCallId', `A receiver reads call ${actual}, not ${expected}.`, { assumed })
}
