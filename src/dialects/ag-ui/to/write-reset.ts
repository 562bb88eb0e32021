/** Writes the reset of a model response: what it wrote is left out of a snapshot of all messages. */

import type { IterationResetEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { AgUiMessage } from '../wire/types/index.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { closeItem } from './close.ts'
import { openTask } from './runs.ts'
import { isThere, messagesInOrder, type SentMessage, withoutMessage } from './sent-messages.ts'
import type { TargetTask } from './state.ts'

export function writeIterationReset(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<IterationResetEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { iteration } = event
  const items = writer
    .itemsOf(task.taskId)
    .filter(([, item]) => item.iteration === iteration && item.call?.hasStarted !== true)
  for (const [key, item] of items) {
    if (item.isOpen) closeItem(writer, task, item)
    writer.deleteItem(item.type, key)
  }
  if (task.iteration === iteration) writer.updateTask(task, task.earlier)
  const { sent } = writer.state
  if (sent === null) {
    writer.droppedEvent(event, 'too-many', 'What was sent before stays, as there is too much to send again.')
    return
  }
  const gone = messagesInOrder(sent).filter(
    (each) => each.taskId === task.taskId && each.iteration === iteration,
  )
  writer.state.sent = gone.reduce(withoutMessage, sent)
  const shown = gone.filter(isThere)
  if (shown.length === 0) {
    writer.droppedEvent(event, 'no-equivalent', `Nothing of iteration ${iteration} is there to be left out.`)
    return
  }
  sendMessages(writer, shown)
  writer.reportLost(event)
}

/**
 * Sends all messages: those that clients had before, and those of the stream.
 *
 * @param gone - What they do not have any more.
 */
export function sendMessages(writer: AgUiWriter, gone: readonly SentMessage[] = []): void {
  const { sent } = writer.state
  if (sent === null) return
  const { messages: earlier } = writer.options
  if (earlier === undefined && !writer.state.hasSentAll) {
    const message =
      'Expected the option messages, as a snapshot repeats what clients have; got none: they keep no other.'
    writer.inferred('messages', message)
  }
  writer.state.hasSentAll = true
  const own = messagesInOrder(sent)
    .filter(isThere)
    .map(({ message }) => message)
  const ids = new Set(own.map(({ id }) => id))
  const messages = [...(earlier ?? []).filter(({ id }) => !ids.has(id)), ...own]
  // Clients keep their reasoning unless a snapshot has some.
  const isKept = !messages.some(({ role }) => role === 'reasoning')
  const blank = gone.flatMap(({ message }): AgUiMessage[] =>
    isKept && message.role === 'reasoning' ? [blankOf(message)] : [],
  )
  writer.emitRun({ type: 'MESSAGES_SNAPSHOT', messages: [...messages, ...blank] })
}

function blankOf({ subagentRunId, id }: AgUiMessage): AgUiMessage {
  return { ...(subagentRunId !== undefined && { subagentRunId }), id, role: 'reasoning', content: '' }
}
