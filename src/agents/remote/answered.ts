/** What a remote agent has asked, and what was answered. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { Reply } from '../../server/ask-options.ts'
import { isFields } from '../../validation/predicates.ts'

export type InputRequired = Extract<ContextAnyEvent, { kind: 'input-required' }>

/** What was asked, and what the user answered. */
export interface Answered {
  readonly request: InputRequired
  readonly reply: Reply
}

/** A login that the agent has asked for, and what came of it: `answered` if it is completed. */
export interface Login {
  readonly authId: string
  readonly reply: Reply
}

/**
 * A reply without a value that an agent may take for an approval, though nothing was approved here: any but a refusal, or the answer to
 * what a call asks besides, as its schema states.
 */
export function withoutApproval({ schema, metadata }: InputRequired, reply: Reply): Reply {
  const { value } = reply
  if (reply.status === 'answered' || value === undefined || metadata?.toolCall === undefined) return reply
  const names = isFields(schema?.properties) ? Object.keys(schema.properties) : []
  const isApproval = schema === undefined || names.includes('arguments') || names.includes('approved')
  const isRefusal = value === false || (isFields(value) && value.approved === false)
  if (isRefusal || !(isApproval || approves(value))) return reply
  const { value: _, ...refused } = reply
  return refused
}

/** Whether a value states that a call may run, as frameworks write it. */
function approves(value: unknown): boolean {
  if (!isFields(value)) return value === true
  return value.approved === true || /^(?:accept|approve|edit)/.test(String(value.type))
}

/** Whether the client is to run the call that a request is about. */
export function isClientCall({ metadata }: InputRequired): boolean {
  return metadata?.provider === 'client'
}

/**
 * What nobody here can do for an agent: run a call though the application has not declared its tool, answer a subtask, or a request for
 * authentication if its protocol has no answer to it. `undefined`: the event asks for nothing of that.
 */
export function impossibleIn(
  event: ContextAnyEvent,
  declared: ReadonlySet<string>,
  isOwn: boolean,
  answersAuth: boolean,
): Impossible | undefined {
  if (event.kind === 'auth-required') return !isOwn ? ASKING_SUBTASK : answersAuth ? undefined : LOGIN
  if (event.kind !== 'input-required') return undefined
  if (isClientCall(event)) {
    const name = event.metadata?.toolCall?.function.name ?? ''
    if (!declared.has(name)) return undeclaredTool(name)
  }
  return isOwn ? undefined : ASKING_SUBTASK
}

/** Why a task fails: for the page, and for the server. */
export interface Impossible {
  readonly message: string
  readonly error: Error
}

const ASKING_SUBTASK: Impossible = {
  message: 'A subtask of the agent asked what nobody can answer.',
  error: new Error(
    'Expected the task of the agent to ask, got a request of a subtask: no answer reaches it.',
  ),
}

const LOGIN: Impossible = {
  message: 'The agent asked for a login, which its protocol cannot answer.',
  error: new Error(
    'Expected no request for authentication, got one: the protocol of the agent has no answer to it.',
  ),
}

function undeclaredTool(name: string): Impossible {
  const tool = JSON.stringify(name.slice(0, 64))
  return {
    message: 'The agent left a call to the client that it does not run.',
    error: new Error(`Expected calls of "clientTools" only to be left to the client, got one of ${tool}.`),
  }
}

/** An event of a call that is not for the client to run, whatever its agent states, unless the application has declared its tool. */
export function withOwnProvider(event: ContextAnyEvent, declared: ReadonlySet<string>): ContextAnyEvent {
  if (!('toolCallId' in event) || !('metadata' in event) || event.metadata?.provider !== 'client')
    return event
  if ('toolName' in event && declared.has(event.toolName)) return event
  return { ...event, metadata: { ...event.metadata, provider: 'provider' } }
}
