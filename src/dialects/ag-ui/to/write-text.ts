/** Writes text segments, as messages. */

import type { ContentCompleteEvent, ContentDeltaEvent, ContentReplaceEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { textMessageId } from '../wire/message-ids.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { isRepeated, keptOf, newItem, unsentOf, withDelta } from './deltas.ts'
import { openTask } from './runs.ts'
import {
  isThere,
  messagesInOrder,
  type SentMessage,
  type SentMessages,
  withContent,
  withEmptyText,
} from './sent-messages.ts'
import type { TargetItem, TargetTask } from './state.ts'
import { enterStep } from './steps.ts'
import { sendMessages } from './write-reset.ts'

/** The open segment of an event, or a new one. */
function segmentOf(
  writer: AgUiWriter,
  task: TargetTask,
  { contentId, iteration }: TextEvent,
  key: string,
): TargetItem {
  const known = writer.item('text', key)
  if (known !== undefined) return known
  const { taskId, segments } = writer.updateTask(task, {})
  writer.updateTask(task, { segments: segments + 1 })
  return newItem('text', textMessageId(taskId, segments, contentId), task, iteration ?? null)
}

type TextEvent = ContextEvent<ContentDeltaEvent | ContentCompleteEvent | ContentReplaceEvent>

function keyOf({ taskId, contentId }: TextEvent): string {
  return contentId === undefined ? taskId : `${taskId}\n${contentId}`
}

/** The segment, open in the stream. */
function opened(writer: AgUiWriter, task: TargetTask, key: string, segment: TargetItem): TargetItem {
  if (segment.isOpen) return segment
  const { id: messageId, iteration } = segment
  const step = enterStep(writer, task, iteration)
  const start = { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' } as const
  writer.emitOwned(task, start, { key, iteration })
  return { ...segment, step, isOpen: true }
}

/** Sends what follows in a segment. */
function append(
  writer: AgUiWriter,
  task: TargetTask,
  key: string,
  segment: TargetItem,
  delta: string,
  expects: number,
): TargetItem {
  const open = opened(writer, task, key, segment)
  writer.emitOwned(task, { type: 'TEXT_MESSAGE_CONTENT', messageId: open.id, delta })
  const next = withDelta(open, delta, expects)
  writer.setItem(key, next)
  return next
}

export function writeContentDelta(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ContentDeltaEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { delta, index, indexEnd = index } = event
  const key = keyOf(event)
  const segment = segmentOf(writer, task, event, key)
  const { next } = segment
  if (isRepeated(writer, event, segment.expects)) return
  if (delta === '') {
    if (writer.item('text', key) === undefined) writer.setItem(key, segment)
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty deltas.')
    return
  }
  const sent = append(writer, task, key, segment, delta, indexEnd + 1)
  writer.reportLost(event, index === next ? ['index', ...keptOf(sent, event)] : keptOf(sent, event))
}

export function writeContentComplete(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ContentCompleteEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { content, finishReason, metadata } = event
  const key = keyOf(event)
  const segment = segmentOf(writer, task, event, key)
  const { id: messageId, taskId, iteration } = segment
  writer.deleteItem('text', key)
  if (content === '' && segment.length === 0) {
    const { sent } = writer.state
    // It may be replaced.
    if (sent !== null) writer.state.sent = withEmptyText(sent, messageId, { taskId, key, iteration })
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty messages.')
    return
  }
  const open = opened(writer, task, key, segment)
  const delta = unsentOf(writer, segment, content)
  if (delta !== '') writer.emitOwned(task, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
  const stated = finishReason === undefined ? metadata : { ...metadata, finishReason }
  writer.emitOwned(task, {
    type: 'TEXT_MESSAGE_END',
    messageId,
    ...(stated !== undefined && { metadata: stated }),
  })
  writer.reportLost(event, keptOf(open, event))
}

/** Replaces a text by a snapshot of all messages. Where they are too many, the new text follows the old one. */
export function writeContentReplace(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ContentReplaceEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { content } = event
  const key = keyOf(event)
  const known = writer.item('text', key)
  const { sent } = writer.state
  const text = sent === null ? undefined : latestText(sent, key, known?.id)
  const isShown = text !== undefined && isThere(text)
  const replaced = isShown && sent !== null ? withContent(sent, text, content) : null
  const isStuck = replaced === null && (isShown || (known === undefined ? sent === null : known.length > 0))
  if (isStuck) {
    if (known?.isOpen) writer.emitOwned(task, { type: 'TEXT_MESSAGE_END', messageId: known.id })
    writer.deleteItem('text', key)
    writer.lostField('content', 'The text that was sent before stays, as there is too much to send again.')
  }
  const stored = text && newItem('text', text.message.id, task, text.iteration)
  const { id, iteration, step, isOpen } =
    (isStuck ? undefined : (known ?? stored)) ?? segmentOf(writer, task, event, key)
  const isClosed = isOpen && replaced !== null && content === ''
  if (isClosed) writer.emitOwned(task, { type: 'TEXT_MESSAGE_END', messageId: id })
  if (replaced !== null) {
    writer.state.sent = replaced
    sendMessages(writer)
  }
  const blank = {
    ...newItem('text', id, task, iteration),
    ...{ step, isOpen: isOpen && !isClosed, expects: 1 },
  }
  if (content === '') {
    writer.setItem(key, blank)
    if (replaced === null) writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty messages.')
    else writer.reportLost(event, keptOf(blank, event))
    return
  }
  const next =
    replaced === null
      ? append(writer, task, key, blank, content, 1)
      : withDelta(opened(writer, task, key, blank), content, 1)
  writer.setItem(key, next)
  writer.reportLost(event, keptOf(next, event))
}

/** The latest text with a key that was sent. */
function latestText(sent: SentMessages, key: string, id: string | undefined): SentMessage | undefined {
  const texts = messagesInOrder(sent).filter((each) => each.key === key)
  return texts.findLast(({ message }) => id === undefined || message.id === id)
}
