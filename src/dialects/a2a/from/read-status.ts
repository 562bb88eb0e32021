/** Reading the status of a task: its progress, what it waits for, and how it ends. */

import { describeValue } from '../../../core/require.ts'
import type { AuthRequiredEvent } from '../../../events/auth.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { InputRequiredEvent } from '../../../events/input.ts'
import { isFields } from '../../../validation/predicates.ts'
import { issuesOf } from '../../../validation/walk.ts'
import {
  DEFAULT_AUTH_PROMPT,
  DEFAULT_INPUT_PROMPT,
  isTerminal,
  type Message,
  type Status,
} from '../wire/model.ts'
import { errorInfoShape } from '../wire/shapes.generated.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { completeAll } from './received-artifact.ts'
import { MAX_REQUEST_IDS } from './state.ts'

/** Reads a status. Emits nothing if it repeats the last one. */
export function readStatus(writer: TaskEventWriter, status: Status): void {
  const { state: task } = writer
  const { state, message } = status
  const text = textOf(message)
  const isNew = state !== task.state || (message !== undefined && message.messageId !== task.messageId)
  if (status.timestamp !== undefined) task.timestamp = status.timestamp
  if (!isNew) return
  if (state === 'unknown') {
    const name = describeValue(status.unknownState)
    const message = `Ignored a status of task ${describeValue(task.id)} with the unknown state ${name}.`
    writer.diagnostic('unknown-state', message)
    return
  }
  if (state !== task.state) closeRequest(writer, isTerminal(state))
  task.state = state
  if (message === undefined) delete task.messageId
  else task.messageId = message.messageId
  switch (state) {
    case 'submitted':
    case 'working':
      writer.emitDraft({ kind: 'task-status', status: state, ...(text !== undefined && { message: text }) })
      break
    case 'input-required':
      readInputRequest(writer, message, text)
      break
    case 'auth-required':
      readAuthRequest(writer, message, text)
      break
    case 'completed':
      completeAll(writer)
      writer.emitDraft({ kind: 'task-complete', ...(text !== undefined && { content: text }) })
      break
    case 'canceled':
      writer.emitDraft({
        kind: 'task-status',
        status: 'canceled',
        ...(text !== undefined && { message: text }),
      })
      break
    default:
      readFailure(writer, state, message, text)
  }
}

/** The texts of a message, one per line; `undefined` if it has none. */
export function textOf(message: Message | undefined): string | undefined {
  const texts = (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length > 0 ? texts.join('\n') : undefined
}

/** Closes the request of the previous state. */
function closeRequest(writer: TaskEventWriter, ended: boolean): void {
  const { request } = writer.state
  if (request === undefined) return
  delete writer.state.request
  if (request.type === 'auth') return
  const { id: inputId } = request
  if (ended) writer.emitDraft({ kind: 'input-canceled', inputId, reason: 'task-ended' })
  else writer.emitDraft({ kind: 'input-received', inputId, providedBy: 'user' })
}

function readInputRequest(
  writer: TaskEventWriter,
  message: Message | undefined,
  text: string | undefined,
): void {
  const data = dataOf(message)
  const inputId = openRequest(writer, 'input', idOf(data, ['inputId', 'requestId', 'id'], message))
  const { requireUser, schema, options, metadata } = data
  writer.emitDraft({
    kind: 'input-required',
    inputId,
    inputType: inputTypes.find((type) => type === data.inputType) ?? 'clarification',
    prompt: text ?? DEFAULT_INPUT_PROMPT,
    ...(typeof requireUser === 'boolean' && { requireUser }),
    ...(isFields(schema) && { schema: { ...schema } }),
    ...(Array.isArray(options) && { options: [...options] }),
    ...(isFields(metadata) && { metadata: { ...metadata } as NonNullable<InputRequiredEvent['metadata']> }),
  })
  writer.emitDraft({ kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } })
}

/** Opens a request. A repeated id gets a suffix, as its first request was closed by the state in between. */
function openRequest(writer: TaskEventWriter, type: 'input' | 'auth', id: string): string {
  const { usedRequestIds } = writer.state
  let uniqueId = id
  for (let nth = 2; usedRequestIds.includes(uniqueId); nth++) uniqueId = `${id}/${nth}`
  writer.state.usedRequestIds = [...usedRequestIds, uniqueId].slice(-MAX_REQUEST_IDS)
  writer.state.request = { type, id: uniqueId }
  return uniqueId
}

const inputTypes: readonly InputRequiredEvent['inputType'][] = [
  'tool-execution',
  'confirmation',
  'clarification',
  'selection',
  'custom',
]

function readAuthRequest(
  writer: TaskEventWriter,
  message: Message | undefined,
  text: string | undefined,
): void {
  const data = dataOf(message)
  const authId = openRequest(writer, 'auth', idOf(data, ['authId', 'id'], message))
  const { provider, scopes, metadata } = data
  const authUrl = data.authUrl ?? data.url
  writer.emitDraft({
    kind: 'auth-required',
    authId,
    authType: authTypes.find((type) => type === data.authType) ?? 'custom',
    prompt: text ?? DEFAULT_AUTH_PROMPT,
    ...(typeof provider === 'string' && { provider }),
    ...(Array.isArray(scopes) && { scopes: scopes.filter((scope) => typeof scope === 'string') }),
    ...(typeof authUrl === 'string' && { authUrl }),
    ...(isFields(metadata) && { metadata: { ...metadata } as NonNullable<AuthRequiredEvent['metadata']> }),
  })
  writer.emitDraft({ kind: 'task-status', status: 'waiting-auth', metadata: { blockedBy: authId } })
}

const authTypes: readonly AuthRequiredEvent['authType'][] = [
  'oauth2',
  'api-key',
  'password',
  'biometric',
  'custom',
]

function readFailure(
  writer: TaskEventWriter,
  state: 'failed' | 'rejected',
  message: Message | undefined,
  text: string | undefined,
): void {
  const data = dataOf(message)
  writer.emitDraft({
    kind: 'task-status',
    status: 'failed',
    ...(text !== undefined && { message: text }),
    ...((state === 'rejected' || message !== undefined) && { error: toError(state, data, text) }),
  })
}

/** The error of a failure: its data if that is an `ErrorInfo`; otherwise the data becomes the details. */
function toError(
  state: 'failed' | 'rejected',
  data: Readonly<Record<string, unknown>>,
  text: string | undefined,
): ErrorInfo {
  const issues = issuesOf(['fields', errorInfoShape], data, { nullIsAbsent: false })
  if (issues.length === 0) return { ...data } as unknown as ErrorInfo
  const { code, message } = data
  return {
    code: typeof code === 'string' && code !== '' ? code : state === 'rejected' ? 'refused' : 'internal',
    message: typeof message === 'string' ? message : (text ?? 'The task failed.'),
    retry: 'terminal',
    ...(Object.keys(data).length > 0 && { details: { ...data } }),
  }
}

/** The data of a message: its first data part that is an object. */
function dataOf(message: Message | undefined): Readonly<Record<string, unknown>> {
  for (const part of message?.parts ?? []) if (part.type === 'data' && isFields(part.data)) return part.data
  return {}
}

function idOf(
  data: Readonly<Record<string, unknown>>,
  names: readonly string[],
  message: Message | undefined,
): string {
  for (const name of names) {
    const id = data[name]
    if (typeof id === 'string' && id !== '') return id
  }
  return message?.messageId ?? 'request'
}
