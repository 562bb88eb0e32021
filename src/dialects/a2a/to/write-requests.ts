/** Writing requests for input and authentication, and their answers. */

import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from '../../../events/auth.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { InputCanceledEvent, InputReceivedEvent, InputRequiredEvent } from '../../../events/input.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { dropAskedAgain } from '../../engine/asked.ts'
import { MAX_REQUESTS } from '../../shared/limits.ts'
import { DEFAULT_AUTH_PROMPT, DEFAULT_INPUT_PROMPT } from '../wire/model.ts'
import type { A2aWriter } from './a2a-writer.ts'
import type { OpenRequest } from './state.ts'

type RequestEvent = ContextEvent<InputRequiredEvent | AuthRequiredEvent>

export function writeInputRequired(writer: A2aWriter, event: ContextEvent<InputRequiredEvent>): void {
  if (dropAskedAgain(writer, event)) return
  const [text] = writer.state.deferredStatus?.message?.parts ?? []
  if (text?.type === 'text') {
    writer.lossy('message', 'The message of the status before is replaced by the request.', text.text)
  }
  writer.state.deferredStatus = null
  writeRequest(writer, event, event.inputId, 'input-required', DEFAULT_INPUT_PROMPT)
}

export function writeAuthRequired(writer: A2aWriter, event: ContextEvent<AuthRequiredEvent>): void {
  if (dropAskedAgain(writer, event)) return
  writeRequest(writer, event, event.authId, 'auth-required', DEFAULT_AUTH_PROMPT)
}

/** Writes a request as the message of a status: its prompt for people, and all other fields for programs. */
function writeRequest(
  writer: A2aWriter,
  event: RequestEvent,
  id: string,
  state: OpenRequest['state'],
  defaultPrompt: string,
): void {
  const { requests } = writer.state
  writer.ensureOpen()
  const { kind: _, contextId: __, taskId: ___, timestamp: ____, prompt, ...fields } = event
  const message = writer.createMessage([
    { type: 'text', text: prompt || defaultPrompt },
    { type: 'data', data: cleanObject(prompt === '' ? { ...fields, prompt } : fields) },
  ])
  if (requests.length >= MAX_REQUESTS) {
    writer.diagnostic('state-evicted', `More than ${MAX_REQUESTS} open requests: the oldest is not repeated.`)
  }
  writer.state.requests = [...requests.slice(1 - MAX_REQUESTS), { id, state, message }]
  writer.setStatus(writer.statusOf(state, message))
}

export function writeInputEnd(
  writer: A2aWriter,
  event: ContextEvent<InputReceivedEvent | InputCanceledEvent>,
): void {
  removeRequest(writer, event.inputId, 'input-required')
  if (writer.state.phase !== 'paused') writer.noEquivalent(event)
  else {
    writer.resume()
    repeatPrompt(writer)
  }
}

export function writeAuthEnd(
  writer: A2aWriter,
  event: ContextEvent<AuthCompletedEvent | AuthFailedEvent>,
): void {
  removeRequest(writer, event.authId, 'auth-required')
  if (writer.state.status.state !== 'auth-required') {
    writer.noEquivalent(event)
    return
  }
  const text = event.kind === 'auth-failed' ? event.message : undefined
  writer.state.eventStatus = null
  writer.setStatus(writer.statusOf('working', writer.createTextMessage(text)))
  repeatPrompt(writer)
}

/** Emits the prompt of the last open request again, if there is one. */
function repeatPrompt(writer: A2aWriter): void {
  const request = writer.state.requests.at(-1)
  if (request !== undefined) writer.setStatus(writer.statusOf(request.state, request.message))
}

/** The event with only the fields that cannot hold a credential: A2A must never carry one. */
export function withoutCredentials(
  writer: A2aWriter,
  event: ContextEvent<AuthCompletedEvent>,
): ContextEvent<AuthCompletedEvent> {
  const { kind, contextId, taskId, parentTaskId, path, authId, userId, timestamp, metadata, ...rest } = event
  const { expiresAt, ...unsafe } = metadata ?? {}
  for (const field of Object.keys(rest)) writer.lost(field, `${field} may be a credential.`)
  if (Object.keys(unsafe).length > 0) writer.lost('metadata', 'metadata may hold a credential.')
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
