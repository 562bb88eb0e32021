/** Reads text messages. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { contentIdOf } from '../wire/message-ids.ts'
import type {
  AgUiEvent,
  AgUiTextMessageContent,
  AgUiTextMessageEnd,
  AgUiTextMessageStart,
} from '../wire/types/index.ts'
import type { EventWriter } from './event-writer.ts'
import { addMessage } from './messages.ts'
import type { OpenText } from './state.ts'
import { hashOf, iterationOf, taskOf } from './tasks.ts'

/** Maximum length of a segment in UTF-16 units, as its `content-complete` repeats the text. */
const MAX_SEGMENT = 1 << 20

export function readTextStart(writer: EventWriter, event: AgUiTextMessageStart): void {
  const known = writer.item('texts', event.messageId)
  if (known?.isOver === true) {
    const metadata = writer.mergedMetadata(known.metadata, event)
    writer.setItem('texts', event.messageId, { ...known, metadata, isOver: false })
  } else if (known !== undefined) {
    writer.droppedEvent(
      event,
      'repeated',
      `Message ${describeValue(event.messageId)} is open, got its start again.`,
    )
  } else openText(writer, event, event.role)
}

/** Adds a message. `undefined` if its task has ended. */
function openText(
  writer: EventWriter,
  event: AgUiEvent & { messageId: string; name?: string; metadata?: Metadata },
  role = 'assistant',
): OpenText | undefined {
  const task = taskOf(writer, event)
  if (task === undefined) return undefined
  const { messageId, name } = event
  const isForeign = role !== 'assistant'
  if (isForeign)
    writer.droppedEvent(event, 'no-equivalent', `Expected a text of the assistant, got one of ${role}.`)
  const stated = writer.mergedMetadata(null, event)
  const known = contentIdOf(messageId, task.taskId)
  // Two segments of one text cannot be open at once.
  const taken = openContent(writer, task.key, known)
  if (taken?.isOver === true) endText(writer, taken)
  const isTaken = taken?.isOver === false
  const text: OpenText = {
    owner: task.key,
    iteration: task.step,
    metadata: name === undefined ? stated : writer.mergedMetadata(stated, { metadata: { name } }),
    messageId,
    contentId: isTaken ? messageId : known,
    text: '',
    deltas: 0,
    isForeign,
    isOver: false,
  }
  writer.setItem('texts', messageId, text)
  if (text.contentId !== messageId) {
    const key = contentKey(task.key, text.contentId)
    writer.state.contents = boundedSet(writer.state.contents, key, messageId).map
  }
  return text
}

/** The open message of a task with a `contentId`. */
function openContent(writer: EventWriter, owner: string, contentId: string | null): OpenText | undefined {
  const messageId = boundedGet(writer.state.contents, contentKey(owner, contentId))
  const text = messageId === undefined ? undefined : writer.item('texts', messageId)
  return text?.owner === owner && text.contentId === contentId ? text : undefined
}

/** Whether a message is the latest text of a task with its `contentId`: events can replace no earlier one. */
export function isLatestContent(
  writer: EventWriter,
  owner: string,
  contentId: string | null,
  messageId: string,
): boolean {
  return (
    contentId === messageId || boundedGet(writer.state.contents, contentKey(owner, contentId)) === messageId
  )
}

function contentKey(owner: string, contentId: string | null): string {
  return JSON.stringify([owner, contentId])
}

export function readTextContent(writer: EventWriter, event: AgUiTextMessageContent): void {
  const { messageId, delta } = event
  let text = writer.continuedItem('texts', messageId, event)
  if (text?.isOver === true) text = { ...text, isOver: false }
  if (text === undefined) {
    writer.inferred(
      'TEXT_MESSAGE_START',
      `Expected the start of message ${describeValue(messageId)}, got its content.`,
    )
    text = openText(writer, event)
    if (text === undefined) return
  }
  const metadata = writer.mergedMetadata(text.metadata, event)
  if (text.isForeign) writer.droppedEvent(event, 'no-equivalent', 'Expected a text of the assistant.')
  if (text.isForeign || delta === '') {
    if (metadata !== text.metadata) writer.setItem('texts', messageId, { ...text, metadata })
    return
  }
  const task = writer.item('tasks', text.owner)
  if (task === undefined) return
  if (text.text.length + delta.length > MAX_SEGMENT && text.deltas > 0) {
    completeText(writer, text)
    text = { ...text, text: '', deltas: 0 }
  }
  const { contentId } = text
  const index = text.deltas
  writer.emitEvent(
    task,
    contentId === null
      ? { kind: 'content-delta', delta, index, ...iterationOf(text) }
      : { kind: 'content-delta', contentId, delta, index, ...iterationOf(text) },
  )
  writer.setItem('texts', messageId, {
    owner: text.owner,
    iteration: text.iteration,
    metadata,
    messageId,
    contentId,
    text: text.text + delta,
    deltas: index + 1,
    isForeign: false,
    isOver: false,
  })
}

export function readTextEnd(writer: EventWriter, event: AgUiTextMessageEnd): void {
  const text = writer.continuedItem('texts', event.messageId, event)
  if (text === undefined) {
    writer.droppedEvent(
      event,
      'not-started',
      `Message ${describeValue(event.messageId)} is not open, got its end.`,
    )
    return
  }
  if (text.isForeign) writer.droppedEvent(event, 'no-equivalent', 'Expected a text of the assistant.')
  endText(writer, { ...text, metadata: writer.mergedMetadata(text.metadata, event) })
}

/** Ends the texts of a task that are still open. */
export function endTexts(writer: EventWriter, owner: string): void {
  for (const text of writer.itemsOf('texts', owner)) {
    if (!text.isForeign && !text.isOver) {
      const message = `Expected the end of message ${describeValue(text.messageId)}, got none.`
      writer.diagnostic('inferred:TEXT_MESSAGE_END', message, { detail: text.messageId })
    }
    endText(writer, text)
  }
}

function endText(writer: EventWriter, text: OpenText): void {
  writer.deleteItem('texts', text.messageId)
  if (text.isForeign) return
  if (text.deltas > 0) completeText(writer, text, text.metadata)
  else writer.droppedEmpty('TEXT_MESSAGE_END', text)
}

function completeText(
  writer: EventWriter,
  { owner, iteration, messageId, contentId, text }: OpenText,
  stated: Metadata | null = null,
): void {
  const task = writer.item('tasks', owner)
  if (task === undefined) return
  const id = contentId === null ? {} : { contentId }
  const { finishReason, ...others } = stated ?? {}
  const isReason = typeof finishReason === 'string'
  const reason = isReason ? { finishReason } : {}
  const metadata = isReason ? (Object.keys(others).length > 0 ? others : null) : stated
  writer.emitEvent(
    task,
    { kind: 'content-complete', ...id, content: text, ...iterationOf({ iteration }), ...reason },
    metadata,
  )
  addMessage(writer, { type: 'text', id: messageId, owner, iteration, contentId }, text)
  const lastContent = hashOf(text)
  const isEarlier = iteration !== task.iteration
  writer.setItem('tasks', owner, {
    ...task,
    lastContent,
    ...(isEarlier && { earlier: { ...task.earlier, lastContent } }),
  })
}
