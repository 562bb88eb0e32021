/** Inputs and authentications: what the task waits for. */

import { toWellFormed } from '../../../encoding/surrogates.ts'
import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from '../../../events/auth.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import type { InputCanceledEvent, InputReceivedEvent, InputRequiredEvent } from '../../../events/input.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { DEFAULT_AUTH_PROMPT, DEFAULT_INPUT_PROMPT, type Part } from '../wire/model.ts'
import type { Turn } from './a2a-writer.ts'
import type { OpenRequest } from './state.ts'

export function sayInputRequired(turn: Turn, event: ContextEvent<InputRequiredEvent>): void {
  const { inputId, inputType, requireUser, schema, options, metadata } = event
  const parts = request(event.prompt || DEFAULT_INPUT_PROMPT, {
    inputId,
    inputType,
    requireUser,
    schema,
    options,
    metadata,
  })
  ask(turn, event, inputId, 'input-required', parts)
}

export function sayAuthRequired(turn: Turn, event: ContextEvent<AuthRequiredEvent>): void {
  const { authId, authType, provider, scopes, authUrl, metadata } = event
  const parts = request(event.prompt || DEFAULT_AUTH_PROMPT, {
    authId,
    authType,
    provider,
    scopes,
    authUrl,
    metadata,
  })
  ask(turn, event, authId, 'auth-required', parts)
}

function ask(
  turn: Turn,
  event: ContextEvent<InputRequiredEvent | AuthRequiredEvent>,
  id: string,
  state: OpenRequest['state'],
  parts: readonly Part[],
): void {
  if (turn.state.requests.some((open) => open.id === id && open.state === state)) {
    turn.drop(event, 'repeated', `The request ${id} has been said.`)
    return
  }
  if (state === 'input-required') delete turn.state.later
  turn.ensureOpen(event)
  const message = turn.message(event, parts)
  turn.state.requests = [...turn.state.requests, { id, state, message }]
  turn.say({ state, ...turn.time(event), message }, turn.carried(event))
}

export function sayInputEnd(turn: Turn, event: ContextEvent<InputReceivedEvent | InputCanceledEvent>): void {
  forget(turn, event.inputId, 'input-required')
  if (turn.state.phase !== 'paused') {
    turn.carryOnly(event)
    return
  }
  turn.resume(event, turn.carried(event))
  turn.askAgain(event)
}

export function sayAuthEnd(turn: Turn, event: ContextEvent<AuthCompletedEvent | AuthFailedEvent>): void {
  forget(turn, event.authId, 'auth-required')
  const carried = turn.carried(withoutCredentials(turn, event))
  if (turn.state.status.state !== 'auth-required') {
    turn.carryOnly(event, carried)
    return
  }
  const text = event.kind === 'auth-failed' ? event.message : undefined
  const message = turn.textMessage(event, text)
  turn.state.told = 'working'
  turn.say({ state: 'working', ...turn.time(event), ...(message !== undefined && { message }) }, carried)
  turn.askAgain(event)
}

/**
 * Credentials never travel in A2A, so of what an authentication brought only the fields that
 * cannot be one are carried.
 */
function withoutCredentials(
  turn: Turn,
  event: ContextEvent<AuthCompletedEvent | AuthFailedEvent>,
): ContextAnyEvent {
  if (event.kind === 'auth-failed' || !turn.settings.extension) return event
  const { kind, contextId, taskId, parentTaskId, path, authId, userId, timestamp, metadata, ...rest } = event
  const { expiresAt, ...unsafe } = metadata ?? {}
  for (const field of Object.keys(rest)) turn.lose(field, 'It could be a credential.')
  if (Object.keys(unsafe).length > 0) turn.lose('metadata', 'It could hold a credential.')
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

function forget(turn: Turn, id: string, state: OpenRequest['state']): void {
  turn.state.requests = turn.state.requests.filter((open) => open.id !== id || open.state !== state)
}

/** What a request says: for people, then for programs. */
function request(prompt: string, facts: Readonly<Record<string, unknown>>): Part[] {
  return [
    { type: 'text', text: toWellFormed(prompt) },
    { type: 'data', data: cleanObject(facts) },
  ]
}
