/** Writes what revises a response, as a snapshot of all messages. */

import type { IterationResetEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import { takeItems } from '../../engine/end-items.ts'
import type { Item } from '../../engine/item.ts'
import type { ItemFormats } from '../../engine/write-item.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import {
  hasMessage,
  messagesInOrder,
  type SentMessage,
  toMessage,
  withContent,
  withoutMessage,
  withSnapshot,
} from './sent-messages.ts'
import type { TargetTask } from './state.ts'

/** Replaces a text, unless there is too much to send again. Returns whether it did; `'new'` for one that is empty then. */
export function replaceText(
  writer: AgUiWriter,
  item: Item,
  content: string,
  { open, cut }: { readonly open: () => void; readonly cut: () => void },
): boolean | 'new' {
  const { sent } = writer.state
  if (sent === null || !writer.mayReplace) return false
  const isOpen = item.phase === 'open'
  const isShown = hasMessage(sent, item.id)
  if (isShown) {
    const replaced = withContent(sent, item.id, content)
    if (replaced === null) return false
    if (isOpen && content === '') cut()
    writer.state.sent = replaced
    sendMessages(writer)
  }
  if (content === '') return 'new'
  if (!isOpen) open()
  if (!isShown) {
    writer.emitItem(item, { type: 'TEXT_MESSAGE_CONTENT', messageId: item.id, delta: content })
  }
  return true
}

/** Leaves what a model response wrote out of a snapshot of all messages. */
export function writeIterationReset(
  writer: AgUiWriter,
  task: TargetTask,
  { kind, iteration }: ContextEvent<IterationResetEvent>,
  formats: ItemFormats<AgUiWriter>,
): void {
  const { taskId } = task
  for (const item of takeItems(writer, taskId, iteration)) {
    if (item.phase === 'open') formats[item.type].cut?.(writer, item)
  }
  const { sent } = writer.state
  if (sent === null) {
    writer.dropped(kind, 'too-many', 'What was sent before stays, as there is too much to send again.')
    return
  }
  if (task.iteration === iteration) writer.updateTask(task, task.earlier)
  const gone = messagesInOrder(sent).filter((each) => each.taskId === taskId && each.iteration === iteration)
  writer.state.sent = gone.reduce((all, { id }) => withoutMessage(all, id), sent)
  if (gone.length > 0) sendMessages(writer, gone)
  else writer.dropped(kind, 'no-equivalent', `Nothing of iteration ${iteration} is there to be left out.`)
}

/**
 * Sends all messages: those that clients had before, and those of the stream.
 *
 * @param gone - What they do not have any more.
 */
function sendMessages(writer: AgUiWriter, gone: readonly SentMessage[] = []): void {
  const { sent } = writer.state
  if (sent === null) return
  const { messages: earlier } = writer.options
  if (earlier === undefined && sent.repeated === 0) {
    const message =
      'Expected the option messages, as a snapshot repeats what clients have; got none: they keep no other.'
    writer.inferred('messages', message)
  }
  const own = messagesInOrder(sent).map(toMessage)
  const ids = new Set(own.map(({ id }) => id))
  const messages = [...(earlier ?? []).filter(({ id }) => !ids.has(id)), ...own]
  // Clients keep their reasoning unless a snapshot has some.
  const isKept = !messages.some(({ role }) => role === 'reasoning')
  const blank = gone
    .filter(({ role }) => isKept && role === 'reasoning')
    .map(({ encryptedValue: _, metadata: __, ...message }) => toMessage({ ...message, text: '' }))
  writer.emitRun({ type: 'MESSAGES_SNAPSHOT', messages: [...messages, ...blank] })
  writer.state.sent = withSnapshot(sent)
}
