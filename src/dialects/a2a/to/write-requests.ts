/** Writing requests for input and authentication, and their answers. */

import { toWellFormed } from '../../../encoding/surrogates.ts'
import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from '../../../events/auth.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { InputCanceledEvent, InputReceivedEvent, InputRequiredEvent } from '../../../events/input.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { DEFAULT_AUTH_PROMPT, DEFAULT_INPUT_PROMPT, type Part } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import type { OpenRequest } from './state.ts'

export function writeInputRequired(writer: A2aWriter, event: ContextEvent<InputRequiredEvent>): void {
  const { inputId, inputType, requireUser, schema, options, metadata } = event
  const data = { inputId, inputType, requireUser, schema, options, metadata }
  writeRequest(
    writer,
    event,
    inputId,
    'input-required',
    promptParts(event.prompt || DEFAULT_INPUT_PROMPT, data),
  )
}

export function writeAuthRequired(writer: A2aWriter, event: ContextEvent<AuthRequiredEvent>): void {
  const { authId, authType, provider, scopes, authUrl, metadata } = event
  const data = { authId, authType, provider, scopes, authUrl, metadata }
  writeRequest(writer, event, authId, 'auth-required', promptParts(event.prompt || DEFAULT_AUTH_PROMPT, data))
}

function writeRequest(
  writer: A2aWriter,
  event: ContextEvent<InputRequiredEvent | AuthRequiredEvent>,
  id: string,
  state: OpenRequest['state'],
  parts: readonly Part[],
): void {
  if (writer.state.requests.some((open) => open.id === id && open.state === state)) {
    writer.dropped(event.kind, 'repeated', `Duplicate ${event.kind} with id ${id}.`)
    return
  }
  if (state === 'input-required') delete writer.state.deferredStatus
  writer.ensureOpen(event)
  const message = writer.createMessage(event, parts)
  writer.state.requests = [...writer.state.requests, { id, state, message }]
  writer.setStatus({ state, ...writer.timestamp(event), message }, writer.extensionEvent(event))
}

export function writeInputEnd(
  writer: A2aWriter,
  event: ContextEvent<InputReceivedEvent | InputCanceledEvent>,
): void {
  removeRequest(writer, event.inputId, 'input-required')
  if (writer.state.phase !== 'paused') {
    writer.emitExtensionOnly(event)
    return
  }
  writer.resume(event, writer.extensionEvent(event))
  writer.repeatPrompt(event)
}

export function writeAuthEnd(
  writer: A2aWriter,
  event: ContextEvent<AuthCompletedEvent | AuthFailedEvent>,
): void {
  removeRequest(writer, event.authId, 'auth-required')
  const extensionEvent = writer.extensionEvent(withoutCredentials(writer, event))
  if (writer.state.status.state !== 'auth-required') {
    writer.emitExtensionOnly(event, extensionEvent)
    return
  }
  const text = event.kind === 'auth-failed' ? event.message : undefined
  const message = writer.createTextMessage(event, text)
  writer.state.eventStatus = 'working'
  writer.setStatus(
    { state: 'working', ...writer.timestamp(event), ...(message !== undefined && { message }) },
    extensionEvent,
  )
  writer.repeatPrompt(event)
}

/** The event with only the fields that cannot hold a credential: A2A must never carry one. */
function withoutCredentials(
  writer: A2aWriter,
  event: ContextEvent<AuthCompletedEvent | AuthFailedEvent>,
): ContextAnyEvent {
  if (event.kind === 'auth-failed' || !writer.settings.extension) return event
  const { kind, contextId, taskId, parentTaskId, path, authId, userId, timestamp, metadata, ...rest } = event
  const { expiresAt, ...unsafe } = metadata ?? {}
  for (const field of Object.keys(rest)) writer.lossy(field, `${field} may be a credential.`)
  if (Object.keys(unsafe).length > 0) writer.lossy('metadata', 'metadata may hold a credential.')
  return {
    kind,
    contextId,
    taskId,
    ...(parentTaskId !== undefined && { parentTaskId }),
    ...(path !== undefined && { path }),
    authId,
    userId,
    timestamp,
    ...(metadata !== undefined && { metadata: expiresAt === undefined ? {} : { expiresAt } }),
  }
}

function removeRequest(writer: A2aWriter, id: string, state: OpenRequest['state']): void {
  writer.state.requests = writer.state.requests.filter((open) => open.id !== id || open.state !== state)
}

/** The parts of a request: the prompt for people, and the fields of the event for programs. */
function promptParts(prompt: string, data: Readonly<Record<string, unknown>>): Part[] {
  return [
    { type: 'text', text: toWellFormed(prompt) },
    { type: 'data', data: cleanObject(data) },
  ]
}
