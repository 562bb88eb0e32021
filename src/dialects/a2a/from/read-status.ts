/** Reading the status of a task: its progress, what it waits for, and how it ends. */

import { fingerprintOf } from '../../../encoding/text-hash.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { Fields } from '../../../validation/predicates.ts'
import { issuesOf } from '../../../validation/read.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import {
  type DataPart,
  isInterrupted,
  isTerminal,
  type Message,
  type State,
  type Status,
} from '../wire/model.ts'
import { errorInfoShape } from '../wire/shapes.generated.ts'
import { adkErrorOf } from './adk.ts'
import { carriedOfData, carriedOfMessage, carriedOfPart } from './carry.ts'
import { completeAll } from './emit-diff.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { adkAnswersIn, answerAdkCalls, endAdk, readAdkParts } from './read-adk.ts'
import { isKnownMessage, isNewMessage, readParts, textOf } from './read-message.ts'
import { closeRequest, dataPartOf, readAuthRequest, readInputRequest } from './read-request.ts'

/**
 * Reads a status. Emits nothing if it repeats the last one.
 *
 * @param adkEvent - The event of ADK that it is of.
 */
export function readStatus(writer: TaskEventWriter, status: Status, adkEvent?: string): void {
  const { state: received, timestamp, message } = status
  if (timestamp !== undefined) writer.readTime(timestamp)
  const state = nextState(writer, received)
  const isOther = state !== writer.state.state
  const isNew = isNewMessage(writer, message)
  if (!isOther && !isNew) return
  stateAdkError(writer, state === 'failed' || state === 'rejected' ? (textOf(message) ?? '') : undefined)
  if (isTerminal(state)) closeRequest(writer, 'task-ended')
  else closeRequest(writer, isOther ? 'answered' : 'withdrawn')
  if (isTerminal(state)) endAdk(writer)
  else if (isOther && isInterrupted(writer.state.state)) answerAdkCalls(writer)
  writer.state.state = state
  switch (state) {
    case 'input-required':
      readInputRequest(writer, message)
      break
    case 'auth-required':
      readAuthRequest(writer, message)
      break
    case 'failed':
    case 'rejected':
      readFailure(writer, state, message)
      break
    case 'completed':
      readParts(writer, message)
      completeAll(writer)
      emitResult(writer, message)
      break
    case 'canceled':
      readParts(writer, message)
      completeAll(writer)
      emitStatus(writer, state, message)
      break
    default:
      if (adkEvent !== undefined && message !== undefined) readAdkProgress(writer, adkEvent, message, isOther)
      else readProgress(writer, state, message)
  }
}

/** Reads a status that is a piece of an event of ADK: its parts are what the agent writes. */
function readAdkProgress(writer: TaskEventWriter, event: string, message: Message, isOther: boolean): void {
  if (isOther) emitStatus(writer, 'working', undefined)
  const code = adkErrorOf(message)
  if (code === undefined)
    readAdkParts(writer, event, message.parts, message.messageId, ({ isLongRunning }) => isLongRunning)
  else writer.state.adkError = { code, message: textOf(message) ?? '' }
}

/**
 * States an error of ADK that came before, unless the failure of the task does.
 *
 * @param failure - The text of the failure.
 */
function stateAdkError(writer: TaskEventWriter, failure: string | undefined): void {
  const { adkError } = writer.state
  if (adkError === undefined) return
  writer.state.adkError = undefined
  const { code, message } = adkError
  if (failure !== undefined && (message === '' || message === failure)) return
  writer.emitWith({ kind: 'task-error', error: { code, message: message || code, retry: 'retryable' } })
}

/**
 * Reads a message of the history of a task in a state, as if it had come with an earlier status.
 *
 * @param adkEvent - The event of ADK that it is of.
 */
