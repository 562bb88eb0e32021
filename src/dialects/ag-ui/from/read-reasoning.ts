/** Reads reasoning: spans, their messages and encrypted values. */

import type { Metadata } from '../../../events/metadata.ts'
import { appendThought, dropUnstarted, inferStart, iterationOf, withPiece } from '../../engine/draft-item.ts'
import { dropRepeated } from '../../engine/drop.ts'
import type {
  AgUiEvent,
  AgUiReasoningEncryptedValue,
  AgUiReasoningEnd,
  AgUiReasoningMessageContent,
  AgUiReasoningMessageEnd,
  AgUiReasoningMessageStart,
  AgUiReasoningStart,
} from '../wire/types/index.ts'
import { continuedItem, inferEnd, newPart } from './items.ts'
import { addMessage } from './messages.ts'
import { emitWith, withMetadata } from './metadata.ts'
import { type OpenSpan, type OpenThought, type RunWriter, thoughtGroup } from './state.ts'
import { countItem, taskOf, uniqueId } from './tasks.ts'

/** AG-UI does not classify reasoning. */
const LABELS = { thoughtType: 'reasoning', verbosity: 'normal' } as const

export function readSpanStart(writer: RunWriter, event: AgUiReasoningStart): void {
  const { type, messageId } = event
  const task = taskOf(writer, event)
  if (task === undefined) return
  if (writer.item('spans', messageId) !== undefined) {
    dropRepeated(writer, type, messageId)
    return
  }
  writer.setItem('spans', messageId, { ...newPart(writer, task, messageId, event), outer: task.span })
  writer.setItem('tasks', task.key, { ...task, span: messageId })
}

export function readThoughtStart(writer: RunWriter, event: AgUiReasoningMessageStart): void {
  const { type, messageId } = event
  const known = writer.item('thoughts', messageId)
  if (known?.hasEnded === false) {
    dropRepeated(writer, type, messageId)
    return
  }
  if (known !== undefined) completeThought(writer, known)
  openThought(writer, event)
}

/** Adds a reasoning message. `undefined` if its task has ended. */
function openThought(
  writer: RunWriter,
  event: AgUiEvent & { messageId: string; metadata?: Metadata },
): OpenThought | undefined {
  const { messageId } = event
  const task = taskOf(writer, event)
  if (task === undefined) return undefined
  const span = writer.item('spans', messageId)?.owner === task.key ? messageId : task.span
  for (const [, each] of writer.itemsOf('thoughts', thoughtGroup(true, span, task.key)))
    completeThought(writer, each)
  const thought: OpenThought = {
    ...newPart(writer, task, messageId, event),
    ...LABELS,
    id: uniqueId(writer, 'thought', messageId),
    text: '',
    deltas: 0,
    span,
    hasEnded: false,
  }
  writer.setItem('thoughts', messageId, thought)
  return thought
}

export function readThoughtContent(writer: RunWriter, event: AgUiReasoningMessageContent): void {
  const { type, messageId, delta } = event
  let open = continuedItem(writer, 'thoughts', messageId, event)
  if (open?.hasEnded !== false) {
    if (open !== undefined) completeThought(writer, open)
    inferStart(writer, 'REASONING_MESSAGE_START', messageId, type)
    open = openThought(writer, event)
  }
  if (open === undefined) return
  const thought = withMetadata(writer, open, event)
  const piece = delta === '' ? thought : appendThought(writer, thought, delta, thought)
  writer.setItem('thoughts', messageId, withPiece(thought, piece))
}

export function readThoughtEnd(writer: RunWriter, event: AgUiReasoningMessageEnd): void {
  const { type, messageId } = event
  const thought = continuedItem(writer, 'thoughts', messageId, event)
  if (thought?.hasEnded !== false) {
    dropUnstarted(writer, 'REASONING_MESSAGE_START', messageId, type)
    return
  }
  const ended = { ...withMetadata(writer, thought, event), hasEnded: true }
  // The encrypted value comes before the end of the span.
  if (thought.span === null) completeThought(writer, ended)
  else writer.setItem('thoughts', messageId, ended)
}

export function readSpanEnd(writer: RunWriter, event: AgUiReasoningEnd): void {
  const span = continuedItem(writer, 'spans', event.messageId, event)
  if (span === undefined) dropUnstarted(writer, 'REASONING_START', event.messageId, event.type)
  else endSpan(writer, withMetadata(writer, span, event))
}

