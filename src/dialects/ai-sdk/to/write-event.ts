/** Maps each kind of event to chunks. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { CustomEvent } from '../../../events/custom.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import { isFields } from '../../../validation/predicates.ts'
import { toProviderMetadata } from '../wire/provider-metadata.ts'
import type { CustomChunk } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { ToUiState } from './state.ts'
import { labelKeys, withoutLabels } from './without-labels.ts'
import { writeDatasetWrite, writeDataWrite, writeFileWrite } from './write-artifact.ts'
import { sendWaiting, writeArtifactDelta } from './write-change.ts'
import { writeToolProgress } from './write-progress.ts'
import { writeAuthEnd, writeAuthRequired, writeInputEnd, writeInputRequired } from './write-request.ts'
import { writeContentReplace, writeIterationReset } from './write-revision.ts'
import { writeSubtaskCreated, writeSubtaskEvent } from './write-subtask.ts'
import {
  finishMessage,
  pauseIfWaiting,
  startMessage,
  writeTaskComplete,
  writeTaskCreated,
  writeTaskStatus,
} from './write-task.ts'
import {
  writeContentComplete,
  writeContentDelta,
  writeThoughtDelta,
  writeThoughtStream,
} from './write-text.ts'
import { callOf, writeArgumentsDelta, writeToolComplete, writeToolStart } from './write-tool.ts'

/** Maps one event. */
export function writeEvent(writer: ChunkWriter, whole: ContextAnyEvent): void {
  const { state } = writer
  const event = withoutLabels(whole, labelKeys(whole))
  const { kind, taskId } = event
  if (state.taskId === null && event.parentTaskId === undefined) state.taskId = taskId
  const isOwn = taskId === state.taskId
  writer.reportContext(event)
  if (kind.startsWith('internal:')) {
    writer.dropped(kind, 'no-equivalent', `Messages have no equivalent for ${kind}.`)
    return
  }
  if (!isOwn && !isOfSubtask(writer, event)) {
    writer.dropped(
      kind,
      'other-task',
      `Expected an event of task ${describeValue(state.taskId)}, got ${describeValue(taskId)}.`,
    )
    return
  }
  if (state.isFinishing && !(isOwn && kind === 'task-complete')) finishMessage(writer)
  if (state.phase === 'ended') {
    writer.dropped(kind, 'after-end', `Got ${kind} after the end of the task.`)
    return
  }
  if (state.phase === 'new' && !(isOwn && kind === 'task-created')) {
    writer.inferred('start', `Expected task-created first, got ${kind}.`)
    state.taskId ??= event.parentTaskId ?? taskId
    startMessage(writer, state.taskId)
  }
  sendWaiting(writer)
  if (isOwn) writeOwn(writer, event)
  else writeOther(writer, event)
  if (kind === 'task-status') pauseIfWaiting(writer, isOwn ? event.metadata : undefined)
  else if (kind.endsWith('-required') || isTaskEnd(event)) pauseIfWaiting(writer)
  if (event !== whole) reportLabels(writer, whole)
}

function reportLabels(writer: ChunkWriter, event: ContextAnyEvent): void {
  const { metadata = {} } = event as { metadata?: object }
  for (const key of labelKeys(event)) {
    if (Object.hasOwn(metadata, key)) writer.changedMetadata(key, `Pages get no ${key}.`)
  }
}

/** Whether a message has nothing with the ids of an event: of subtasks, it has the requests and what they are about. */
export function hasNoItems(state: ToUiState, event: ContextAnyEvent): boolean {
  const { kind, taskId, parentTaskId } = event
  if (state.taskId === null ? parentTaskId === undefined : taskId === state.taskId) return false
  return !/^(input|auth)-/.test(kind) || !isOfSubtask({ state }, event)
}

