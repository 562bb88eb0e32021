/** Maps each kind of event to AG-UI. */

import type { CustomEvent } from '../../../events/custom.ts'
import type { ContextAnyEvent, ContextEvent, EventKind, EventOf } from '../../../events/event.ts'
import type { ThoughtDeltaEvent } from '../../../events/thought.ts'
import type { ToolCompleteEvent, ToolProgressEvent } from '../../../events/tool.ts'
import { jsonText } from '../../../json/json-text.ts'
import { parsedJson } from '../../../json/parsed.ts'
import { isFields } from '../../../validation/predicates.ts'
import { dropAfterEnd } from '../../engine/drop.ts'
import { calledItem, endCall } from '../../engine/end-items.ts'
import type { DeltaEvent, Item, WholeEvent } from '../../engine/item.ts'
import { withoutPrivate } from '../../engine/private-metadata.ts'
import { startShown, writeDelta, writeReplace, writeWhole } from '../../engine/write-item.ts'
import { FOREIGN, PROGRESS } from '../wire/extension.ts'
import { progressMessageId, resultMessageId } from '../wire/message-ids.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { formats, stated } from './item-formats.ts'
import { emitCarrier, openTask, taskOf } from './runs.ts'
import { withStarted } from './sent-messages.ts'
import type { TargetTask } from './state.ts'
import { writeChange, writeData } from './write-artifact.ts'
import { closeRequest, interruptNext, writeAuthRequired, writeInputRequired } from './write-request.ts'
import { writeIterationReset } from './write-revision.ts'
import { writeSubtaskCreated, writeTaskComplete, writeTaskCreated, writeTaskStatus } from './write-task.ts'

type Writers = {
  readonly [K in EventKind]?: (writer: AgUiWriter, task: TargetTask, event: ContextEvent<EventOf<K>>) => void
}

/** What is written in the run of its task. */
const inRun: Writers = {
  'content-delta': writePiece,
  'content-complete': writeAll,
  'content-replace': (writer, _, event) => {
    writer.mayReplace = true
    writeReplace(writer, formats, event)
  },
  'iteration-reset': (writer, task, event) => writeIterationReset(writer, task, event, formats),
  'thought-delta': writePiece,
  'thought-stream': writeAll,
  'tool-arguments-delta': writePiece,
  'tool-start': writeAll,
  'task-complete': writeTaskComplete,
  'data-write': writeData,
  custom: writeCustom,
}

/** What begins a run only if it is written, or not at all. */
const others: Writers = {
  'task-created': writeTaskCreated,
  'task-status': writeTaskStatus,
  'subtask-created': writeSubtaskCreated,
  'tool-progress': writeToolProgress,
  'tool-complete': writeToolComplete,
  'artifact-delta': writeChange,
  'input-required': writeInputRequired,
  'auth-required': writeAuthRequired,
  'input-received': (writer, _, { inputId }) => closeRequest(writer, 'input', inputId),
  'input-canceled': (writer, _, { inputId }) => closeRequest(writer, 'input', inputId),
  'auth-completed': (writer, _, { authId }) => closeRequest(writer, 'auth', authId),
  'auth-failed': (writer, _, { authId }) => closeRequest(writer, 'auth', authId),
}

/** Maps one event. */
export function writeEvent(writer: AgUiWriter, given: ContextAnyEvent): void {
  const event = withoutPrivate(writer, given)
  const task = taskOf(writer, event)
  // What starts a task starts its run as well, which is marked as one whose events are carried.
  const isStart = event.kind === 'task-created' && task.startedIn === 0
  if (isStart) writeKind(writer, task, event)
  if (writer.options.extension === true) emitCarrier(writer, writer.task(task.taskId) ?? task, given)
  if (!isStart) writeKind(writer, writer.task(task.taskId) ?? task, event)
  interruptNext(writer, event)
}

function writeKind(writer: AgUiWriter, found: TargetTask, event: ContextAnyEvent): void {
  const { kind } = event
  const task = iterated(writer, found, event)
  if (task.phase === 'ended' || (task.phase === 'completed' && kind !== 'task-complete')) {
    dropAfterEnd(writer, event)
    return
  }
  const write = (inRun[kind] ?? others[kind]) as
    | ((writer: AgUiWriter, task: TargetTask, event: ContextAnyEvent) => void)
    | undefined
  const open = inRun[kind] === undefined ? task : openTask(writer, task, event)
  if (open !== undefined) write?.(writer, open, event)
  writer.reportLost(event)
}

