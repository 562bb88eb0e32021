/**
 * The thoughts of a response. One is streamed at a time: the text of those that start before it ends waits, as deltas
 * belong to the thought that is open.
 */

import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ThoughtStreamMetadata, ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'
import { contentOf, grow, noText, settle } from './growing.ts'
import { hasRoom, hasSpace, keep, sizeOf } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import { findOpen, type ThoughtState, withItem } from './state.ts'

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
  const at = openThought(writer, key, labels, piece.length)
  if (at === -1) return
  append(writer, at, keep(writer, piece))
  flushThoughts(writer)
}

/**
 * Adds metadata, such as the signature that the provider wants back, to the open thought with a key, or to a new
 * one without text.
 */
export function describeThought(writer: ModelWriter, key: string, metadata: ThoughtStreamMetadata): void {
  const at = openThought(writer, key, {})
  const known = writer.state.thoughts[at]?.metadata
  if (known === undefined) return
  const next = { ...known, ...metadata }
  // Without its signature, it cannot be sent back.
  const isKept = hasSpace(writer, sizeOf(next) - sizeOf(known))
  change(writer, at, { metadata: isKept ? next : { ...known, complete: false } })
}

/** Ends the open thought with a key, if there is one. */
export function endThought(writer: ModelWriter, key: string, isComplete = true): void {
  const at = findOpen(writer.state.thoughts, key, 'open')
  if (at === -1) return
  end(writer, at, isComplete)
  flushThoughts(writer)
}

/** Ends all open thoughts. */
export function endThoughts(writer: ModelWriter, isComplete = true): void {
  const { thoughts } = writer.state
  for (const [at, { status }] of thoughts.entries()) if (status === 'open') end(writer, at, isComplete)
  flushThoughts(writer)
}

function openThought(writer: ModelWriter, key: string, labels: ThoughtLabels, length = 0): number {
  const { thoughts } = writer.state
  const at = findOpen(thoughts, key, 'open')
  if (at !== -1 || !hasRoom(writer, thoughts, 'thought', length)) return at
  const { thoughtType = 'reasoning', verbosity = 'normal' } = labels
  const text = noText
  const thought: ThoughtState = {
    key,
    text,
    waiting: '',
    thoughtType,
    verbosity,
    metadata: {},
    status: 'open',
  }
  writer.state.thoughts = [...thoughts, thought]
  return thoughts.length
}

function append(writer: ModelWriter, at: number, piece: string): void {
  const thought = writer.state.thoughts[at] as ThoughtState
  const [text, added] = grow(thought.text, piece)
  change(writer, at, { text, waiting: thought.waiting + added })
}

function end(writer: ModelWriter, at: number, isComplete: boolean): void {
  const { text: before, waiting, metadata } = writer.state.thoughts[at] as ThoughtState
  const [text, added] = settle(before)
  change(writer, at, {
    text,
    waiting: waiting + added,
    status: 'ended',
    metadata: isComplete ? metadata : { ...metadata, complete: false },
  })
}

/** Emits what no longer waits: the deltas of the first open thought, and the thoughts that ended before it. */
function flushThoughts(writer: ModelWriter): void {
  for (let at = 0; at < writer.state.thoughts.length; at++) {
    const thought = writer.state.thoughts[at] as ThoughtState
    const { waiting, status, text, thoughtType, verbosity, metadata } = thought
    if (status === 'done') continue
    const content = contentOf(text)
    const isStreamed = status === 'open' || content.length > waiting.length
    if (waiting !== '' && isStreamed) {
      writer.emit({ kind: 'thought-delta', delta: waiting, thoughtType, verbosity })
    }
    change(writer, at, { waiting: '', status: status === 'ended' ? 'done' : status })
    if (status === 'open') return
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

function change(writer: ModelWriter, at: number, changes: Partial<ThoughtState>): void {
  const { thoughts } = writer.state
  writer.state.thoughts = withItem(thoughts, at, { ...(thoughts[at] as ThoughtState), ...changes })
}
