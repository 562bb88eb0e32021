/** Reads reasoning: spans, their messages and encrypted values. */

import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type {
  AgUiEvent,
  AgUiReasoningEncryptedValue,
  AgUiReasoningEnd,
  AgUiReasoningMessageContent,
  AgUiReasoningMessageEnd,
  AgUiReasoningMessageStart,
  AgUiReasoningStart,
} from '../wire/types/index.ts'
import { type EventWriter, thoughtGroup } from './event-writer.ts'
import { addMessage } from './messages.ts'
import type { OpenSpan, OpenThought } from './state.ts'
import { iterationOf, taskOf } from './tasks.ts'

/** AG-UI does not classify reasoning. */
const LABELS = { thoughtType: 'reasoning', verbosity: 'normal' } as const

export function readSpanStart(writer: EventWriter, event: AgUiReasoningStart): void {
  const { messageId } = event
  const task = taskOf(writer, event)
  if (task === undefined) return
  if (writer.item('spans', messageId) !== undefined) {
    writer.droppedEvent(event, 'repeated', `Span ${describeValue(messageId)} is open, got its start again.`)
    return
  }
  writer.setItem('spans', messageId, {
    owner: task.key,
    iteration: task.step,
    metadata: writer.mergedMetadata(null, event),
    messageId,
    outer: task.span,
  })
  writer.setItem('tasks', task.key, { ...task, span: messageId })
}

export function readThoughtStart(writer: EventWriter, event: AgUiReasoningMessageStart): void {
  const known = writer.item('thoughts', event.messageId)
  if (known !== undefined && !known.hasEnded) {
    writer.droppedEvent(
      event,
      'repeated',
      `Message ${describeValue(event.messageId)} is open, got its start again.`,
    )
    return
  }
  if (known !== undefined) completeThought(writer, known)
  openThought(writer, event)
}

/** Adds a reasoning message. `undefined` if its task has ended. */
function openThought(
  writer: EventWriter,
  event: AgUiEvent & { messageId: string; metadata?: Metadata },
): OpenThought | undefined {
  const { messageId } = event
  const task = taskOf(writer, event)
  if (task === undefined) return undefined
  const span = writer.item('spans', messageId)?.owner === task.key ? messageId : task.span
  for (const each of writer.itemsOf('thoughts', thoughtGroup(true, span, task.key)))
    completeThought(writer, each)
  const thought: OpenThought = {
    owner: task.key,
    iteration: task.step,
    metadata: writer.mergedMetadata(null, event),
    messageId,
    thoughtId: writer.uniqueId('thought', messageId),
    text: '',
    deltas: 0,
    span,
    hasEnded: false,
  }
  writer.setItem('thoughts', messageId, thought)
  return thought
}

export function readThoughtContent(writer: EventWriter, event: AgUiReasoningMessageContent): void {
  const { messageId, delta } = event
  let thought = writer.continuedItem('thoughts', messageId, event)
  if (thought === undefined || thought.hasEnded) {
    if (thought !== undefined) completeThought(writer, thought)
    const message = `Expected the start of reasoning message ${describeValue(messageId)}, got its content.`
    writer.inferred('REASONING_MESSAGE_START', message)
    thought = openThought(writer, event)
  }
  const task = thought && writer.item('tasks', thought.owner)
  if (thought === undefined || task === undefined) return
  const { thoughtId, deltas: index } = thought
  const next = {
    ...thought,
    metadata: writer.mergedMetadata(thought.metadata, event),
    text: thought.text + delta,
  }
  if (delta !== '') {
    inferLabels(writer)
    writer.emitEvent(task, {
      kind: 'thought-delta',
      thoughtId,
      delta,
      ...LABELS,
      index,
      ...iterationOf(thought),
    })
    next.deltas = index + 1
  }
  writer.setItem('thoughts', messageId, next)
}

export function readThoughtEnd(writer: EventWriter, event: AgUiReasoningMessageEnd): void {
  const thought = writer.continuedItem('thoughts', event.messageId, event)
  if (thought === undefined || thought.hasEnded) {
    const message = `Reasoning message ${describeValue(event.messageId)} is not open, got its end.`
    writer.droppedEvent(event, 'not-started', message)
    return
  }
  const ended = { ...thought, metadata: writer.mergedMetadata(thought.metadata, event), hasEnded: true }
  // The encrypted value comes before the end of the span.
  if (thought.span === null) completeThought(writer, ended)
  else writer.setItem('thoughts', event.messageId, ended)
}

export function readSpanEnd(writer: EventWriter, event: AgUiReasoningEnd): void {
  const span = writer.continuedItem('spans', event.messageId, event)
  if (span === undefined) {
    const message = `Reasoning ${describeValue(event.messageId)} is not open, got its end.`
    writer.droppedEvent(event, 'not-started', message)
    return
  }
  endSpan(writer, { ...span, metadata: writer.mergedMetadata(span.metadata, event) })
}

