/** Writes thoughts, as reasoning. */

import type { ContextEvent } from '../../../events/event.ts'
import type { ThoughtDeltaEvent, ThoughtStreamEvent } from '../../../events/thought.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { isRepeated, keptOf, newItem, unsentOf, withDelta } from './deltas.ts'
import { openTask } from './runs.ts'
import type { TargetItem, TargetTask } from './state.ts'
import { enterStep } from './steps.ts'

export function writeThoughtDelta(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ThoughtDeltaEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { thoughtId: messageId, delta, index, indexEnd = index } = event
  const { iteration = null } = event
  const thought = writer.item('thought', messageId) ?? newItem('thought', messageId, task, iteration)
  if (isRepeated(writer, event, thought.expects)) return
  if (delta === '') {
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty deltas.')
    return
  }
  const open = opened(writer, task, thought)
  writer.emitOwned(task, { type: 'REASONING_MESSAGE_CONTENT', messageId, delta })
  writer.setItem(messageId, withDelta(open, delta, indexEnd + 1))
  writer.reportLost(event, [...keptLabels(event, index === thought.next), ...keptOf(open, event)])
}

/** The thought, open in the stream: with a message of it, or only as a span. */
function opened(writer: AgUiWriter, task: TargetTask, thought: TargetItem, hasMessage = true): TargetItem {
  if (thought.isOpen) return thought
  const { id: messageId, iteration } = thought
  const step = enterStep(writer, task, iteration)
  writer.emitOwned(task, { type: 'REASONING_START', messageId })
  if (hasMessage) {
    const start = { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' } as const
    writer.emitOwned(task, start, { key: null, iteration })
  }
  return { ...thought, step, isOpen: true }
}

export function writeThoughtStream(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<ThoughtStreamEvent>,
): void {
  const task = openTask(writer, found, event)
  if (task === undefined) return
  const { thoughtId: messageId, content, metadata, index, iteration = null } = event
  const { thoughts } = writer.updateTask(task, {})
  const known = writer.item('thought', messageId) ?? newItem('thought', messageId, task, iteration)
  countThought(writer, task, known)
  const { signature, ...rest } = metadata ?? {}
  const more = Object.keys(rest).length > 0 ? { metadata: rest } : {}
  writer.deleteItem('thought', messageId)
  // Clients keep an encrypted value only with its message, so one without text has a message too.
  const hasMessage = content !== '' || known.isOpen || signature !== undefined
  if (!hasMessage && Object.keys(rest).length === 0) {
    writer.droppedEvent(event, 'no-equivalent', 'AG-UI has no empty messages.')
    return
  }
  const open = opened(writer, task, known, hasMessage)
  const delta = unsentOf(writer, known, content)
  if (delta !== '') writer.emitOwned(task, { type: 'REASONING_MESSAGE_CONTENT', messageId, delta })
  if (hasMessage) writer.emitOwned(task, { type: 'REASONING_MESSAGE_END', messageId, ...more })
  if (signature !== undefined) {
    const value = { subtype: 'message', entityId: messageId, encryptedValue: signature } as const
    writer.emitOwned(task, { type: 'REASONING_ENCRYPTED_VALUE', ...value })
  }
  writer.emitOwned(task, { type: 'REASONING_END', messageId, ...(!hasMessage && more) })
  writer.reportLost(event, [...keptLabels(event, index === thoughts), ...keptOf(open, event)])
}

/** Counts a thought that is complete. One of an earlier model response stays if the latest is reset. */
function countThought(writer: AgUiWriter, task: TargetTask, { iteration }: TargetItem): void {
  const { thoughts, earlier, iteration: latest } = writer.updateTask(task, {})
  const next = thoughts + 1
  writer.updateTask(task, {
    thoughts: next,
    ...(iteration !== latest && { earlier: { ...earlier, thoughts: next } }),
  })
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
