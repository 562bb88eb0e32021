/** Maps `data-<name>` and `custom` to events: those of ours to the events they stand for, others to records. */

import { describeValue } from '../../../core/require.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { dottedName } from '../../../validation/formats.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { type Draft, emitValid } from '../../engine/draft.ts'
import type { CustomChunk, DataChunk } from '../wire/types.ts'
import { answerInput, closeRequest } from './answers.ts'
import { openCall, startApproved } from './calls.ts'
import { emitOr } from './emit.ts'
import { mapSubtask } from './map-subtask.ts'
import type { MessageWriter } from './state.ts'

/** Emits what a `data-<name>` stands for. */
export function mapData(writer: MessageWriter, chunk: DataChunk): void {
  const { type, data } = chunk
  if (isFields(data) && mapOwn(writer, type, data)) return
  const name = type.slice('data-'.length)
  if (chunk.transient === true || dottedName.test(name)) mapCustomData(writer, chunk, name)
  else mapArtifact(writer, chunk, name)
}

/** Maps data that has the form of ours. Returns `false` for any other. */
function mapOwn(writer: MessageWriter, type: string, data: Fields): boolean {
  switch (type) {
    case 'data-input':
      return mapInput(writer, data)
    case 'data-auth':
      return mapAuth(writer, data)
    case 'data-error':
      return emitValid(writer, { kind: 'task-error', error: cleanObject(data) as unknown as ErrorInfo })
    case 'data-subtask':
      return mapSubtask(writer, data)
    case 'data-tool-progress':
      return mapProgress(writer, data)
    case 'data-file':
      if (typeof data.artifactId !== 'string' || typeof data.length !== 'number') return false
      writer.dropped(type, 'no-equivalent', 'The file follows when it is complete.')
      return true
    default:
      return false
  }
}

function mapProgress(writer: MessageWriter, data: Fields): boolean {
  const { toolCallId, progress, message, metadata } = data
  if (typeof toolCallId !== 'string' || typeof progress !== 'number') return false
  const call = openCall(writer, toolCallId)
  if (!call?.isStarted) return false
  const isEmitted = emitValid(writer, {
    kind: 'tool-progress',
    toolCallId: call.id,
    progress,
    ...(typeof message === 'string' && { message }),
    ...(isFields(metadata) && { metadata: cleanObject(metadata) as Metadata }),
  })
  if (isEmitted) writer.setItem('calls', toolCallId, { ...call, progress })
  return isEmitted
}

/** Opens a request once. Returns `false` if it is not a valid one. */
function openRequest(writer: MessageWriter, id: string, request: unknown, named: Fields): boolean {
  const { state } = writer
  if (writer.item('requests', id) !== undefined) return true
  if (!isFields(request)) return false
  if (!emitValid(writer, { ...cleanObject(request), ...named } as unknown as Draft)) return false
  const order = named.kind === 'input-required' ? state.nextRequest++ : null
  writer.setItem('requests', id, { isOpen: true, order, toolCallId: null })
  return true
}

function mapInput(writer: MessageWriter, data: Fields): boolean {
  const { inputId, status, request, answer, reason } = data
  if (typeof inputId !== 'string') return false
  if (!openRequest(writer, inputId, request, { kind: 'input-required', inputId })) return false
  if (status === 'open' || !isOpen(writer, 'data-input', inputId, data)) return true
  const toolCallId = writer.item('requests', inputId)?.toolCallId ?? null
  const outcome = status === 'declined' ? status : 'answered'
  // Of a request to approve a call, version 6 states the outcome only.
  if (status !== 'canceled' && toolCallId !== null && answer === undefined) {
    answerInput(writer, inputId, outcome)
    if (outcome === 'answered') startApproved(writer, toolCallId)
    return true
  }
  const draft =
    status === 'canceled'
      ? { kind: 'input-canceled', inputId, reason }
      : {
          ...(isFields(answer) && cleanObject(answer)),
          kind: 'input-received',
          inputId,
          ...(outcome === 'declined' && { outcome }),
        }
  if (emitOr(writer, 'data-input', draft as unknown as Draft)) closeRequest(writer, inputId)
  return true
}

