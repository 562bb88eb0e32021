/** Writes text segments, as messages. */

import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { textMessageId } from '../wire/message-ids.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { isRepeated, newItem, unsentOf, withDelta } from './deltas.ts'
import { openTask } from './runs.ts'
import type { TargetItem, TargetTask } from './state.ts'

/** The open segment of an event, or a new one. */
function segmentOf(
  writer: AgUiWriter,
  task: TargetTask,
  key: string,
  contentId: string | undefined,
): TargetItem {
  const known = writer.item('text', key)
  if (known !== undefined) return known
  const { taskId, segments } = task
  writer.updateTask(task, { segments: segments + 1 })
  const id = textMessageId(taskId, segments, contentId)
  return newItem('text', id, task)
}

function keyOf({ taskId, contentId }: { taskId: string; contentId?: string }): string {
  return contentId === undefined ? taskId : `${taskId}\n${contentId}`
}

export function writeContentDelta(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ContentDeltaEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { delta, contentId, index, indexEnd = index } = event
  const key = keyOf(event)
  const segment = segmentOf(writer, task, key, contentId)
  const { next, id: messageId } = segment
  if (isRepeated(writer, event, segment.expects)) return
  if (delta === '') {
    if (writer.item('text', key) === undefined) writer.setItem(key, segment)
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty deltas.')
    return
  }
  if (!segment.isOpen) writer.emitOwned(task, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
  writer.emitOwned(task, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
  writer.setItem(key, withDelta(segment, delta, indexEnd + 1))
  writer.reportLost(event, index === next ? ['index'] : [])
}

export function writeContentComplete(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ContentCompleteEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { content, contentId, finishReason, metadata } = event
  const key = keyOf(event)
  const segment = segmentOf(writer, task, key, contentId)
  const { id: messageId } = segment
  writer.deleteItem('text', key)
  if (content === '' && segment.length === 0) {
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty messages.')
    return
  }
  if (!segment.isOpen) writer.emitOwned(task, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
  const delta = unsentOf(writer, segment, content)
  if (delta !== '') writer.emitOwned(task, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
  const stated = finishReason === undefined ? metadata : { ...metadata, finishReason }
  writer.emitOwned(task, {
    type: 'TEXT_MESSAGE_END',
    messageId,
    ...(stated !== undefined && { metadata: stated }),
  })
  writer.reportLost(event)
}
