/** The task of a message: how it begins and continues. */

import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { readNewId } from '../../../validation/callbacks.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type Draft, emitValid } from '../../engine/draft.ts'
import type { MessageWriter } from './state.ts'

/** Begins the task. */
export function beginTask(writer: MessageWriter, messageId?: string, metadata?: Metadata): void {
  const { state, options } = writer
  const id = options.taskId ?? messageId
  if (!id) writer.inferred('taskId', 'Expected a messageId or the option taskId, got none.')
  state.taskId = id || readNewId(options.newId)
  state.contextId = options.contextId ?? state.taskId
  state.phase = 'open'
  const created: Draft = { kind: 'task-created', initiator: 'user' }
  // The option names the task; the message keeps its name.
  const named = messageId === undefined || messageId === state.taskId ? undefined : cleanObject({ messageId })
  const known = isFields(metadata?.aiSdk) ? metadata.aiSdk : {}
  const stated = { ...metadata, ...(named && { aiSdk: { ...known, ...named } }) }
  const isValid = metadata !== undefined && emitValid(writer, { ...created, metadata: stated })
  if (!isValid) {
    const aiSdk = { ...named, ...(metadata !== undefined && { messageMetadata: metadata }) }
    emitValid(writer, { ...created, ...(Object.keys(aiSdk).length > 0 && { metadata: { aiSdk } }) })
  }
  emitValid(writer, { kind: 'task-status', status: 'working' })
}

/** Makes sure that the task is working: a chunk that is content follows. */
export function work(writer: MessageWriter): void {
  const { state } = writer
  if (state.phase === 'new') {
    writer.inferred('task-created', 'Expected start as the first chunk, got another.')
    beginTask(writer)
  }
  if (state.phase !== 'waiting') return
  state.phase = 'open'
  emitValid(writer, { kind: 'task-status', status: 'working' })
}

/** Emits a draft with its metadata; without, and reports it, if that is not valid. Returns whether an event was emitted. */
export function emitWith(writer: MessageWriter, draft: Draft, metadata: Metadata): boolean {
  const hasMetadata = Object.keys(metadata).length > 0
  if (hasMetadata && emitValid(writer, { ...draft, metadata } as Draft)) return true
  if (hasMetadata) writer.lossy('providerMetadata', `Expected valid metadata of ${draft.kind}.`, metadata)
  return emitValid(writer, draft)
}

/** Emits a draft; reports the chunk if it is not a valid event. Returns whether it is. */
export function emitOr(writer: MessageWriter, type: string, draft: Draft): boolean {
  const isValid = emitValid(writer, draft)
  if (!isValid) writer.dropped(type, 'invalid-content', `Expected a valid ${draft.kind} in ${type}.`)
  return isValid
}
