/** Maps the beginning and the end of the task of a message to chunks. */

import type { ContextEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { sendAllWaiting } from '../../engine/artifact-changes.ts'
import { dropRepeated } from '../../engine/drop.ts'
import { closeItems, type ItemsEnd } from '../../engine/end-items.ts'
import { writeResult } from '../../engine/write-task.ts'
import { finishReasonOf } from '../../shared/finish-reason.ts'
import type { AiSdkVersion, UiFinishReason } from '../wire/types.ts'
import { addUsage, fromUiUsage, toUiUsage } from '../wire/usage.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { formats } from './item-formats.ts'
import { isAsking } from './state.ts'
import { changeFormat } from './write-change.ts'
import { reportUnwritten } from './write-file.ts'
import { closeRequests, waitsForUser } from './write-request.ts'

/** Keys of the metadata of a message with a meaning of ours. */
const metadataKeys = ['usage', 'error', 'result'] as const

/** Emits `start`. */
export function writeTaskCreated(
  writer: ChunkWriter,
  { kind, taskId, initiator, metadata }: ContextEvent<TaskCreatedEvent>,
): void {
  if (writer.state.phase !== 'new') {
    dropRepeated(writer, kind, taskId)
    return
  }
  startMessage(writer, taskId, startMetadata(metadata))
  if (metadataKeys.some((key) => metadata?.[key] !== undefined))
    writer.lossy('metadata', 'A message has metadata of its own.')
  if (initiator === 'user') writer.kept.push('initiator')
}

/** The metadata of a message when it begins; `undefined` if there is none. */
function startMetadata(metadata: TaskCreatedEvent['metadata']): Record<string, unknown> | undefined {
  const entries = Object.entries(metadata ?? {}).filter(
    ([key, value]) =>
      value !== undefined && key !== 'input' && !(metadataKeys as readonly string[]).includes(key),
  )
  return entries.length === 0 ? undefined : cleanObject(Object.fromEntries(entries))
}

/** Begins the message. */
export function startMessage(writer: ChunkWriter, taskId: string, messageMetadata?: object): void {
  writer.state.phase = 'open'
  writer.emit(
    { type: 'start', messageId: taskId, ...(messageMetadata !== undefined && { messageMetadata }) },
    writer.beginStep(),
  )
}

/** Emits what ends or pauses a message. Other statuses are not part of it. */
export function writeTaskStatus(writer: ChunkWriter, event: ContextEvent<TaskStatusEvent>): void {
  const { state, kept } = writer
  const { kind, status, error, message, metadata } = event
  const explanation = metadata?.reason ?? message
  state.status = status
  if (status === 'failed') {
    closeAll(writer, 'failure')
    const info = cleanJson(error)
    if (info !== undefined) writer.send({ type: 'message-metadata', messageMetadata: { error: info } })
    const errorText = error?.message ?? explanation ?? 'The task failed.'
    writer.send({ type: 'error', errorText })
    state.phase = 'ended'
    if (message === errorText) kept.push('message')
    kept.push('error', ...(error === undefined ? ['metadata.reason'] : []))
  } else if (status === 'canceled') {
    closeAll(writer, 'failure')
    writer.endStep()
    const reason = writer.version > 5 ? explanation : undefined
    writer.emit({ type: 'abort', ...(reason !== undefined && { reason }) })
    state.phase = 'ended'
    if (reason !== undefined) kept.push(metadata?.reason === reason ? 'metadata.reason' : 'message')
  } else if (isAsking(status)) {
    if (state.phase === 'open' && !waitsForUser(state))
      writer.dropped(kind, 'after-end', 'Its calls have ended.')
    else if (state.phase === 'open') kept.push('metadata.usage', 'metadata.aiSdk')
  } else if (status !== 'working' && status !== 'completed')
    writer.dropped(kind, 'no-equivalent', `Messages have no equivalent for status ${status}.`)
}

/**
 * Ends the message for now if the task waits for the user, or for subtasks that do and none that works.
 *
 * @param metadata - Of the status of the task that waits, if it is what ends the message.
 */
export function pauseIfWaiting(writer: ChunkWriter, metadata: Metadata = {}): void {
  const { state } = writer
  if (state.phase !== 'open' || !waitsForUser(state)) return
  sendAllWaiting(writer, changeFormat)
  // Older readers forget open texts when a step ends.
  if (!writer.hasOpen()) writer.endStep()
  const carried: Metadata = fieldsOf(metadata.aiSdk)
  const { finishReason: reason } = carried
  const usage = fromUiUsage({ models: metadata.usage })?.map((one) => cleanObject(one))
  if (usage !== undefined) state.usage = addUsage(state.usage, usage)
  const messageMetadata = {
    ...(usage !== undefined && { usage: toUiUsage(state.usage) }),
    ...(isFields(carried.messageMetadata) && cleanObject(carried.messageMetadata)),
  }
  writer.emit({
    type: 'finish',
    finishReason: typeof reason === 'string' ? toFinishReason(reason, writer.version) : 'tool-calls',
    ...(Object.keys(messageMetadata).length > 0 && { messageMetadata }),
  })
  state.phase = 'paused'
}

/** Emits what the result adds to the text, and the end of the message. */
export function writeTaskComplete(writer: ChunkWriter, event: ContextEvent<TaskCompleteEvent>): void {
  const { state } = writer
  const { artifacts, metadata } = event
  const { usage, finishReason, ...rest } = metadata ?? {}
  writeResult(writer, formats, event)
  if (finishReason !== undefined) state.finishReason = finishReason
  const result = {
    ...(artifacts !== undefined && { artifacts: [...artifacts] }),
    ...(Object.keys(rest).length > 0 && { metadata: cleanObject(rest) }),
    ...(finishReason !== undefined && { finishReason }),
  }
  finishMessage(writer, {
    ...(usage !== undefined && usage.length > 0 && { usage: toUiUsage(usage) }),
    ...(Object.keys(result).length > 0 && { result }),
  })
}

/** Ends the message of a completed task. */
export function finishMessage(writer: ChunkWriter, messageMetadata: object = {}): void {
  const { state } = writer
  closeAll(writer, 'success')
  writer.open()
  writer.endStep()
  const { finishReason } = state
  writer.emit({
    type: 'finish',
    ...(finishReason !== null && { finishReason: toFinishReason(finishReason, writer.version) }),
    ...(Object.keys(messageMetadata).length > 0 && { messageMetadata }),
  })
  state.phase = 'ended'
}

/** Closes what is open, as the task ends. */
function closeAll(writer: ChunkWriter, reason: ItemsEnd): void {
  sendAllWaiting(writer, changeFormat)
  closeItems(writer, formats, writer.state.taskId ?? '', reason)
  reportUnwritten(writer)
  closeRequests(writer)
}

/** Handles the end of the stream before that of its task. */
export function endStream(writer: ChunkWriter, unfinished: 'fail' | 'keep'): void {
  const { state } = writer
  if (state.phase === 'new' || state.phase === 'ended') return
  if (state.status === 'completed') {
    finishMessage(writer)
    return
  }
  sendAllWaiting(writer, changeFormat)
  pauseIfWaiting(writer)
  if (state.phase === 'paused' || unfinished === 'keep') return
  closeItems(writer, formats, state.taskId ?? '', 'failure')
  reportUnwritten(writer)
  const errorText = 'The stream ended before the task did.'
  writer.diagnostic('gap', errorText)
  writer.emit({ type: 'error', errorText })
  state.phase = 'ended'
}

/** The reason that a provider states, as the AI SDK names it. Version 5 and 6 have no `interrupted`. */
function toFinishReason(reason: string, version: AiSdkVersion): UiFinishReason {
  const found = finishReasonOf(reason) ?? 'other'
  return found === 'interrupted' && version < 7 ? 'other' : found
}
