/** Tasks: how they begin, change their status and end. */

import { toWellFormed } from '../../../encoding/surrogates.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type {
  TaskCompleteEvent,
  TaskCreatedEvent,
  TaskStatus,
  TaskStatusEvent,
} from '../../../events/task.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { DEFAULT_AUTH_PROMPT, type Message, type Part, type State } from '../wire/model.ts'
import type { Turn } from './a2a-writer.ts'
import { lastOf, openArtifact, write } from './write-artifact.ts'
import { CONTENT, closeContent, lastContent } from './write-content.ts'

/** Our states by their names in A2A. */
export const a2aStates: Readonly<Record<TaskStatus, State>> = {
  submitted: 'submitted',
  working: 'working',
  'waiting-input': 'input-required',
  'waiting-auth': 'auth-required',
  // A2A knows no waiting for other tasks.
  'waiting-subtask': 'working',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
}

export function sayTaskCreated(turn: Turn, event: ContextEvent<TaskCreatedEvent>): void {
  if (turn.state.phase !== 'new') {
    turn.drop(event, 'repeated', 'The task exists.')
    return
  }
  turn.begin(event, turn.metadata(event.metadata), turn.carried(event))
}

export function sayTaskStatus(turn: Turn, event: ContextEvent<TaskStatusEvent>): void {
  const { status: before, told } = turn.state
  const state = stateOf(event)
  if (!turn.settings.extension && isNoNews(turn, event, state)) {
    turn.drop(event, 'repeated', `The task is ${before.state} already, and there is nothing to add.`)
    return
  }
  turn.state.told = event.status
  switch (event.status) {
    case 'submitted':
      if (before.state !== 'submitted') {
        turn.state.told = told ?? event.status
        if (turn.settings.extension) turn.carryOnly(event)
        else turn.drop(event, 'out-of-order', 'A task that has begun cannot be submitted again.')
        return
      }
      break
    case 'waiting-input':
    case 'waiting-auth':
      sayWaiting(turn, event, state)
      return
    case 'waiting-subtask':
      if (!turn.settings.extension) turn.lose('status', 'A2A knows no waiting for another task.')
      break
    case 'completed':
      if (!mayCarryResult(turn, event)) break
      turn.ensureOpen(event)
      if (turn.settings.extension) turn.state.held = [...turn.state.held, turn.carried(event)]
      turn.state.later = { state, ...turn.time(event), ...messageOf(turn, event) }
      return
    default:
      break
  }
  if (event.status === 'completed' || event.status === 'failed' || event.status === 'canceled') {
    turn.ensureOpen(event)
    end(turn, event, state)
  } else if (turn.state.phase === 'paused') {
    turn.resume(event, turn.carried(event), messageOf(turn, event).message)
  } else {
    turn.say({ state, ...turn.time(event), ...messageOf(turn, event) }, turn.carried(event))
  }
}

export function sayTaskComplete(turn: Turn, event: ContextEvent<TaskCompleteEvent>): void {
  turn.ensureOpen(event)
  const said = lastContent(turn)
  const content = toWellFormed(event.content ?? '')
  if (lastOf(turn, CONTENT)?.written !== true && content !== '') {
    // The only place the result stands. Where it was streamed, saying it again would double it.
    const to = lastOf(turn, CONTENT) ?? openArtifact(turn, { key: CONTENT, type: 'content' })
    write(turn, to, [{ type: 'text', text: content }], { sealed: true, half: '' })
  } else if (content !== '' && said !== undefined && content !== said && !turn.settings.extension) {
    turn.lose('content', 'The content of the task is not the one that was streamed.')
  }
  end(turn, event, 'completed')
}

/** Says the status that was put off, as nothing came to be said in its place. */
export function sayLater(turn: Turn): void {
  const { later } = turn.state
  if (later === undefined) return
  delete turn.state.later
  if (later.state === 'completed') closeContent(turn)
  turn.say(later)
  if (later.state === 'completed') turn.close()
}

