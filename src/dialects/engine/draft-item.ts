/** The texts, thoughts and calls that a reader has begun: how their pieces become deltas. */

import { describeValue } from '../../core/require.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'
import { MAX_TEXT } from '../shared/limits.ts'
import type { Draft, DraftTask } from './draft.ts'

/** How far an item was read. */
export interface Piece {
  /** What was read of it, of a text since its last segment. */
  readonly text: string
  /** How many deltas that are: the index of the next one. */
  readonly deltas: number
}

/** A text or thought that is not complete, or the arguments of a call. */
export interface DraftItem extends Piece {
  /** Its `contentId`, `thoughtId` or `toolCallId`; `null` for the text without one. */
  readonly id: string | null
  /** The model response that it is part of; `null` if unknown. */
  readonly iteration: number | null
}

export interface DraftThought extends DraftItem {
  readonly id: string
  readonly thoughtType?: ThoughtType
  readonly verbosity?: ThoughtVerbosity
}

export interface DraftCall extends DraftItem {
  readonly id: string
  readonly toolName: string
}

/** What emits drafts: a step of a reader. */
interface Emitter {
  emitDraft(draft: Draft, task: DraftTask): void
}

/**
 * Emits a piece of a text. Returns how far the text is with it.
 *
 * @param complete - Ends the segment, as it would be too long with the piece.
 */
export function appendText<Writer extends Emitter, Text extends DraftItem>(
  writer: Writer,
  text: Text,
  delta: string,
  task: DraftTask,
  complete: (writer: Writer, text: Text) => void,
): Piece {
  if (text.deltas > 0 && text.text.length + delta.length > MAX_TEXT) {
    complete(writer, text)
    return appendText(writer, { ...text, text: '', deltas: 0 }, delta, task, complete)
  }
  const { id: contentId, deltas: index } = text
  writer.emitDraft(
    contentId === null
      ? { kind: 'content-delta', delta, index, ...iterationOf(text) }
      : { kind: 'content-delta', contentId, delta, index, ...iterationOf(text) },
    task,
  )
  return { text: text.text + delta, deltas: index + 1 }
}

/** Emits a piece of a thought. Returns how far the thought is with it. */
export function appendThought(writer: Emitter, thought: DraftThought, delta: string, task: DraftTask): Piece {
  const { id: thoughtId, thoughtType, verbosity, deltas: index } = thought
  const draft: Draft = { kind: 'thought-delta', thoughtId, delta, index, ...iterationOf(thought) }
  if (thoughtType !== undefined) draft.thoughtType = thoughtType
  if (verbosity !== undefined) draft.verbosity = verbosity
  writer.emitDraft(draft, task)
  return { text: thought.text + delta, deltas: index + 1 }
}

/** Emits a piece of the arguments of a call. Returns how far they are with it. */
export function appendArguments(writer: Emitter, call: DraftCall, delta: string, task: DraftTask): Piece {
  const { id: toolCallId, toolName, deltas: index } = call
  const of = { toolCallId, toolName, ...iterationOf(call) }
  writer.emitDraft({ kind: 'tool-arguments-delta', ...of, delta, index }, task)
  return { text: call.text + delta, deltas: index + 1 }
}

/** An item with a piece. A copy and assignments take a third of the time of a literal that spreads the item. */
export function withPiece<Item extends DraftItem>(item: Item, { text, deltas }: Piece): Item {
  const next: Item & { text: string; deltas: number } = { ...item }
  next.text = text
  next.deltas = deltas
  return next
}

/** The iteration of an item, as its events state it. */
export function iterationOf({ iteration }: { readonly iteration: number | null }): { iteration?: number } {
  return iteration === null ? {} : { iteration }
}

/** Reports a piece that comes without the start of its text or thought: that is inferred. */
export function inferStart(
  writer: Pick<StepBuilder<unknown, unknown>, 'inferred'>,
  start: string,
  key: string,
  type: string,
): void {
  writer.inferred(start, `Expected ${start} of ${describeValue(key)} first, got ${type}.`)
}

/** Reports an input about something that is not open: it has not started, or has ended. */
export function dropUnstarted(
  writer: Pick<StepBuilder<unknown, unknown>, 'dropped'>,
  start: string,
  key: string,
  type: string,
): void {
  writer.dropped(type, 'not-started', `Expected ${start} of ${describeValue(key)} first, got ${type}.`)
}
