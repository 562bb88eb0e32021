/** Writes tool calls. */

import type { ContextEvent } from '../../../events/event.ts'
import type {
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolProgressEvent,
  ToolStartEvent,
} from '../../../events/tool.ts'
import { jsonText } from '../../../json/json-text.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { isEqualJson } from '../../../json/value.ts'
import { PROGRESS } from '../wire/extension.ts'
import { progressMessageId, resultMessageId } from '../wire/message-ids.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { endCutCall } from './close.ts'
import { isRepeated, keptOf } from './deltas.ts'
import { openTask } from './runs.ts'
import { withStarted } from './sent-messages.ts'
import type { TargetCall, TargetItem, TargetTask } from './state.ts'
import { enterStep } from './steps.ts'

/** Longer arguments are not compared with those that a call starts with, in UTF-16 units. */
const MAX_ARGUMENTS = 1 << 20

export function writeToolArguments(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolArgumentsDeltaEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { toolCallId, delta, index, indexEnd = index } = event
  const known = writer.item('call', toolCallId)
  if (known?.call?.hasStarted === true) {
    writer.droppedEvent(event, 'out-of-order', 'Expected the arguments before the start of the call.')
    return
  }
  if (isRepeated(writer, event, known?.expects ?? null)) return
  // Arguments with a part missing are no JSON. If it is the beginning, the start of the call sends the whole.
  if (index !== (known === undefined ? 0 : known.expects)) {
    writer.droppedEvent(event, 'out-of-order', 'Expected all deltas of the arguments, missed some.')
    if (known !== undefined) writer.setItem(toolCallId, { ...known, expects: null })
    return
  }
  // An empty first delta announces the call.
  if (delta === '' && known !== undefined) {
    writer.setItem(toolCallId, { ...known, expects: indexEnd + 1 })
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty deltas.')
    return
  }
  const next = known?.next ?? 0
  const { iteration, step } = begun(writer, task, event, known)
  if (delta !== '') writer.emitOwned(task, { type: 'TOOL_CALL_ARGS', toolCallId, delta })
  writer.setItem(toolCallId, {
    type: 'call',
    id: toolCallId,
    taskId: task.taskId,
    iteration,
    step,
    isOpen: true,
    next: delta === '' ? next : next + 1,
    expects: indexEnd + 1,
    length: 0,
    hash: 0,
    call: callOf(known, delta),
  })
  const kept = keptOf({ step }, event)
  writer.reportLost(event, index === next ? ['index', ...kept] : kept)
}

/** Begins a call, or lets one go on that the end of a run has cut off. Returns its iteration and step. */
function begun(
  writer: AgUiWriter,
  task: TargetTask,
  { toolCallId, toolName: toolCallName, iteration: stated }: ToolArgumentsDeltaEvent | ToolStartEvent,
  known: TargetItem | undefined,
): Pick<TargetItem, 'iteration' | 'step'> {
  if (known?.isOpen === true) return known
  const { iteration } = known ?? { iteration: stated ?? null }
  const step = enterStep(writer, task, iteration)
  writer.emitOwned(task, { type: 'TOOL_CALL_START', toolCallId, toolCallName }, { key: null, iteration })
  return { iteration, step }
}

/** A call that has not started, with another delta of its arguments. */
function callOf(known: TargetItem | undefined, delta: string): TargetCall {
  const { text = '', wasCut = false } = known?.call ?? {}
  const isShort = text !== null && text.length + delta.length <= MAX_ARGUMENTS
  return { hasStarted: false, text: isShort ? text + delta : null, wasCut }
}

/** Stores a call that has started, and is open in the stream no more. */
function setStarted(
  writer: AgUiWriter,
  { taskId }: TargetTask,
  id: string,
  { iteration, step }: Pick<TargetItem, 'iteration' | 'step'>,
): void {
  const call = { hasStarted: true, text: null, wasCut: false }
  const sent = { next: 0, expects: null, length: 0, hash: 0 }
  writer.setItem(id, { type: 'call', id, taskId, iteration, step, isOpen: false, ...sent, call })
  const messages = writer.state.sent
  if (messages !== null) writer.state.sent = withStarted(messages, id)
}