export function readPastMessage(
  writer: TaskEventWriter,
  message: Message,
  { state, message: last }: Status,
  adkEvent?: string,
): void {
  const isWaiting = writer.state.request !== undefined && state === writer.state.state
  const isUnchanged = isWaiting && (last === undefined || isKnownMessage(writer, last))
  if (!isNewMessage(writer, message)) return
  if (message.role === 'user' && message.messageId === writer.options.request?.messageId) return
  if (message.role === 'user' && adkAnswersIn(writer, message).length > 0) {
    closeRequest(writer, 'answered')
    answerAdkCalls(writer, message)
    writer.state.state = 'working'
    emitStatus(writer, 'working', undefined)
    return
  }
  if (message.role === 'user' || isUnchanged) {
    writer.diagnostic('lossy:history', 'No event stands for this message of the history.', {
      detail: message,
    })
    return
  }
  closeRequest(writer, 'answered')
  const status = state === 'submitted' ? state : 'working'
  const isOther = writer.state.state !== status
  writer.state.state = status
  if (adkEvent !== undefined) readAdkProgress(writer, adkEvent, message, isOther)
  else readProgress(writer, status, message)
}

/** Reads a status that does not end the task. As in a request, data is no output, so that the history reads alike. */
function readProgress(writer: TaskEventWriter, state: State, message: Message | undefined): void {
  const part = dataPartOf(message)
  readParts(writer, message, part)
  emitStatus(writer, state === 'submitted' ? state : 'working', message, part)
}

/** The state after a status: the last one if the received one is unknown, or a step back. */
function nextState(writer: TaskEventWriter, received: State): State {
  const { state } = writer.state
  if (received === 'submitted' && state !== 'submitted') {
    writer.dropped('task-status', 'out-of-order', `Expected a state that may follow ${state}, got submitted.`)
    return state
  }
  // An unknown state is reported where it is parsed.
  return received === 'unknown' ? state : received
}

function emitStatus(
  writer: TaskEventWriter,
  status: 'submitted' | 'working' | 'completed' | 'canceled',
  message: Message | undefined,
  data?: DataPart,
): void {
  const text = textOf(message)
  writer.emitWith(
    { kind: 'task-status', status, message: text },
    { ...carriedOfMessage(writer.state, message), ...carriedOfData(data) },
  )
}

/** Emits the result of a task. A text that was not written before is the result. */
function emitResult(writer: TaskEventWriter, message: Message | undefined): void {
  const { lastContent } = writer.state
  const text = textOf(message)
  if (text !== undefined && lastContent !== undefined && fingerprintOf(text) !== lastContent) {
    // The result of a task repeats its content, which this is not.
    emitStatus(writer, 'completed', message)
    writer.emitWith({ kind: 'task-complete' })
    return
  }
  writer.emitWith({ kind: 'task-complete', content: text }, carriedOfMessage(writer.state, message))
}

function readFailure(
  writer: TaskEventWriter,
  state: 'failed' | 'rejected',
  message: Message | undefined,
): void {
  const part = dataPartOf(message)
  readParts(writer, message, part)
  completeAll(writer)
  const text = textOf(message)
  const data = fieldsOf(part?.data)
  const isExplained = state === 'rejected' || message !== undefined
  writer.emitWith(
    {
      kind: 'task-status',
      status: 'failed',
      message: text,
      error: isExplained ? toError(state, data, text) : undefined,
    },
    { ...carriedOfMessage(writer.state, message), part: part && carriedOfPart(part) },
  )
}

/** The error of a failure: its data if that is an `ErrorInfo`; otherwise the data becomes the details. */
function toError(state: 'failed' | 'rejected', data: Fields, text: string | undefined): ErrorInfo {
  const issues = issuesOf(['fields', errorInfoShape], data, { refusesNulls: true })
  if (issues.length === 0) return { ...data } as unknown as ErrorInfo
  const { code, message } = data
  return {
    code: typeof code === 'string' && code !== '' ? code : state === 'rejected' ? 'refused' : 'internal',
    message: typeof message === 'string' ? message : (text ?? 'The task failed.'),
    retry: 'terminal',
    ...(Object.keys(data).length > 0 && { details: { ...data } }),
  }
}
