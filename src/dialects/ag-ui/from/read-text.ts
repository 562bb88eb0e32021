/** Reads text messages. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { markOf } from '../../../encoding/text-mark.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { appendText, dropUnstarted, inferStart, iterationOf } from '../../engine/draft-item.ts'
import { dropRepeated } from '../../engine/drop.ts'
import { contentIdOf } from '../wire/message-ids.ts'
import type {
  AgUiEvent,
  AgUiTextMessageContent,
  AgUiTextMessageEnd,
  AgUiTextMessageStart,
} from '../wire/types/index.ts'
import { continuedItem, inferEnd, newPart } from './items.ts'
import { addMessage } from './messages.ts'
import { emitWith, withMetadata } from './metadata.ts'
import type { OpenText, RunWriter } from './state.ts'
import { countItem, taskOf } from './tasks.ts'

export function readTextStart(writer: RunWriter, event: AgUiTextMessageStart): void {
  const { type, messageId, role } = event
  const known = writer.item('texts', messageId)
  if (known === undefined) openText(writer, event, role)
  else if (known.isOver) {
    writer.setItem('texts', messageId, {
      ...named(writer, withMetadata(writer, known, event), event),
      isOver: false,
    })
  } else dropRepeated(writer, type, messageId)
}

/** Adds a message. `undefined` if its task has ended. */
function openText(
  writer: RunWriter,
  event: AgUiEvent & { messageId: string; name?: string; metadata?: Metadata },
  role = 'assistant',
): OpenText | undefined {
  const task = taskOf(writer, event)
  if (task === undefined) return undefined
  const { messageId } = event
  const isForeign = role !== 'assistant'
  if (isForeign) dropForeign(writer, event, role)
  else writer.setItem('tasks', task.key, { ...task, texts: task.texts + 1 })
  const part = newPart(writer, task, messageId, event)
  const known = contentIdOf(messageId, task.taskId)
  // Two segments of one text cannot be open at once.
  const taken = openContent(writer, task.key, known)
  if (taken?.isOver === true) endText(writer, taken)
  const id = taken?.isOver === false ? messageId : known
  const text: OpenText = { ...part, id, text: '', deltas: 0, isForeign, isOver: false }
  const opened = named(writer, text, event)
  writer.setItem('texts', messageId, opened)
  if (id !== messageId) {
    writer.state.contents = boundedSet(writer.state.contents, contentKey(task.key, id), messageId).map
  }
  return opened
}

/** A text with the name of its sender, if that is stated. */
function named(writer: RunWriter, text: OpenText, { name }: { readonly name?: string }): OpenText {
  return name === undefined ? text : withMetadata(writer, text, { metadata: { name } })
}

function dropForeign(writer: RunWriter, { type }: AgUiEvent, role = 'others'): void {
  writer.dropped(type, 'no-equivalent', `Expected a text of the assistant, got one of ${role}.`)
}

/** The open message of a task with a `contentId`. */
function openContent(writer: RunWriter, owner: string, contentId: string | null): OpenText | undefined {
  const messageId = boundedGet(writer.state.contents, contentKey(owner, contentId))
  const text = messageId === undefined ? undefined : writer.item('texts', messageId)
  return text?.owner === owner && text.id === contentId ? text : undefined
}

/** Whether a message is the latest text of a task with its `contentId`: events can replace no earlier one. */
export function isLatestContent(
  writer: RunWriter,
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

export function readTextContent(writer: RunWriter, event: AgUiTextMessageContent): void {
  const { type, messageId, delta } = event
  const known = continuedItem(writer, 'texts', messageId, event)
  if (known === undefined) inferStart(writer, 'TEXT_MESSAGE_START', messageId, type)
  const open = known ?? openText(writer, event)
  if (open === undefined) return
  const text = withMetadata(writer, open, event)
  if (text.isForeign) dropForeign(writer, event)
  const isEmpty = text.isForeign || delta === ''
  const { deltas, text: content } = isEmpty ? text : appendText(writer, text, delta, text, completeText)
  // Written out: a spread takes many times as long.
  writer.setItem('texts', messageId, {
    key: messageId,
    owner: text.owner,
    taskId: text.taskId,
    parentTaskId: text.parentTaskId,
    iteration: text.iteration,
    metadata: text.metadata,
    id: text.id,
    text: content,
    deltas,
    isForeign: text.isForeign,
    isOver: false,
  })
}

export function readTextEnd(writer: RunWriter, event: AgUiTextMessageEnd): void {
  const text = continuedItem(writer, 'texts', event.messageId, event)
  if (text === undefined) {
    dropUnstarted(writer, 'TEXT_MESSAGE_START', event.messageId, event.type)
    return
  }
  if (text.isForeign) dropForeign(writer, event)
  endText(writer, withMetadata(writer, text, event))
}

/** Ends the texts of a task that are still open. */
export function endTexts(writer: RunWriter, owner: string): void {
  for (const [key, text] of writer.itemsOf('texts', owner)) {
    if (!text.isForeign && !text.isOver) inferEnd(writer, 'TEXT_MESSAGE_END', key)
    endText(writer, text)
  }
}

function endText(writer: RunWriter, text: OpenText): void {
  writer.deleteItem('texts', text.key)
  if (text.isForeign) return
  if (text.deltas > 0) completeText(writer, text, text.metadata)
  else if (text.metadata !== null) dropMetadata(writer, text.key, text.metadata)
}

/** Reports what is lost of a message without text: its metadata. Servers send such messages before calls. */
function dropMetadata(writer: RunWriter, messageId: string, metadata: Metadata): void {
  const message = `Expected a text in message ${describeValue(messageId)}, got none.`
  writer.diagnostic('dropped:TEXT_MESSAGE_END', message, {
    detail: { reason: 'no-equivalent', messageId, metadata },
  })
}

function completeText(writer: RunWriter, text: OpenText, stated: Metadata | null = null): void {
  const { owner, iteration, key, id: contentId, text: content } = text
  const { finishReason, ...others } = stated ?? {}
  const isReason = typeof finishReason === 'string'
  const metadata = isReason ? (Object.keys(others).length > 0 ? others : null) : stated
  emitWith(
    writer,
    {
      kind: 'content-complete',
      ...(contentId !== null && { contentId }),
      content,
      ...iterationOf(text),
      ...(isReason && { finishReason }),
    },
    text,
    metadata,
  )
  addMessage(writer, { type: 'text', id: key, owner, iteration, contentId }, content)
  countItem(writer, text, { lastContent: markOf(content).hash })
}