function end(turn: Turn, event: ContextEvent<TaskStatusEvent | TaskCompleteEvent>, state: State): void {
  if (state === 'completed') closeContent(turn)
  const message = event.kind === 'task-status' ? messageOf(turn, event) : turn.state.later
  const { message: said } = message ?? {}
  delete turn.state.later
  turn.say({ state, ...turn.time(event), ...(said !== undefined && { message: said }) }, turn.carried(event))
  turn.close()
}

/**
 * Whether `task-complete`, which follows this status or never comes, may bring something that must
 * be said before the task is: with the extension the event itself, and without it the result,
 * where the task has not said anything yet.
 */
function mayCarryResult({ settings, state }: Turn, event: TaskStatusEvent): boolean {
  return (
    settings.extension ||
    (state.sealed.length === 0 &&
      !state.artifacts.some(({ written }) => written) &&
      event.message === undefined)
  )
}

/** A waiting status, which the request it is about may have said already, or may be about to say. */
function sayWaiting(turn: Turn, event: ContextEvent<TaskStatusEvent>, state: State): void {
  const { status, phase, requests } = turn.state
  const said = status.state === state || (phase === 'paused' && state === 'auth-required')
  if (said) {
    turn.carryOnly(event)
    return
  }
  const request = requests.findLast((open) => open.state === state)
  const { blockedBy } = event.metadata ?? {}
  if (
    state === 'input-required' &&
    request === undefined &&
    blockedBy !== undefined &&
    blockedBy !== 'user'
  ) {
    // The stream ends where input is required, so the request it waits for must be said first.
    turn.state.later = { state, ...turn.time(event), ...messageOf(turn, event) }
    if (turn.settings.extension) turn.state.held = [...turn.state.held, turn.carried(event)]
    return
  }
  turn.ensureOpen(event)
  const asked = request?.message ?? messageOf(turn, event).message ?? defaultMessage(turn, event, state)
  turn.say(
    { state, ...turn.time(event), ...(asked !== undefined && { message: asked }) },
    turn.carried(event),
  )
}

function defaultMessage(turn: Turn, event: ContextEvent<TaskStatusEvent>, state: State): Message | undefined {
  // A2A 1.0 requires a message here.
  return state === 'auth-required' ? turn.textMessage(event, DEFAULT_AUTH_PROMPT) : undefined
}

function stateOf({ status, error }: TaskStatusEvent): State {
  return status === 'failed' && error?.code === 'refused' ? 'rejected' : a2aStates[status]
}

/** Whether saying the status would only repeat what was said, or take the place of a prompt. */
function isNoNews(turn: Turn, event: ContextEvent<TaskStatusEvent>, state: State): boolean {
  const { status, told } = turn.state
  if (state !== status.state || (told ?? 'submitted') !== event.status) return false
  if (event.message === undefined) return true
  const [said] = status.message?.parts ?? []
  return (
    said?.type === 'text' && said.text === event.message && status.timestamp === turn.time(event).timestamp
  )
}

/** What the agent says to a status. A failure always says something. */
function messageOf(turn: Turn, event: ContextEvent<TaskStatusEvent>): { message?: Message } {
  const { status, message, error, metadata } = event
  const reason = typeof metadata?.reason === 'string' ? metadata.reason : undefined
  if (status === 'failed') return { message: turn.message(event, failure(message ?? reason, error)) }
  const text = message ?? (status === 'canceled' ? reason : undefined)
  const said = turn.textMessage(event, text)
  return said === undefined ? {} : { message: said }
}

/** What a failure says: for people, then for programs. */
export function failure(text: string | undefined, error: ErrorInfo | undefined): Part[] {
  const words = text || error?.message || error?.code || 'Task failed'
  const parts: Part[] = [{ type: 'text', text: toWellFormed(words) }]
  if (error !== undefined) parts.push({ type: 'data', data: cleanObject(error) })
  return parts
}
