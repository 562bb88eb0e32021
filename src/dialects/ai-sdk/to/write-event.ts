/** Maps each kind of event to chunks. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { CustomEvent } from '../../../events/custom.ts'
import type { ContextAnyEvent, ContextEvent, EventKind, EventOf } from '../../../events/event.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import { isFields } from '../../../validation/predicates.ts'
import { sendWaiting, writeChange } from '../../engine/artifact-changes.ts'
import { dropAfterEnd, dropOfOtherTask } from '../../engine/drop.ts'
import { takeItems } from '../../engine/end-items.ts'
import type { ItemEvent } from '../../engine/item.ts'
import { withoutPrivate } from '../../engine/private-metadata.ts'
import { writeTaskItem } from '../../engine/write-task.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import { NUMBERED_TEXT } from '../wire/text-id.ts'
import type { CustomChunk } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { formats } from './item-formats.ts'
import type { ToUiState } from './state.ts'
import { writeDatasetWrite, writeDataWrite } from './write-artifact.ts'
import { writeToolComplete, writeToolProgress } from './write-call.ts'
import { changeFormat } from './write-change.ts'
import { writeFileWrite } from './write-file.ts'
import { writeAuthEnd, writeAuthRequired, writeInputEnd, writeInputRequired } from './write-request.ts'
import { writeSubtaskCreated, writeSubtaskEvent } from './write-subtask.ts'
import {
  finishMessage,
  pauseIfWaiting,
  startMessage,
  writeTaskComplete,
  writeTaskCreated,
  writeTaskStatus,
} from './write-task.ts'

type Writers = { readonly [K in EventKind]?: (writer: ChunkWriter, event: ContextEvent<EventOf<K>>) => void }

/** What any task of the message may send: requests, artifacts, subtasks, custom events. */
const shared: Writers = {
  'input-required': writeInputRequired,
  'input-received': writeInputEnd,
  'input-canceled': writeInputEnd,
  'auth-required': writeAuthRequired,
  'auth-completed': writeAuthEnd,
  'auth-failed': writeAuthEnd,
  'file-write': writeFileWrite,
  'data-write': writeDataWrite,
  'dataset-write': writeDatasetWrite,
  'artifact-delta': (writer, event) => writeChange(writer, changeFormat, event),
  'subtask-created': writeSubtaskCreated,
  custom: writeCustom,
}

const item = (writer: ChunkWriter, event: ItemEvent): void => writeTaskItem(writer, formats, event)

/** What the task of the message sends. */
const own: Writers = {
  ...shared,
  'task-created': writeTaskCreated,
  'task-status': writeTaskStatus,
  'task-complete': writeTaskComplete,
  'content-delta': item,
  'content-complete': item,
  'content-replace': item,
  'iteration-reset': writeIterationReset,
  'thought-delta': item,
  'thought-stream': item,
  'tool-arguments-delta': item,
  'tool-start': item,
  'tool-progress': writeToolProgress,
  'tool-complete': writeToolComplete,
  'task-error': (writer, { error }) => writer.send({ type: 'data-error', data: error }),
}

/** Maps one event. */
export function writeEvent(writer: ChunkWriter, whole: ContextAnyEvent): void {
  const { state } = writer
  const event = withoutPrivate(writer, whole)
  const { kind, taskId } = event
  if (state.taskId === null && event.parentTaskId === undefined) state.taskId = taskId
  const isOwn = taskId === state.taskId
  writer.reportContext(event)
  if (writer.omits(kind)) {
    writer.noEquivalent(event)
    return
  }
  if (!isOwn && !isOfSubtask(state, event)) {
    dropOfOtherTask(writer, state.taskId, event)
    return
  }
  const isResult = isOwn && kind === 'task-complete'
  if (state.status === 'completed' && state.phase !== 'ended' && !isResult) finishMessage(writer)
  if (state.phase === 'ended') {
    dropAfterEnd(writer, event)
    return
  }
  if (state.phase === 'new' && !(isOwn && kind === 'task-created')) {
    writer.inferred('start', `Expected task-created first, got ${kind}.`)
    state.taskId ??= event.parentTaskId ?? taskId
    startMessage(writer, state.taskId)
  }
  sendWaiting(writer, changeFormat)
  writeKind(writer, event, isOwn)
  if (kind === 'task-status') pauseIfWaiting(writer, isOwn ? event.metadata : undefined)
  else if (kind.endsWith('-required') || isTaskEnd(event)) pauseIfWaiting(writer)
}