/** Stores an encrypted value with the thought or span it belongs to. Returns whether there is one. */
export function storeSignature(writer: RunWriter, event: AgUiReasoningEncryptedValue): boolean {
  const { entityId: id, encryptedValue: signature, metadata } = event
  const more = { metadata: { ...metadata, signature } }
  const thought = continuedItem(writer, 'thoughts', id, event)
  if (thought !== undefined) writer.setItem('thoughts', id, withMetadata(writer, thought, more))
  const span = thought === undefined ? continuedItem(writer, 'spans', id, event) : undefined
  if (span !== undefined) writer.setItem('spans', id, withMetadata(writer, span, more))
  return (thought ?? span) !== undefined
}

/**
 * Ends the reasoning of a task.
 *
 * @param keepsOpen - Whether messages that have not ended, and their spans, stay open.
 * @returns The messages that stay open.
 */
export function endThoughts(writer: RunWriter, owner: string, keepsOpen = false): OpenThought[] {
  const thoughtsIn = (hasEnded: boolean, span: string | null): OpenThought[] =>
    writer.itemsOf('thoughts', thoughtGroup(hasEnded, span, owner)).map(([, thought]) => thought)
  const open: OpenThought[] = []
  for (const [key, span] of writer.itemsOf('spans', owner)) {
    const unended = keepsOpen ? thoughtsIn(false, key) : []
    open.push(...unended)
    if (unended.length > 0) for (const ended of thoughtsIn(true, key)) completeThought(writer, ended)
    else {
      inferEnd(writer, 'REASONING_END', key)
      endSpan(writer, span)
    }
  }
  const others = thoughtsIn(false, null)
  if (keepsOpen) return [...open, ...others]
  for (const thought of others) completeThought(writer, thought)
  return open
}

/** Completes the thoughts of a span. An encrypted value without any text is a thought of its own. */
function endSpan(writer: RunWriter, span: OpenSpan): void {
  const { key, owner, metadata, outer } = span
  writer.deleteItem('spans', key)
  const task = writer.item('tasks', owner)
  if (task?.span === key) {
    const isOpen = outer !== null && writer.item('spans', outer) !== undefined
    writer.setItem('tasks', owner, { ...task, span: isOpen ? outer : null })
  }
  const thoughts = [true, false].flatMap((hasEnded) =>
    writer.itemsOf('thoughts', thoughtGroup(hasEnded, key, owner)),
  )
  const last = thoughts.at(-1)?.[1]
  for (const [, thought] of thoughts) {
    completeThought(writer, thought === last ? ofSpan(writer, span, thought) : thought)
  }
  if (last !== undefined || metadata === null) return
  const isRedacted = typeof metadata.signature === 'string' && metadata.redacted === undefined
  const id = uniqueId(writer, 'thought', key)
  emitThought(writer, span, id, '', { ...metadata, ...(isRedacted && { redacted: true }) })
}

/** The last thought of a span, with the metadata of the span, and its id if its encrypted value names it. */
function ofSpan(writer: RunWriter, { key, metadata }: OpenSpan, thought: OpenThought): OpenThought {
  if (metadata === null) return thought
  const isOther = metadata.signature !== undefined && key !== thought.key
  const own = { ...thought.metadata, ...(isOther && { reasoningId: key }) }
  return withMetadata(writer, { ...thought, metadata }, { metadata: own })
}

function completeThought(writer: RunWriter, thought: OpenThought): void {
  const { key, id, text, metadata, hasEnded } = thought
  writer.deleteItem('thoughts', key)
  if (!hasEnded) inferEnd(writer, 'REASONING_MESSAGE_END', key)
  if (text !== '' || metadata !== null) emitThought(writer, thought, id, text, metadata)
}

function emitThought(
  writer: RunWriter,
  of: OpenSpan | OpenThought,
  thoughtId: string,
  content: string,
  stated: Metadata | null,
): void {
  const { key: id, owner, iteration } = of
  const index = writer.item('tasks', owner)?.thoughts ?? 0
  const draft = { kind: 'thought-stream', thoughtId, ...LABELS, ...iterationOf(of), content, index } as const
  emitWith(writer, draft, of, stated)
  addMessage(writer, { type: 'thought', id, owner, iteration, itemId: thoughtId }, content)
  countItem(writer, of, { thoughts: index + 1 })
}