/** Stores an encrypted value with the thought or span it belongs to. Returns whether there is one. */
export function storeSignature(writer: EventWriter, event: AgUiReasoningEncryptedValue): boolean {
  const { entityId: id, encryptedValue: signature, metadata } = event
  for (const map of ['thoughts', 'spans'] as const) {
    const item = writer.continuedItem(map, id, event)
    if (item === undefined) continue
    writer.setItem(map, id, {
      ...item,
      metadata: writer.mergedMetadata(item.metadata, { metadata: { ...metadata, signature } }),
    } as never)
    return true
  }
  return false
}

/**
 * Ends the reasoning of a task.
 *
 * @param keepsOpen - Whether messages that have not ended, and their spans, stay open.
 * @returns The messages that stay open.
 */
export function endThoughts(writer: EventWriter, owner: string, keepsOpen = false): OpenThought[] {
  const open: OpenThought[] = []
  for (const span of writer.itemsOf('spans', owner)) {
    const unended = keepsOpen ? writer.itemsOf('thoughts', thoughtGroup(false, span.messageId, owner)) : []
    if (unended.length > 0) {
      open.push(...unended)
      for (const ended of writer.itemsOf('thoughts', thoughtGroup(true, span.messageId, owner)))
        completeThought(writer, ended)
      continue
    }
    const message = `Expected the end of reasoning ${describeValue(span.messageId)}, got none.`
    writer.diagnostic('inferred:REASONING_END', message, { detail: span.messageId })
    endSpan(writer, span)
  }
  for (const thought of writer.itemsOf('thoughts', thoughtGroup(false, null, owner))) {
    if (keepsOpen) open.push(thought)
    else completeThought(writer, thought)
  }
  return open
}

/** Completes the thoughts of a span. An encrypted value without any text is a thought of its own. */
function endSpan(writer: EventWriter, span: OpenSpan): void {
  writer.deleteItem('spans', span.messageId)
  const of = writer.item('tasks', span.owner)
  if (of?.span === span.messageId) {
    const outer = span.outer !== null && writer.item('spans', span.outer) !== undefined ? span.outer : null
    writer.setItem('tasks', of.key, { ...of, span: outer })
  }
  const thoughts = [true, false].flatMap((hasEnded) =>
    writer.itemsOf('thoughts', thoughtGroup(hasEnded, span.messageId, span.owner)),
  )
  for (const [i, thought] of thoughts.entries()) {
    const isLast = i === thoughts.length - 1
    completeThought(writer, isLast ? ofSpan(writer, span, thought) : thought)
  }
  const { owner, metadata, messageId } = span
  const task = writer.item('tasks', owner)
  if (thoughts.length > 0 || metadata === null || task === undefined) return
  const isRedacted = typeof metadata.signature === 'string'
  emitThought(writer, span, writer.uniqueId('thought', messageId), '', {
    ...metadata,
    ...(isRedacted && metadata.redacted === undefined && { redacted: true }),
  })
}

/** The last thought of a span, with the metadata of the span, and its id if its encrypted value names it. */
function ofSpan(writer: EventWriter, { messageId, metadata }: OpenSpan, thought: OpenThought): OpenThought {
  if (metadata === null) return thought
  const isOther = metadata.signature !== undefined && messageId !== thought.messageId
  const own = { ...thought.metadata, ...(isOther && { reasoningId: messageId }) }
  return { ...thought, metadata: writer.mergedMetadata(metadata, { metadata: own }) }
}

function completeThought(writer: EventWriter, thought: OpenThought): void {
  const { thoughtId, text, metadata } = thought
  writer.deleteItem('thoughts', thought.messageId)
  if (!thought.hasEnded) {
    const message = `Expected the end of reasoning message ${describeValue(thought.messageId)}, got none.`
    writer.diagnostic('inferred:REASONING_MESSAGE_END', message, { detail: thought.messageId })
  }
  if (text !== '' || metadata !== null) emitThought(writer, thought, thoughtId, text, metadata)
  else writer.droppedEmpty('REASONING_MESSAGE_END', thought)
}

function inferLabels(writer: EventWriter): void {
  writer.inferredOnce('thoughtType', 'AG-UI does not classify reasoning: type reasoning, verbosity normal.')
}

function emitThought(
  writer: EventWriter,
  { owner, iteration, messageId: id }: OpenSpan | OpenThought,
  thoughtId: string,
  content: string,
  stated: Metadata | null,
): void {
  const task = writer.item('tasks', owner)
  if (task === undefined) return
  const { thoughts: index } = task
  inferLabels(writer)
  const labels = { ...LABELS, ...iterationOf({ iteration }) }
  writer.emitEvent(task, { kind: 'thought-stream', thoughtId, ...labels, content, index }, stated)
  addMessage(writer, { type: 'thought', id, owner, iteration, itemId: thoughtId }, content)
  const thoughts = index + 1
  const isEarlier = iteration !== task.iteration
  writer.setItem('tasks', owner, {
    ...task,
    thoughts,
    ...(isEarlier && { earlier: { ...task.earlier, thoughts } }),
  })
}