/** The task, at the model response that an event states if that is a later one. */
function iterated(writer: AgUiWriter, task: TargetTask, event: ContextAnyEvent): TargetTask {
  const { iteration } = event as { readonly iteration?: number }
  const { segments } = task
  const isLater = iteration !== undefined && iteration > (task.iteration ?? -1)
  return isLater ? writer.updateTask(task, { iteration, earlier: { segments } }) : task
}

function writePiece(writer: AgUiWriter, _: TargetTask, event: ContextEvent<DeltaEvent>): void {
  if (event.kind === 'thought-delta') keepLabels(writer, event)
  writeDelta(writer, formats, event)
}

function writeAll(writer: AgUiWriter, _: TargetTask, event: ContextEvent<WholeEvent>): void {
  if (event.kind === 'thought-stream') keepLabels(writer, event)
  const shown = startShown(writer, event)
  const { state } = writer
  if (shown === undefined) writeWhole(writer, formats, event)
  else if (state.sent !== null) state.sent = withStarted(state.sent, shown.id)
}

/** Keeps what readers infer. */
function keepLabels(
  { kept }: AgUiWriter,
  { thoughtType, verbosity }: Pick<ThoughtDeltaEvent, 'thoughtType' | 'verbosity'>,
): void {
  if (thoughtType === 'reasoning') kept.push('thoughtType')
  if (verbosity === 'normal') kept.push('verbosity')
}

/** The running call of an event, in the run of its task; `undefined` if the event is dropped. */
function callOf(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<ToolProgressEvent | ToolCompleteEvent>,
): Item | undefined {
  const call = calledItem(writer, formats, event)
  if (call === undefined || openTask(writer, task, event) === undefined) return undefined
  return call
}

function writeToolProgress(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<ToolProgressEvent>,
): void {
  const { toolCallId, progress, message, metadata } = event
  const call = callOf(writer, task, event)
  if (call === undefined) return
  const own = { ...(message !== undefined && { message }), ...(metadata !== undefined && { metadata }) }
  writer.emitOwned(call, {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: progressMessageId(toolCallId),
    activityType: PROGRESS,
    content: { toolCallId, progress, ...own },
  })
}

function writeToolComplete(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<ToolCompleteEvent>,
): void {
  const { toolCallId, success, result, error, metadata, timestamp } = event
  const call = callOf(writer, task, event)
  if (call === undefined) return
  const isShown = call.phase === 'running' && call.wasCut
  endCall(writer, formats, call, timestamp)
  const { messageId, ...others } = metadata ?? {}
  const isNamed = typeof messageId === 'string'
  const rest = isNamed || metadata === undefined ? others : metadata
  writer.emitItem(call, {
    type: 'TOOL_CALL_RESULT',
    messageId: isNamed ? messageId : resultMessageId(toolCallId),
    toolCallId,
    content: success ? contentOf(writer, result) : JSON.stringify({ error: error ?? 'The tool failed.' }),
    role: 'tool',
    // A run that only has the failure of an earlier call does not show whether it has started.
    ...stated(success ? rest : { ...rest, error: error ?? '', ...(isShown && { hasStarted: true }) }),
  })
}

/** A result as text, which is parsed again if it is JSON. */
function contentOf(writer: AgUiWriter, result: unknown): string {
  if (result === undefined) return ''
  if (typeof result === 'string' && result !== '' && parsedJson(result) === undefined) return result
  const text = jsonText(result)
  if (text === undefined) writer.lossy('result', 'The value is nested too deeply.')
  return text ?? '{}'
}

function writeCustom(writer: AgUiWriter, task: TargetTask, event: ContextEvent<CustomEvent>): void {
  const { name, data, customId, transient, metadata } = event
  const own = {
    ...(customId !== undefined && { customId }),
    ...(transient !== undefined && { transient }),
  }
  const all = Object.keys(own).length > 0 ? { ...metadata, turnstreamCustom: own } : metadata
  const isForeign = name === FOREIGN.custom && isFields(data) && typeof data.name === 'string'
  const named = isForeign ? { name: data.name as string, value: data.value } : { name, value: data }
  writer.emitOwned(task, { type: 'CUSTOM', ...named, ...(all !== undefined && { metadata: all }) })
}
