/** Writes thoughts, as reasoning. */

import type { ContextEvent } from '../../../events/event.ts'
import type { ThoughtDeltaEvent, ThoughtStreamEvent } from '../../../events/thought.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { isRepeated, newItem, unsentOf, withDelta } from './deltas.ts'
import { openTask } from './runs.ts'
import type { TargetTask } from './state.ts'

export function writeThoughtDelta(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ThoughtDeltaEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { thoughtId: messageId, delta, index, indexEnd = index } = event
  const thought = writer.item('thought', messageId) ?? newItem('thought', messageId, task)
  if (isRepeated(writer, event, thought.expects)) return
  if (delta === '') {
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty deltas.')
    return
  }
  if (!thought.isOpen) startThought(writer, task, messageId)
  writer.emitOwned(task, { type: 'REASONING_MESSAGE_CONTENT', messageId, delta })
  writer.setItem(messageId, withDelta(thought, delta, indexEnd + 1))
  writer.reportLost(event, keptLabels(event, index === thought.next))
}

function startThought(writer: AgUiWriter, task: TargetTask, messageId: string): void {
  writer.emitOwned(task, { type: 'REASONING_START', messageId })
  writer.emitOwned(task, { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' })
}

export function writeThoughtStream(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ThoughtStreamEvent>,
): void {
  const opened = openTask(writer, found, event)
  if (opened === undefined) return
  const { thoughtId: messageId, content, metadata, index } = event
  const task = writer.updateTask(opened, { thoughts: opened.thoughts + 1 })
  const known = writer.item('thought', messageId) ?? newItem('thought', messageId, task)
  const { signature, ...rest } = metadata ?? {}
  const more = Object.keys(rest).length > 0 ? { metadata: rest } : {}
  writer.deleteItem('thought', messageId)
  // Clients keep an encrypted value only with its message, so one without text has a message too.
  const hasMessage = content !== '' || known.isOpen || signature !== undefined
  if (!hasMessage && Object.keys(rest).length === 0) {
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty messages.')
    return
  }
  if (!hasMessage) writer.emitOwned(task, { type: 'REASONING_START', messageId })
  else if (!known.isOpen) startThought(writer, task, messageId)
  const delta = unsentOf(writer, known, content)
  if (delta !== '') writer.emitOwned(task, { type: 'REASONING_MESSAGE_CONTENT', messageId, delta })
  if (hasMessage) writer.emitOwned(task, { type: 'REASONING_MESSAGE_END', messageId, ...more })
  if (signature !== undefined) {
    const value = { subtype: 'message', entityId: messageId, encryptedValue: signature } as const
    writer.emitOwned(task, { type: 'REASONING_ENCRYPTED_VALUE', ...value })
  }
  writer.emitOwned(task, { type: 'REASONING_END', messageId, ...(!hasMessage && more) })
  writer.reportLost(event, keptLabels(event, index === opened.thoughts))
}

/** What readers infer. */
function keptLabels(
  { thoughtType, verbosity }: { readonly thoughtType?: string; readonly verbosity?: string },
  keepsIndex: boolean,
): string[] {
  const kept: string[] = keepsIndex ? ['index'] : []
  if (thoughtType === 'reasoning') kept.push('thoughtType')
  if (verbosity === 'normal') kept.push('verbosity')
  return kept
}
