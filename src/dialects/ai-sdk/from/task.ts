/** The task of a message: how it begins and continues. */

import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { readNewId } from '../../../validation/callbacks.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type Draft, emitValid } from '../../engine/draft.ts'
import { answerOpen, askPosted, continuePosted } from './read-posted.ts'
import type { MessageWriter } from './state.ts'

/** Begins the task. */
export function beginTask(writer: MessageWriter, messageId?: string, metadata?: Metadata): void {
  const { state, options } = writer
  const { posted } = options
  const id = options.taskId || messageId || posted?.messageId
  if (!id && posted === undefined)
    writer.inferred('taskId', 'Expected a messageId or the option taskId, got none.')
  state.taskId = id || readNewId(options.newId)
  state.contextId = options.contextId ?? posted?.chatId ?? state.taskId
  const created: Draft = { kind: 'task-created', initiator: 'user' }
  // The option names the task; the message keeps its name.
  const named = messageId === undefined || messageId === state.taskId ? undefined : cleanObject({ messageId })
  const known = isFields(metadata?.aiSdk) ? metadata.aiSdk : {}
  const input = posted?.prompt === undefined ? {} : { input: posted.prompt }
  const stated = { ...input, ...metadata, ...(named && { aiSdk: { ...known, ...named } }) }
  const isValid = metadata !== undefined && emitValid(writer, { ...created, metadata: stated })
  if (!isValid) {
    const aiSdk = { ...named, ...(metadata !== undefined && { messageMetadata: metadata }) }
    const all = { ...input, ...(Object.keys(aiSdk).length > 0 && { aiSdk }) }
    emitValid(writer, { ...created, ...(Object.keys(all).length > 0 && { metadata: all }) })
  }
  askPosted(writer)
  continueTask(writer)
}

/** Emits what the request answers, and that the task works. */
function continueTask(writer: MessageWriter): void {
  answerOpen(writer)
  writer.state.phase = 'open'
  emitValid(writer, { kind: 'task-status', status: 'working' })
  continuePosted(writer)
}

/** Makes sure that the task is working: a chunk that is content follows. */
export function work(writer: MessageWriter): void {
  const { state } = writer
  if (state.phase === 'new') {
    writer.inferred('task-created', 'Expected start as the first chunk, got another.')
    beginTask(writer)
  }
  if (state.phase === 'waiting') continueTask(writer)
}
