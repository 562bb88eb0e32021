/** Closes messages, reasoning and calls that a task leaves open. */

import type { AgUiWriter } from './ag-ui-writer.ts'
import type { TargetTask } from './state.ts'

/**
 * Closes the open items of a task.
 *
 * @param reopens - Whether they may go on in the next run, with the same ids.
 */
export function closeItems(writer: AgUiWriter, task: TargetTask, reopens: boolean): void {
  const { taskId } = task
  for (const [key, text] of writer.itemsOf('texts', taskId)) {
    if (text.isOpen) writer.emitOwned(task, { type: 'TEXT_MESSAGE_END', messageId: text.messageId })
    if (reopens) writer.setItem('texts', key, { ...text, isOpen: false })
    else writer.deleteItem('texts', key)
  }
  for (const [messageId, thought] of writer.itemsOf('thoughts', taskId)) {
    if (thought.isOpen) closeThought(writer, task, messageId)
    if (reopens) writer.setItem('thoughts', messageId, { ...thought, isOpen: false })
    else writer.deleteItem('thoughts', messageId)
  }
  for (const [toolCallId, call] of writer.itemsOf('calls', taskId)) {
    if (call.isOpen) endCutCall(writer, task, toolCallId)
    if (reopens) writer.setItem('calls', toolCallId, { ...call, isOpen: false })
    else writer.deleteItem('calls', toolCallId)
  }
}

/** Ends a call whose arguments are cut off. */
export function endCutCall(writer: AgUiWriter, task: TargetTask, toolCallId: string): void {
  writer.emitOwned(task, { type: 'TOOL_CALL_END', toolCallId, metadata: { complete: false } })
}

export function closeThought(writer: AgUiWriter, task: TargetTask, messageId: string): void {
  writer.emitOwned(task, { type: 'REASONING_MESSAGE_END', messageId })
  writer.emitOwned(task, { type: 'REASONING_END', messageId })
}
