/** Closes messages, reasoning and calls that a task leaves open. */

import type { AgUiWriter } from './ag-ui-writer.ts'
import type { TargetTask } from './state.ts'

/**
 * Closes the open items of a task.
 *
 * @param reopens - Whether they may continue in the next run, with the same ids.
 */
export function closeItems(writer: AgUiWriter, task: TargetTask, reopens: boolean): void {
  for (const [key, item] of writer.openItems(task.taskId)) {
    const { type, id } = item
    if (type === 'text') writer.emitOwned(task, { type: 'TEXT_MESSAGE_END', messageId: id })
    else if (type === 'thought') closeThought(writer, task, id)
    else endCutCall(writer, task, id)
    const call = item.call === null ? null : { ...item.call, wasCut: true }
    if (reopens) writer.setItem(key, { ...item, isOpen: false, call })
  }
  if (!reopens) writer.forgetItems(task.taskId)
}

/** Ends a call whose arguments are cut off. */
export function endCutCall(writer: AgUiWriter, task: TargetTask, toolCallId: string): void {
  writer.emitOwned(task, { type: 'TOOL_CALL_END', toolCallId, metadata: { complete: false } })
}

function closeThought(writer: AgUiWriter, task: TargetTask, messageId: string): void {
  writer.emitOwned(task, { type: 'REASONING_MESSAGE_END', messageId })
  writer.emitOwned(task, { type: 'REASONING_END', messageId })
}
