/** Maps each type of chunk to events. */

import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { DataChunk, StartChunk, SteeringMessageChunk, UiMessageChunk } from '../wire/types.ts'
import { startHeldCall } from './calls.ts'
import type { EventWriter } from './event-writer.ts'
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
export function mapChunk(writer: EventWriter, chunk: UiMessageChunk): void {
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
  if (!neutral.includes(type) || state.phase === 'new') writer.work()
  if (!neutral.includes(type)) flushError(writer)
  const isAsked = chunk.type === 'tool-approval-request' && chunk.toolCallId === state.heldCall
  // Of a step that begins again, no call starts.
  if (!isAsked && type !== 'reset-step') startHeldCall(writer)
  mapType(writer, chunk)
}

function mapStart(writer: EventWriter, { type, messageId, messageMetadata }: StartChunk): void {
  const { state } = writer
  if (state.phase === 'new') {
    if (isFields(messageMetadata)) writer.begin(messageId, cleanObject(messageMetadata) as Metadata)
    else {
      writer.begin(messageId)
      mapMetadata(writer, messageMetadata)
    }
    if (messageId !== undefined && messageId !== state.taskId) {
      writer.lossy('messageId', 'The option taskId names the task.', messageId)
    }
    return
  }
  startHeldCall(writer)
  if (messageId !== undefined && messageId !== state.taskId && writer.options.taskId === undefined) {
    writer.dropped(type, 'other-task', 'Expected one message in the stream, got another.')
    writer.lossy('messageId', 'Expected one message in the stream, got another.', messageId)
  }
  mapMetadata(writer, messageMetadata)
  writer.work()
}

function mapType(writer: EventWriter, chunk: UiMessageChunk): void {
  switch (chunk.type) {
    case 'start-step':
      writer.state.step++
      writer.state.earlierThoughts = writer.state.thoughtCount
      return
    case 'start':
    case 'finish-step':
      return
    case 'reset-step':
      mapReset(writer)
      return
    case 'text-start':
      mapTextStart(writer, chunk)
      return
    case 'text-delta':
      mapTextDelta(writer, chunk)
      return
    case 'text-end':
      mapTextEnd(writer, chunk)
      return
    case 'reasoning-start':
      mapReasoningStart(writer, chunk)
      return
    case 'reasoning-delta':
      mapReasoningDelta(writer, chunk)
      return
    case 'reasoning-end':
      mapReasoningEnd(writer, chunk)
      return
    case 'tool-input-start':
      mapInputStart(writer, chunk)
      return
    case 'tool-input-delta':
      mapInputDelta(writer, chunk)
      return
    case 'tool-input-available':
      mapInputAvailable(writer, chunk)
      return
    case 'tool-input-error':
      mapInputError(writer, chunk)
      return
    case 'tool-approval-request':
      mapApprovalRequest(writer, chunk)
      return
    case 'tool-approval-response':
      mapApprovalResponse(writer, chunk)
      return
    case 'tool-output-available':
      mapOutput(writer, chunk)
      return
    case 'tool-output-error':
      mapOutputError(writer, chunk)
      return
    case 'tool-output-denied':
      mapOutputDenied(writer, chunk)
      return
    case 'source-url':
    case 'source-document':
      mapSource(writer, chunk)
      return
    case 'file':
    case 'reasoning-file':
      mapFile(writer, chunk)
      return
    case 'custom':
      mapCustom(writer, chunk)
      return
    case 'steering-message':
      dropSteering(writer, chunk)
      return
    case 'message-metadata':
      mapMetadata(writer, chunk.messageMetadata)
      return
    case 'error':
      mapError(writer, chunk)
      return
    case 'abort':
      mapAbort(writer, chunk)
      return
    case 'finish':
      mapFinish(writer, chunk)
      return
    default:
      mapData(writer, chunk satisfies DataChunk)
  }
}

/** A message of the user is no event of the task: it is handed to the caller. */
function dropSteering(writer: EventWriter, { type, id, parts }: SteeringMessageChunk): void {
  writer.diagnostic(`dropped:${type}`, 'A message of the user is no event.', {
    detail: { reason: 'no-equivalent', id, parts },
  })
}
