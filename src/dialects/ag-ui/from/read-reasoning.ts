/** Reads reasoning: spans, their messages and encrypted values. */

import { boundedDelete } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type {
  AgUiEvent,
  AgUiReasoningEnd,
  AgUiReasoningMessageContent,
  AgUiReasoningMessageEnd,
  AgUiReasoningMessageStart,
  AgUiReasoningStart,
} from '../wire/types/index.ts'
import type { EventWriter } from './event-writer.ts'
import type { OpenSpan, OpenThought } from './state.ts'
import { mergedMetadata, taskOf } from './tasks.ts'

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
    seq: writer.nextSeq(),
    metadata: mergedMetadata(null, event),
    messageId,
    hasMessage: false,
  })
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
  writer.inferredOnce('thoughtType', 'AG-UI does not classify reasoning: type reasoning, verbosity normal.')
  const spans = writer.itemsOf('spans', task.key)
  const span = writer.item('spans', messageId) ?? spans.at(-1)
  if (span !== undefined && !span.hasMessage)
    writer.setItem('spans', span.messageId, { ...span, hasMessage: true })
  for (const each of writer.itemsOf('thoughts', task.key)) if (each.hasEnded) completeThought(writer, each)
  const thought: OpenThought = {
    owner: task.key,
    seq: writer.nextSeq(),
    metadata: mergedMetadata(null, event),
    messageId,
    thoughtId: writer.uniqueId('thought', messageId),
    text: '',
    deltas: 0,
    span: span?.messageId ?? null,
    hasEnded: false,
  }
  writer.setItem('thoughts', messageId, thought)
  return thought
}

export function readThoughtContent(writer: EventWriter, event: AgUiReasoningMessageContent): void {
  const { messageId, delta } = event
  let thought = writer.item('thoughts', messageId)
  if (thought === undefined || thought.hasEnded) {
    if (thought !== undefined) completeThought(writer, thought)
    const message = `Expected the start of reasoning message ${describeValue(messageId)}, got its content.`
    writer.inferred('REASONING_MESSAGE_START', message)
    thought = openThought(writer, event)
  }
  const task = thought && writer.item('tasks', thought.owner)
  if (thought === undefined || task === undefined) return
  const { thoughtId, deltas: index } = thought
  const next = { ...thought, metadata: mergedMetadata(thought.metadata, event), text: thought.text + delta }
  if (delta !== '') {
    writer.emitEvent(task, { kind: 'thought-delta', thoughtId, delta, ...LABELS, index })
    next.deltas = index + 1
  }
  writer.setItem('thoughts', messageId, next)
}

export function readThoughtEnd(writer: EventWriter, event: AgUiReasoningMessageEnd): void {
  const thought = writer.item('thoughts', event.messageId)
  if (thought === undefined || thought.hasEnded) {
    const message = `Reasoning message ${describeValue(event.messageId)} is not open, got its end.`
    writer.droppedEvent(event, 'not-started', message)
    return
  }
  const ended = { ...thought, metadata: mergedMetadata(thought.metadata, event), hasEnded: true }
  // The encrypted value comes before the end of the span.
  if (thought.span === null) completeThought(writer, ended)
  else writer.setItem('thoughts', event.messageId, ended)
}

export function readSpanEnd(writer: EventWriter, event: AgUiReasoningEnd): void {
  const span = writer.item('spans', event.messageId)
  if (span === undefined) {
    const message = `Reasoning ${describeValue(event.messageId)} is not open, got its end.`
    writer.droppedEvent(event, 'not-started', message)
    return
  }
  endSpan(writer, { ...span, metadata: mergedMetadata(span.metadata, event) })
}

/** Stores an encrypted value with the thought or span it belongs to. Returns whether there is one. */
export function storeSignature(writer: EventWriter, id: string, signature: string): boolean {
  for (const map of ['thoughts', 'spans'] as const) {
    const item = writer.item(map, id)
    if (item === undefined) continue
    writer.setItem(map, id, { ...item, metadata: { ...item.metadata, signature } } as never)
    return true
  }
  return false
}

/**
 * Ends the reasoning of a task.
 *
 * @param keepsOpen - Whether messages that have not ended stay open.
 */
export function endThoughts(writer: EventWriter, owner: string, keepsOpen = false): void {
  for (const span of writer.itemsOf('spans', owner)) {
    const isOpen = (each: OpenThought): boolean => each.span === span.messageId && !each.hasEnded
    if (keepsOpen && writer.itemsOf('thoughts', owner).some(isOpen)) continue
    const message = `Expected the end of reasoning ${describeValue(span.messageId)}, got none.`
    writer.diagnostic('inferred:REASONING_END', message, { detail: span.messageId })
    endSpan(writer, span)
  }
  for (const thought of writer.itemsOf('thoughts', owner)) {
    if (thought.hasEnded || !keepsOpen) completeThought(writer, thought)
  }
}

/** Completes the thoughts of a span. An encrypted value without any text is a thought of its own. */
function endSpan(writer: EventWriter, span: OpenSpan): void {
  writer.state.spans = boundedDelete(writer.state.spans, span.messageId)
  const thoughts = writer.itemsOf('thoughts', span.owner).filter((each) => each.span === span.messageId)
  for (const [i, thought] of thoughts.entries()) {
    const isLast = i === thoughts.length - 1
    const metadata =
      isLast && span.metadata !== null ? { ...span.metadata, ...thought.metadata } : thought.metadata
    completeThought(writer, { ...thought, metadata })
  }
  const { owner, metadata, messageId } = span
  const task = writer.item('tasks', owner)
  if (thoughts.length > 0 || metadata === null || task === undefined) return
  const isRedacted = typeof metadata.signature === 'string'
  emitThought(writer, owner, writer.uniqueId('thought', messageId), '', {
    ...metadata,
    ...(isRedacted && metadata.redacted === undefined && { redacted: true }),
  })
}

function completeThought(writer: EventWriter, thought: OpenThought): void {
  const { owner, thoughtId, text, metadata } = thought
  writer.state.thoughts = boundedDelete(writer.state.thoughts, thought.messageId)
  if (!thought.hasEnded) {
    const message = `Expected the end of reasoning message ${describeValue(thought.messageId)}, got none.`
    writer.diagnostic('inferred:REASONING_MESSAGE_END', message, { detail: thought.messageId })
  }
  if (text !== '' || metadata !== null) emitThought(writer, owner, thoughtId, text, metadata)
}

function emitThought(
  writer: EventWriter,
  owner: string,
  thoughtId: string,
  content: string,
  stated: Metadata | null,
): void {
  const task = writer.item('tasks', owner)
  if (task === undefined) return
  const { thoughts: index } = task
  writer.emitEvent(task, { kind: 'thought-stream', thoughtId, ...LABELS, content, index }, stated)
  writer.setItem('tasks', owner, { ...task, thoughts: index + 1 })
}
