/** Reading tasks: a new one, or the current state of one that is known. */

import { fingerprintOf } from '../../../encoding/text-hash.ts'
import { withoutExtension } from '../wire/extension.ts'
import { isTerminal, type Message, type MessageUpdate, type TaskUpdate, type Update } from '../wire/model.ts'
import { adkEventIn, adkEventOf, withoutBookkeeping } from './adk.ts'
import { carriedOfMessage } from './carry.ts'
import { completeAll } from './emit-diff.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { adkEventsOf, readAdkArtifact, readAdkParts } from './read-adk.ts'
import { readArtifact } from './read-artifact.ts'
import { isKnownMessage, isNewMessage, readParts, textOf } from './read-message.ts'
import { readPastMessage, readStatus } from './read-status.ts'
import { jsonOf } from './slot.ts'

/** Reads an update as plain A2A. */
export function readPlain(writer: TaskEventWriter, update: Update, isNew: boolean): void {
  if (update.type === 'task') {
    readTask(writer, update, isNew)
    return
  }
  if (update.type === 'message') {
    readMessage(writer, update, isNew)
    return
  }
  if (isNew) createFromRequest(writer)
  carryMetadata(writer, 'update', update)
  const event = adkEventOf(update)
  if (update.type === 'status') readStatus(writer, update.status, event)
  else if (event === undefined) readArtifact(writer, update.artifact, update)
  else readAdkParts(writer, event, update.artifact.parts, update.artifact.artifactId)
}

function readTask(writer: TaskEventWriter, update: TaskUpdate, isNew: boolean): void {
  const { status, artifacts, history = [] } = update
  if (isNew) createTask(writer, update)
  else carryMetadata(writer, 'task', update)
  const event = adkEventIn(update.metadata)
  const past = history.filter(({ messageId }) => messageId !== status.message?.messageId)
  const others = [...past, ...(status.message === undefined ? [] : [status.message])].filter(
    (message) => message.role === 'agent' && !isKnownMessage(writer, message),
  )
  const last = isTerminal(status.state)
  const events = event === undefined ? [] : adkEventsOf(writer, others, event, last)
  for (const message of past) readPastMessage(writer, message, status, events[others.indexOf(message)])
  for (const artifact of artifacts) {
    const of = adkEventIn(artifact.metadata) ?? event
    if (of === undefined) readArtifact(writer, artifact, { append: false, last })
    else readAdkArtifact(writer, of, artifact)
  }
  readStatus(writer, status, event)
}

/** Creates a task. Its input is the text of the first message of the user. */
function createTask(writer: TaskEventWriter, update: TaskUpdate): void {
  const { timestamp } = update.status
  if (timestamp !== undefined) writer.readTime(timestamp)
  const [first] = update.history ?? []
  const request = first?.role === 'user' ? first : postedOf(writer)
  const metadata = withoutBookkeeping(withoutExtension(update.metadata))
  if (metadata !== undefined) writer.state.metadata = fingerprintOf(jsonOf(metadata))
  const input = metadata?.input === undefined ? textOf(request) : undefined
  if (request !== undefined && (input !== undefined || textOf(request) === undefined))
    isNewMessage(writer, request)
  const others = request?.parts.filter(({ type }) => type !== 'text') ?? []
  writer.emitWith(
    {
      kind: 'task-created',
      initiator: 'user',
      metadata: input === undefined ? metadata : { ...metadata, input },
    },
    { ...carriedOfMessage(writer.state, request), ...(others.length > 0 && { input: others }) },
  )
}

/** The message that was posted, if it begins the task. */
function postedOf({ options: { request }, state }: TaskEventWriter): Message | undefined {
  const isOther = request?.taskId !== undefined && request.taskId !== state.taskId
  return isOther ? undefined : request
}

/** Creates a task of which the agent states nothing. */
export function createFromRequest(writer: TaskEventWriter): void {
  const request = postedOf(writer)
  const input = textOf(request)
  const others = request?.parts.filter(({ type }) => type !== 'text') ?? []
  if (request !== undefined) isNewMessage(writer, request)
  writer.emitWith(
    { kind: 'task-created', initiator: 'user', metadata: input === undefined ? undefined : { input } },
    others.length > 0 ? { input: others } : undefined,
  )
}

/** Reads a message: the whole answer if there is no task, otherwise a segment of content. */
function readMessage(writer: TaskEventWriter, { message }: MessageUpdate, isNew: boolean): void {
  if (isNew) createFromRequest(writer)
  if (message.role === 'user') {
    writer.diagnostic('dropped:message', 'No event stands for a message of the user.', {
      detail: { reason: 'no-equivalent', message },
    })
    return
  }
  if (!isNewMessage(writer, message)) return
  readParts(writer, message)
  const content = textOf(message)
  if (content !== undefined) {
    completeAll(writer)
    writer.state.lastContent = fingerprintOf(content)
    writer.emitWith({ kind: 'content-complete', content }, carriedOfMessage(writer.state, message))
  }
  if (!isNew) return
  writer.state.state = 'completed'
  writer.emitWith(
    { kind: 'task-complete', content },
    content === undefined ? carriedOfMessage(writer.state, message) : undefined,
  )
}

/** Lets the next event carry metadata, unless it repeats the last metadata received. */
function carryMetadata(
  writer: TaskEventWriter,
  name: 'task' | 'update',
  update: Exclude<Update, MessageUpdate>,
): void {
  const metadata = withoutBookkeeping(withoutExtension(update.metadata))
  if (metadata === undefined) return
  const hash = fingerprintOf(jsonOf(metadata))
  if (hash === writer.state.metadata) return
  writer.state.metadata = hash
  writer.carryNext({ [name]: { metadata } })
}
