/** Closes messages, reasoning and calls that a task leaves open. */

import type { AgUiWriter } from './ag-ui-writer.ts'
import type { TargetItem, TargetTask } from './state.ts'
import { leaveStep } from './steps.ts'

/**
 * Closes the open items of a task.
 *
 * @param reopens - Whether they may continue in the next run, with the same ids.
 */
export function closeItems(writer: AgUiWriter, task: TargetTask, reopens: boolean): void {
  for (const [key, item] of writer.openItems(task.taskId)) {
    closeItem(writer, task, item)
    const call = item.call === null ? null : { ...item.call, wasCut: true }
    if (reopens) writer.setItem(key, { ...item, isOpen: false, call })
  }
  leaveStep(writer, task)
  if (!reopens) writer.forgetItems(task.taskId)
}

/** Closes an item that is open in the stream. */
export function closeItem(writer: AgUiWriter, task: TargetTask, { type, id: messageId }: TargetItem): void {
  if (type === 'text') writer.emitOwned(task, { type: 'TEXT_MESSAGE_END', messageId })
  else if (type === 'call') endCutCall(writer, task, messageId)
  else {
    writer.emitOwned(task, { type: 'REASONING_MESSAGE_END', messageId })
    writer.emitOwned(task, { type: 'REASONING_END', messageId })
  }
}

/** Ends a call whose arguments are cut off. */
export function endCutCall(writer: AgUiWriter, task: TargetTask, toolCallId: string): void {
  writer.emitOwned(task, { type: 'TOOL_CALL_END', toolCallId, metadata: { complete: false } })
}