function mapAuth(writer: MessageWriter, data: Fields): boolean {
  const { authId, status, request, userId, metadata, reason, message } = data
  if (typeof authId !== 'string') return false
  const key = `auth ${authId}`
  if (!openRequest(writer, key, request, { kind: 'auth-required', authId })) return false
  // Its task has ended: nobody is to answer it.
  if (status === 'ended') closeRequest(writer, key)
  if (status !== 'completed' && status !== 'failed') return true
  if (!isOpen(writer, 'data-auth', key, data)) return true
  const draft =
    status === 'completed'
      ? {
          kind: 'auth-completed',
          authId,
          userId,
          ...(isFields(metadata) && { metadata: cleanObject(metadata) }),
        }
      : { kind: 'auth-failed', authId, reason, ...(message !== undefined && { message }) }
  if (emitOr(writer, 'data-auth', draft as unknown as Draft)) closeRequest(writer, key)
  return true
}

/** Whether a request waits for an answer. Reports one that comes after another. */
function isOpen(writer: MessageWriter, type: string, id: string, data: Fields): boolean {
  if (writer.item('requests', id)?.isOpen) return true
  const message = `No request ${describeValue(id)} is open.`
  writer.diagnostic(`dropped:${type}`, message, { detail: { reason: 'repeated', data } })
  return false
}

/** Emits `custom`. */
function mapCustomData(writer: MessageWriter, { type, id, data, transient }: DataChunk, name: string): void {
  const isNamed = dottedName.test(name)
  const isWord = /^[\w-]+$/.test(name)
  emitOr(writer, type, {
    kind: 'custom',
    name: isNamed ? name : isWord ? `data.${name}` : 'data.part',
    data: cleanJson(data) ?? null,
    ...(id !== undefined && id !== '' && { customId: id }),
    ...(transient !== undefined && { transient }),
    ...(!isNamed && !isWord && { metadata: { aiSdk: { type } } }),
  })
}

/** Emits `data-write`, or `dataset-write` for a list of objects. */
function mapArtifact(writer: MessageWriter, { type, id, data }: DataChunk, name: string): void {
  const isRows = Array.isArray(data) && data.length > 0 && data.every(isFields)
  const given = id || `${writer.state.taskId}:${name || 'data'}-${writer.state.nextId++}`
  const named = name === '' ? {} : { name }
  if (isRows) {
    const rows = cleanJson(data) as Record<string, unknown>[]
    const artifactId = artifactIdFor(writer, given, `${type} rows`)
    emitOr(writer, type, { kind: 'dataset-write', artifactId, rows, index: 0, complete: true, ...named })
    return
  }
  if (!isFields(data)) writer.lossy('data', 'Expected an object.', data)
  const artifactId = artifactIdFor(writer, given, type)
  emitOr(writer, type, { kind: 'data-write', artifactId, data: cleanObject(data ?? null), ...named })
}

/** The id of an artifact: the given one, unless an artifact of another sort has it. */
export function artifactIdFor(writer: MessageWriter, given: string, sort: string): string {
  let id = given
  let n = 2
  while ((writer.item('artifacts', id) ?? sort) !== sort) id = `${given}#${n++}`
  if (writer.item('artifacts', id) === undefined) writer.setItem('artifacts', id, sort)
  return id
}

/** Emits `custom` with what a provider adds. */
export function mapCustom(writer: MessageWriter, { type, kind, providerMetadata }: CustomChunk): void {
  const isNamed = dottedName.test(kind)
  emitOr(writer, type, {
    kind: 'custom',
    name: isNamed ? kind : 'ai-sdk.custom',
    data: providerMetadata === undefined ? null : cleanObject(providerMetadata),
    metadata: { aiSdk: isNamed ? { type } : { type, kind } },
  })
}