/** Whether the task of an event was created by the task of the message, or by one of its subtasks. */
function isOfSubtask(
  { state }: { readonly state: ToUiState },
  { taskId, parentTaskId }: ContextAnyEvent,
): boolean {
  if (state.taskId === null || boundedGet(state.subtasks, taskId) !== undefined) return true
  return (
    parentTaskId !== undefined &&
    (parentTaskId === state.taskId || boundedGet(state.subtasks, parentTaskId) !== undefined)
  )
}

/** Maps an event of the task of the message. */
function writeOwn(writer: ChunkWriter, event: ContextAnyEvent): void {
  switch (event.kind) {
    case 'task-created':
      writeTaskCreated(writer, event)
      return
    case 'task-status':
      writeTaskStatus(writer, event)
      return
    case 'task-complete':
      writeTaskComplete(writer, event)
      return
    case 'content-delta':
      writeContentDelta(writer, event)
      break
    case 'content-complete':
      writeContentComplete(writer, event)
      break
    case 'content-replace':
      writeContentReplace(writer, event)
      break
    case 'iteration-reset':
      writeIterationReset(writer, event)
      break
    case 'thought-delta':
      writeThoughtDelta(writer, event)
      break
    case 'thought-stream':
      writeThoughtStream(writer, event)
      break
    case 'tool-arguments-delta':
      writeArgumentsDelta(writer, event)
      break
    case 'tool-start':
      writeToolStart(writer, event)
      break
    case 'tool-progress':
      writeToolProgress(writer, event)
      break
    case 'tool-complete':
      writeToolComplete(writer, event)
      break
    case 'task-error':
      writer.send({ type: 'data-error', data: event.error })
      break
    default:
      writeShared(writer, event)
  }
  writer.reportLost(event)
}

/**
 * Maps an event of a subtask: what concerns the user as that of the task itself, calls that the user was asked to approve
 * included, the rest as its state.
 */
function writeOther(writer: ChunkWriter, event: ContextAnyEvent): void {
  if ('toolCallId' in event && callOf(writer, event.toolCallId) !== undefined) writeOwn(writer, event)
  else if (writeShared(writer, event)) writer.reportLost(event)
  else writeSubtaskEvent(writer, event)
}

/** Maps what any task of the message may send: requests, artifacts, subtasks, custom events. */
function writeShared(writer: ChunkWriter, event: ContextAnyEvent): boolean {
  switch (event.kind) {
    case 'input-required':
      writeInputRequired(writer, event)
      return true
    case 'input-received':
    case 'input-canceled':
      writeInputEnd(writer, event)
      return true
    case 'auth-required':
      writeAuthRequired(writer, event)
      return true
    case 'auth-completed':
    case 'auth-failed':
      writeAuthEnd(writer, event)
      return true
    case 'file-write':
      writeFileWrite(writer, event)
      return true
    case 'data-write':
      writeDataWrite(writer, event)
      return true
    case 'dataset-write':
      writeDatasetWrite(writer, event)
      return true
    case 'artifact-delta':
      writeArtifactDelta(writer, event)
      return true
    case 'subtask-created':
      writeSubtaskCreated(writer, event)
      return true
    case 'custom':
      writeCustom(writer, event)
      return true
    default:
      return false
  }
}

/** Emits `data-<name>`, or `custom` for an event that was one. */
function writeCustom(writer: ChunkWriter, event: ContextEvent<CustomEvent>): void {
  const { name, data, customId, transient, metadata } = event
  const { aiSdk } = metadata ?? {}
  if (isFields(aiSdk) && aiSdk.type === 'custom' && writer.version === 7) {
    const providerMetadata = toProviderMetadata(undefined, { providerMetadata: data })
    writer.send({
      type: 'custom',
      kind: name as CustomChunk['kind'],
      ...(providerMetadata !== undefined && { providerMetadata }),
    })
    return
  }
  writer.send({
    type: `data-${name}`,
    ...(customId !== undefined && { id: customId }),
    data,
    ...(transient === true && { transient }),
  })
}