export function writeToolStart(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolStartEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { toolCallId, arguments: args, metadata } = event
  const known = writer.item('call', toolCallId)
  if (known?.call?.hasStarted === true) {
    writer.droppedEvent(event, 'repeated', 'Expected one tool-start of the call, got another.')
    return
  }
  if (known !== undefined && known.next > 0 && known.expects === null) {
    if (known.isOpen) endCutCall(writer, task, toolCallId)
    setStarted(writer, task, toolCallId, known)
    writer.droppedEvent(event, 'out-of-order', 'Expected all deltas of the arguments, missed some.')
    return
  }
  const begin = begun(writer, task, event, known)
  if (known === undefined || known.next === 0) {
    writer.emitOwned(task, { type: 'TOOL_CALL_ARGS', toolCallId, delta: textOf(writer, 'arguments', args) })
  }
  const { signature, ...rest } = metadata ?? {}
  if (signature !== undefined) {
    const value = { subtype: 'tool-call', entityId: toolCallId, encryptedValue: signature } as const
    writer.emitOwned(task, { type: 'REASONING_ENCRYPTED_VALUE', ...value })
  }
  const text = known === undefined || known.next === 0 ? null : (known.call?.text ?? null)
  const isOther = text !== null && !isEqualJson(parsedJson(text), args)
  if (isOther) writer.lostField('arguments', 'Clients keep the arguments of the deltas.')
  // Clients merge metadata: the end of a call that was cut off before replaces what its first end states.
  const stated = {
    ...rest,
    ...(known?.call?.wasCut === true && { complete: true }),
    ...(isOther && { arguments: args }),
  }
  const more = Object.keys(stated).length > 0 ? { metadata: stated } : {}
  writer.emitOwned(task, { type: 'TOOL_CALL_END', toolCallId, ...more })
  setStarted(writer, task, toolCallId, begin)
  writer.reportLost(event, keptOf(begin, event))
}

export function writeToolProgress(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolProgressEvent>,
): void {
  const { toolCallId, progress, message, metadata } = event
  const call = writer.item('call', toolCallId)
  if (call?.call?.hasStarted !== true) {
    writer.droppedEvent(event, 'not-started', 'Expected a running call, got none.')
    return
  }
  const task = openTask(writer, found, event)
  if (task === undefined) return
  writer.emitOwned(task, {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: progressMessageId(toolCallId),
    activityType: PROGRESS,
    content: {
      toolCallId,
      progress,
      ...(message !== undefined && { message }),
      ...(metadata !== undefined && { metadata }),
    },
  })
  writer.reportLost(event, keptOf(call, event))
}

export function writeToolComplete(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ToolCompleteEvent>,
): void {
  const { toolCallId, success, result, error, metadata } = event
  const call = writer.item('call', toolCallId)
  if (call === undefined) {
    writer.droppedEvent(event, 'not-started', 'Expected a running call, got none.')
    return
  }
  const task = openTask(writer, found, event)
  if (task === undefined) return
  writer.deleteItem('call', toolCallId)
  if (call.isOpen) endCutCall(writer, task, toolCallId)
  const { messageId, ...others } = metadata ?? {}
  const isNamed = typeof messageId === 'string'
  const rest = isNamed || metadata === undefined ? others : metadata
  const stated = success ? rest : { ...rest, error: error ?? '' }
  writer.emitOwned(task, {
    type: 'TOOL_CALL_RESULT',
    messageId: isNamed ? messageId : resultMessageId(toolCallId),
    toolCallId,
    content: success ? contentOf(writer, result) : JSON.stringify({ error: error ?? 'The tool failed.' }),
    role: 'tool',
    ...(Object.keys(stated).length > 0 && { metadata: stated }),
  })
  writer.reportLost(event, keptOf(call, event))
}

/** A result as text, which is parsed again if it is JSON. */
function contentOf(writer: AgUiWriter, result: unknown): string {
  if (result === undefined) return ''
  return typeof result === 'string' && !isJson(result) ? result : textOf(writer, 'result', result)
}

/** A field as JSON text. Reports one that is nested too deeply. */
function textOf(writer: AgUiWriter, field: string, value: unknown): string {
  const text = jsonText(value)
  if (text === undefined) writer.lostField(field, 'The value is nested too deeply.')
  return text ?? '{}'
}

function isJson(text: string): boolean {
  return text === '' || parsedJson(text) !== undefined
}
