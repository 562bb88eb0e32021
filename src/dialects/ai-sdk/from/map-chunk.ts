/** Maps each type of chunk to events. */

import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { DataChunk, StartChunk, SteeringMessageChunk, UiMessageChunk } from '../wire/types.ts'
import { startHeldCall } from './calls.ts'
import { mapApprovalRequest, mapApprovalResponse, mapOutputDenied } from './map-approval.ts'
import { mapCustom, mapData } from './map-data.ts'
import { flushError, mapAbort, mapError, mapFinish, mapMetadata, mapReset } from './map-end.ts'
import { mapFile } from './map-file.ts'
import { mapInputAvailable, mapInputDelta, mapInputError, mapInputStart } from './map-input.ts'
import { mapOutput, mapOutputError } from './map-output.ts'
import {
  mapReasoningDelta,
  mapReasoningEnd,
  mapReasoningStart,
  mapSource,
  mapTextDelta,
  mapTextEnd,
  mapTextStart,
} from './map-text.ts'
import { continuesTask } from './read-posted.ts'
import type { MessageWriter } from './state.ts'
import { beginTask, work } from './task.ts'

/** Chunks after which a task that reported an error may still have failed. */
const neutral: readonly string[] = [
  'start',
  'start-step',
  'finish-step',
  'message-metadata',
  'error',
  'abort',
  'finish',
]

/** Maps one chunk. */
export function mapChunk(writer: MessageWriter, chunk: UiMessageChunk): void {
  const { state } = writer
  const { type } = chunk
  if (state.phase === 'ended') {
    writer.dropped(type, 'after-end', `Got ${type} after the end of the message.`)
    return
  }
  if (chunk.type === 'start') {
    mapStart(writer, chunk)
    return
  }
  if (!neutral.includes(type) || state.phase === 'new') work(writer)
  if (!neutral.includes(type)) flushError(writer)
  const isAsked = chunk.type === 'tool-approval-request' && chunk.toolCallId === state.heldCall
  // Of a step that begins again, no call starts.
  if (!isAsked && type !== 'reset-step') startHeldCall(writer)
  mapType(writer, chunk)
}

function mapStart(writer: MessageWriter, { type, messageId, messageMetadata }: StartChunk): void {
  const { state } = writer
  if (state.phase === 'new') {
    if (isFields(messageMetadata)) beginTask(writer, messageId, cleanObject(messageMetadata) as Metadata)
    else {
      beginTask(writer, messageId)
      mapMetadata(writer, messageMetadata)
    }
    return
  }
  startHeldCall(writer)
  const isContinued = continuesTask(writer)
  if (state.phase === 'waiting' && writer.options.posted !== undefined && !isContinued) {
    const message = 'Expected a request that answers what the task waits for, got one about another message.'
    writer.diagnostic('lossy:request', message, { detail: { messageId: writer.options.posted.messageId } })
  }
  const isOther = messageId !== undefined && messageId !== state.taskId
  if (isOther && !isContinued && writer.options.taskId === undefined) {
    writer.dropped(type, 'other-task', 'Expected one message in the stream, got another.')
    writer.lossy('messageId', 'Expected one message in the stream, got another.', messageId)
  }
  mapMetadata(writer, messageMetadata)
  work(writer)
}

function mapType(writer: MessageWriter, chunk: UiMessageChunk): void {
  const map = Object.hasOwn(maps, chunk.type) ? maps[chunk.type as keyof typeof maps] : mapData
  ;(map as (writer: MessageWriter, chunk: UiMessageChunk) => void)(writer, chunk)
}

const ignore = (): void => {}

/** What maps each type of chunk, other than `data-<name>`. */
const maps: {
  readonly [Type in Exclude<UiMessageChunk['type'], DataChunk['type']>]: (
    writer: MessageWriter,
    chunk: Extract<UiMessageChunk, { type: Type }>,
  ) => void
} = {
  start: ignore,
  'start-step': startStep,
  'finish-step': ignore,
  'reset-step': mapReset,
  'text-start': mapTextStart,
  'text-delta': mapTextDelta,
  'text-end': mapTextEnd,
  'reasoning-start': mapReasoningStart,
  'reasoning-delta': mapReasoningDelta,
  'reasoning-end': mapReasoningEnd,
  'tool-input-start': mapInputStart,
  'tool-input-delta': mapInputDelta,
  'tool-input-available': mapInputAvailable,
  'tool-input-error': mapInputError,
  'tool-approval-request': mapApprovalRequest,
  'tool-approval-response': mapApprovalResponse,
  'tool-output-available': mapOutput,
  'tool-output-error': mapOutputError,
  'tool-output-denied': mapOutputDenied,
  'source-url': mapSource,
  'source-document': mapSource,
  file: mapFile,
  'reasoning-file': mapFile,
  custom: mapCustom,
  'steering-message': dropSteering,
  'message-metadata': (writer, { messageMetadata }) => mapMetadata(writer, messageMetadata),
  error: mapError,
  abort: mapAbort,
  finish: mapFinish,
}

function startStep({ state }: MessageWriter): void {
  state.step++
  state.earlierThoughts = state.thoughtCount
}

/** A message of the user is no event of the task: it is handed to the caller. */
function dropSteering(writer: MessageWriter, { type, id, parts }: SteeringMessageChunk): void {
  writer.diagnostic(`dropped:${type}`, 'A message of the user is no event.', {
    detail: { reason: 'no-equivalent', id, parts },
  })
}
