/** Reading states: what a task does, what it waits for, and how it ends. */

import type { AuthRequiredEvent } from '../../../events/auth.ts'
import { type ErrorInfo, errorInfo } from '../../../events/error.ts'
import type { InputRequiredEvent } from '../../../events/input.ts'
import { isFields } from '../../../validation/predicates.ts'
import {
  DEFAULT_AUTH_PROMPT,
  DEFAULT_INPUT_PROMPT,
  isTerminal,
  type Message,
  type Status,
} from '../wire/model.ts'
import type { ReadTurn } from './event-writer.ts'
import { closeAll } from './read-artifact.ts'
import { MAX_ASKED } from './state.ts'

/** Reads a status. One that says nothing new leads to nothing. */
export function readStatus(turn: ReadTurn, status: Status): void {
  const { task } = turn
  const { state, message } = status
  const text = textOf(message)
  const isNew = state !== task.state || (message !== undefined && message.messageId !== task.messageId)
  if (status.timestamp !== undefined) task.timestamp = status.timestamp
  if (!isNew) return
  if (state === 'unknown') {
    turn.diagnostic('unknown-state', 'The state of the task is none of A2A; it goes on as before.')
    return
  }
  if (state !== task.state) leave(turn, isTerminal(state))
  task.state = state
  if (message === undefined) delete task.messageId
  else task.messageId = message.messageId
  switch (state) {
    case 'submitted':
    case 'working':
      turn.emit({ kind: 'task-status', status: state, ...(text !== undefined && { message: text }) })
      break
    case 'input-required':
      requireInput(turn, message, text)
      break
    case 'auth-required':
      requireAuth(turn, message, text)
      break
    case 'completed':
      closeAll(turn)
      turn.emit({ kind: 'task-complete', ...(text !== undefined && { content: text }) })
      break
    case 'canceled':
      turn.emit({ kind: 'task-status', status: 'canceled', ...(text !== undefined && { message: text }) })
      break
    default:
      fail(turn, state, message, text)
  }
}

/** The texts of a message, each on a line of its own; `undefined` when it has none. */
export function textOf(message: Message | undefined): string | undefined {
  const texts = (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length > 0 ? texts.join('\n') : undefined
}

/** What the state before was waiting for is over. */
function leave(turn: ReadTurn, ended: boolean): void {
  const { request } = turn.task
  if (request === undefined) return
  delete turn.task.request
  if (request.type === 'auth') return
  const { id: inputId } = request
  if (ended) turn.emit({ kind: 'input-canceled', inputId, reason: 'task-ended' })
  else turn.emit({ kind: 'input-received', inputId, providedBy: 'user' })
}

function requireInput(turn: ReadTurn, message: Message | undefined, text: string | undefined): void {
  const facts = dataOf(message)
  const inputId = ask(turn, 'input', idOf(facts, ['inputId', 'requestId', 'id'], message))
  const { requireUser, schema, options, metadata } = facts
  turn.emit({
    kind: 'input-required',
    inputId,
    inputType: inputTypes.find((type) => type === facts.inputType) ?? 'clarification',
    prompt: text ?? DEFAULT_INPUT_PROMPT,
    ...(typeof requireUser === 'boolean' && { requireUser }),
    ...(isFields(schema) && { schema: { ...schema } }),
    ...(Array.isArray(options) && { options: [...options] }),
    ...(isFields(metadata) && { metadata: { ...metadata } as NonNullable<InputRequiredEvent['metadata']> }),
  })
  turn.emit({ kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } })
}

/** Remembers a request. One that is asked again is another one of ours: the first was taken as answered. */
function ask(turn: ReadTurn, type: 'input' | 'auth', id: string): string {
  const { asked } = turn.task
  let own = id
  for (let nth = 2; asked.includes(own); nth++) own = `${id}/${nth}`
  turn.task.asked = [...asked, own].slice(-MAX_ASKED)
  turn.task.request = { type, id: own }
  return own
}

const inputTypes: readonly InputRequiredEvent['inputType'][] = [
  'tool-execution',
  'confirmation',
  'clarification',
  'selection',
  'custom',
]

function requireAuth(turn: ReadTurn, message: Message | undefined, text: string | undefined): void {
  const facts = dataOf(message)
  const authId = ask(turn, 'auth', idOf(facts, ['authId', 'id'], message))
  const { provider, scopes, metadata } = facts
  const authUrl = facts.authUrl ?? facts.url
  turn.emit({
    kind: 'auth-required',
    authId,
    authType: authTypes.find((type) => type === facts.authType) ?? 'custom',
    prompt: text ?? DEFAULT_AUTH_PROMPT,
    ...(typeof provider === 'string' && { provider }),
    ...(Array.isArray(scopes) && { scopes: scopes.filter((scope) => typeof scope === 'string') }),
    ...(typeof authUrl === 'string' && { authUrl }),
    ...(isFields(metadata) && { metadata: { ...metadata } as NonNullable<AuthRequiredEvent['metadata']> }),
  })
  turn.emit({ kind: 'task-status', status: 'waiting-auth', metadata: { blockedBy: authId } })
}

const authTypes: readonly AuthRequiredEvent['authType'][] = [
  'oauth2',
  'api-key',
  'password',
  'biometric',
  'custom',
]

function fail(
  turn: ReadTurn,
  state: 'failed' | 'rejected',
  message: Message | undefined,
  text: string | undefined,
): void {
  const facts = dataOf(message)
  turn.emit({
    kind: 'task-status',
    status: 'failed',
    ...(text !== undefined && { message: text }),
    ...((state === 'rejected' || message !== undefined) && { error: toError(state, facts, text) }),
  })
}

/** What a failure says for programs; where it is not in our words, it becomes the details. */
function toError(
  state: 'failed' | 'rejected',
  facts: Readonly<Record<string, unknown>>,
  text: string | undefined,
): ErrorInfo {
  if (errorInfo.safeParse(facts).success) return { ...facts } as unknown as ErrorInfo
  const { code, message } = facts
  return {
    code: typeof code === 'string' && code !== '' ? code : state === 'rejected' ? 'refused' : 'internal',
    message: typeof message === 'string' ? message : (text ?? 'The task failed.'),
    retry: 'terminal',
    ...(Object.keys(facts).length > 0 && { details: { ...facts } }),
  }
}

/** What a message says for programs: its first object. */
function dataOf(message: Message | undefined): Readonly<Record<string, unknown>> {
  for (const part of message?.parts ?? []) if (part.type === 'data' && isFields(part.data)) return part.data
  return {}
}

function idOf(
  facts: Readonly<Record<string, unknown>>,
  names: readonly string[],
  message: Message | undefined,
): string {
  for (const name of names) {
    const id = facts[name]
    if (typeof id === 'string' && id !== '') return id
  }
  return message?.messageId ?? 'request'
}
