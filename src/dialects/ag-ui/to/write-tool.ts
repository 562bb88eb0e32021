/** Writes tool calls. */

import type { ContextEvent } from '../../../events/event.ts'
import type {
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolProgressEvent,
  ToolStartEvent,
} from '../../../events/tool.ts'
import { PROGRESS } from '../wire/extension.ts'
import { resultMessageId } from '../wire/message-ids.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { endCutCall } from './close.ts'
import { openTask } from './runs.ts'
import type { TargetTask } from './state.ts'

export function writeToolArguments(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolArgumentsDeltaEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { toolCallId, toolName, delta, index } = event
  const known = writer.item('calls', toolCallId)
  if (known?.hasStarted === true) {
    writer.droppedEvent(event, 'out-of-order', 'Expected the arguments before the start of the call.')
    return
  }
  // An empty first delta announces the call.
  if (delta === '' && known !== undefined) {
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty deltas.')
    return
  }
  const next = known?.next ?? 0
  if (known?.isOpen !== true) {
    writer.emitOwned(task, { type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName })
  }
  if (delta !== '') writer.emitOwned(task, { type: 'TOOL_CALL_ARGS', toolCallId, delta })
  writer.setItem('calls', toolCallId, {
    taskId: task.taskId,
    isOpen: true,
    next: delta === '' ? next : next + 1,
    toolName,
    hasStarted: false,
  })
  writer.reportLost(event, index === next ? ['index'] : [])
}

export function writeToolStart(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolStartEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { toolCallId, toolName, arguments: args, metadata } = event
  const known = writer.item('calls', toolCallId)
  if (known?.hasStarted === true) {
    writer.droppedEvent(event, 'repeated', 'Expected one tool-start of the call, got another.')
    return
  }
  if (known?.isOpen !== true) {
    writer.emitOwned(task, { type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName })
  }
  if (known === undefined || known.next === 0) {
    writer.emitOwned(task, { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) })
  }
  const { signature, ...rest } = metadata ?? {}
  if (signature !== undefined) {
    const value = { subtype: 'tool-call', entityId: toolCallId, encryptedValue: signature } as const
    writer.emitOwned(task, { type: 'REASONING_ENCRYPTED_VALUE', ...value })
  }
  const more = Object.keys(rest).length > 0 ? { metadata: rest } : {}
  writer.emitOwned(task, { type: 'TOOL_CALL_END', toolCallId, ...more })
  const next = known?.next ?? 1
  writer.setItem('calls', toolCallId, {
    taskId: task.taskId,
    isOpen: false,
    next,
    toolName,
    hasStarted: true,
  })
  writer.reportLost(event)
}

export function writeToolProgress(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolProgressEvent>,
): void {
  const { toolCallId, progress, message, metadata } = event
  if (writer.item('calls', toolCallId)?.hasStarted !== true) {
    writer.droppedEvent(event, 'not-started', 'Expected a running call, got none.')
    return
  }
  const task = openTask(writer, found, event)
  if (task === undefined) return
  writer.emitOwned(task, {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: `${toolCallId}:progress`,
    activityType: PROGRESS,
    content: {
      toolCallId,
      progress,
      ...(message !== undefined && { message }),
      ...(metadata !== undefined && { metadata }),
    },
  })
  writer.reportLost(event)
}

export function writeToolComplete(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolCompleteEvent>,
): void {
  const { toolCallId, success, result, error, metadata } = event
  const call = writer.item('calls', toolCallId)
  if (call === undefined) {
    writer.droppedEvent(event, 'not-started', 'Expected an open call, got none.')
    return
  }
  const task = openTask(writer, found, event)
  if (task === undefined) return
  writer.deleteItem('calls', toolCallId)
  if (call.isOpen) endCutCall(writer, task, toolCallId)
  const { messageId = resultMessageId(toolCallId), ...rest } = metadata ?? {}
  const stated = success ? rest : { ...rest, error: error ?? '' }
  writer.emitOwned(task, {
    type: 'TOOL_CALL_RESULT',
    messageId: typeof messageId === 'string' ? messageId : resultMessageId(toolCallId),
    toolCallId,
    content: success ? contentOf(result) : JSON.stringify({ error: error ?? 'The tool failed.' }),
    role: 'tool',
    ...(Object.keys(stated).length > 0 && { metadata: stated }),
  })
  writer.reportLost(event)
}

/** A result as text, which is parsed again if it is JSON. */
function contentOf(result: unknown): string {
  if (result === undefined) return ''
  return typeof result === 'string' && !isJson(result) ? result : JSON.stringify(result)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return text === ''
  }
}