/**
 * Of a subtask, what concerns the user is written as that of the task itself, calls that the user was asked to approve
 * included; the rest as its state.
 */
function writeKind(writer: ChunkWriter, event: ContextAnyEvent, isOwn: boolean): void {
  const isShown =
    isOwn || ('toolCallId' in event && boundedGet(writer.state.calls, event.toolCallId) !== undefined)
  const write = (isShown ? own : shared)[event.kind] as ((...args: unknown[]) => void) | undefined
  if (write === undefined) {
    writeSubtaskEvent(writer, event)
    return
  }
  write(writer, event)
  const { contentId } = event as { contentId?: string }
  if (contentId !== undefined && !writer.isDropped && NUMBERED_TEXT.test(contentId))
    writer.lossy('contentId', 'The text has another id.')
  writer.reportLost(event)
}

/** Begins the step again, if nothing in it has to stay; otherwise what was sent stays. */
function writeIterationReset(writer: ChunkWriter, event: ContextEvent<EventOf<'iteration-reset'>>): void {
  const { state } = writer
  const { kind, taskId, iteration } = event
  const taken = takeItems(writer, taskId, iteration)
  if (iteration === state.stepIteration && writer.version === 7 && !state.stepStays) {
    writer.resetStep()
    state.isStepOver = false
    return
  }
  for (const item of taken) if (item.phase === 'open') formats[item.type].cut?.(writer, item)
  const isSent = state.stepIteration !== null && iteration <= state.stepIteration
  const message = 'What the response has sent stays, as its step cannot begin again.'
  writer.dropped(kind, isSent ? 'no-equivalent' : 'out-of-order', message)
}

/** Whether a message has nothing with the ids of an event: of subtasks, it has the requests and what they are about. */
export function hasNoItems(state: ToUiState, event: ContextAnyEvent): boolean {
  const { kind, taskId, parentTaskId } = event
  if (state.taskId === null ? parentTaskId === undefined : taskId === state.taskId) return false
  return !/^(input|auth)-/.test(kind) || !isOfSubtask(state, event)
}

/** Whether the task of an event was created by the task of the message, or by one of its subtasks. */
function isOfSubtask(state: ToUiState, { taskId, parentTaskId }: ContextAnyEvent): boolean {
  const isKnown = (id: string): boolean => id === state.taskId || boundedGet(state.subtasks, id) !== undefined
  return state.taskId === null || isKnown(taskId) || (parentTaskId !== undefined && isKnown(parentTaskId))
}

/** Emits `data-<name>`, or `custom` for an event that was one. */
function writeCustom(writer: ChunkWriter, event: ContextEvent<CustomEvent>): void {
  const { name, data, customId, transient, metadata } = event
  const { aiSdk } = metadata ?? {}
  if (isFields(aiSdk) && aiSdk.type === 'custom' && writer.version === 7) {
    const providerMetadata = toProviderMetadata(undefined, { providerMetadata: data })
    const own = providerMetadata === undefined ? {} : { providerMetadata }
    writer.send({ type: 'custom', kind: name as CustomChunk['kind'], ...own })
    return
  }
  const own = { ...(customId !== undefined && { id: customId }), ...(transient === true && { transient }) }
  writer.send({ type: `data-${name}`, ...own, data })
}
