/**
 * The thoughts of a response. One is streamed at a time: the text of those that start before it ends waits, as deltas
 * belong to the thought that is open.
 */

import type { Mutable } from '../../core/mutable.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ThoughtStreamMetadata, ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'
import { contentOf, grow, type ModelText, noText, settle } from './growing.ts'
import { hasRoom, hasSpace, keep, sizeOf } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import { edit, findOpen, type ThoughtState } from './state.ts'

/** A thought, to be changed in the step that is running. */
type Thought = Mutable<ThoughtState>

/** What kind of thought it is. */
export interface ThoughtLabels {
  readonly thoughtType?: ThoughtType | undefined
  readonly verbosity?: ThoughtVerbosity | undefined
}

/** Appends text to the open thought with a key, or to a new one. An empty piece opens it. */
export function addThought(
  writer: ModelWriter,
  key: string,
  piece: string,
  labels: ThoughtLabels = {},
): void {
  const thought = openThought(writer, key, labels, piece.length)
  if (thought === undefined) return
  write(thought, grow(thought.text, keep(writer, piece)))
  flushThoughts(writer)
}

/**
 * Adds metadata, such as the signature that the provider wants back, to the open thought with a key, or to a new
 * one without text.
 */
export function describeThought(writer: ModelWriter, key: string, metadata: ThoughtStreamMetadata): void {
  const thought = openThought(writer, key, {})
  if (thought === undefined) return
  const known = thought.metadata
  const next = { ...known, ...metadata }
  // Without its signature, it cannot be sent back.
  const isKept = hasSpace(writer, sizeOf(next) - sizeOf(known))
  thought.metadata = isKept ? next : { ...known, complete: false }
}

/** Ends the open thought with a key, if there is one. */
export function endThought(writer: ModelWriter, key: string, isComplete = true): void {
  const thought = findOpen(writer.state.thoughts, key, 'open')
  if (thought === undefined) return
  end(writer, thought, isComplete)
  flushThoughts(writer)
}

/** Ends all open thoughts. */
export function endThoughts(writer: ModelWriter, isComplete = true): void {
  for (const thought of writer.state.thoughts) if (thought.status === 'open') end(writer, thought, isComplete)
  flushThoughts(writer)
}

function openThought(
  writer: ModelWriter,
  key: string,
  labels: ThoughtLabels,
  length = 0,
): Thought | undefined {
  const { thoughts } = writer.state
  const open = findOpen(thoughts, key, 'open')
  if (open !== undefined) return edit(writer.state, 'thoughts', open)
  if (!hasRoom(writer, thoughts, 'thought', length)) return undefined
  const { thoughtType = 'reasoning', verbosity = 'normal' } = labels
  const text = noText
  const thought: Thought = {
    key,
    text,
    waiting: '',
    thoughtType,
    verbosity,
    metadata: {},
    status: 'open',
  }
  writer.state.thoughts = [...thoughts, thought]
  return thought
}

function write(thought: Thought, [text, added]: [next: ModelText, added: string]): void {
  thought.text = text
  thought.waiting += added
}

function end(writer: ModelWriter, open: ThoughtState, isComplete: boolean): void {
  const thought = edit(writer.state, 'thoughts', open)
  write(thought, settle(thought.text))
  thought.status = 'ended'
  if (!isComplete) thought.metadata = { ...thought.metadata, complete: false }
}

/** Emits what no longer waits: the deltas of the first open thought, and the thoughts that ended before it. */
function flushThoughts(writer: ModelWriter): void {
  for (const thought of writer.state.thoughts) {
    const { waiting, status, text, thoughtType, verbosity, metadata } = thought
    if (status === 'done') continue
    const content = contentOf(text)
    const isStreamed = status === 'open' || content.length > waiting.length
    if (waiting !== '' && isStreamed) {
      writer.emit({ kind: 'thought-delta', delta: waiting, thoughtType, verbosity })
    }
    const next = edit(writer.state, 'thoughts', thought)
    next.waiting = ''
    if (status === 'open') return
    next.status = 'done'
    const draft: EventDraft = { kind: 'thought-stream', thoughtType, verbosity, content }
    if (content === '' && metadata.signature === undefined) continue
    if (Object.keys(metadata).length > 0) draft.metadata = copyMetadata(metadata)
    writer.emit(draft)
  }
}

/** A copy that shares nothing with the state. */
function copyMetadata(metadata: ThoughtStreamMetadata): ThoughtStreamMetadata {
  const { alternatives } = metadata
  return alternatives === undefined ? { ...metadata } : { ...metadata, alternatives: [...alternatives] }
}
