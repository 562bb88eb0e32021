/** Collecting the messages of one reset. */

import type { Forgotten } from '../../forgotten.ts'
import { type AnyStreamEvent, cursorAfter, type Reset } from '../batch.ts'
import { formatEventId } from '../cursor.ts'
import type { ResetMessage } from './stream-messages.ts'

/** The messages of a reset so far. Plain JSON, never changed in place. */
export interface ResetParts {
  /** Where the reset leads, as an event id: all its messages have the same. */
  readonly id: string
  /** Number of the next message. */
  readonly next: number
  /** Size of the messages so far, in UTF-16 code units. */
  readonly size: number
  /**
   * The events in blocks, each larger than all after it together: adding one copies few of the others. Omitted if the
   * server has no snapshot, or it is too large.
   */
  readonly blocks?: readonly (readonly AnyStreamEvent[])[]
  /** Set if a message is missing: the reset is dropped, and its other messages are skipped. Omitted otherwise. */
  readonly dropped?: true
}

/** Why a reset is dropped, or emitted without its events. */
export type ResetFault = 'incomplete-reset' | 'snapshot-too-large'

/**
 * Adds a message to those before it.
 *
 * @param events - The valid events of the message. Omitted if it has none.
 * @param size - The size of the message.
 */
export function addPart(
  before: ResetParts | undefined,
  { head, part }: ResetMessage,
  events: readonly AnyStreamEvent[] | undefined,
  size: number,
  maxSize: number,
): { readonly parts: ResetParts; readonly fault?: ResetFault } {
  const id = formatEventId(cursorAfter(head))
  const isNext = part === 0 || (before?.id === id && before.next === part)
  const previous: ResetParts | undefined = part === 0 ? undefined : before
  const total = (isNext ? (previous?.size ?? 0) : 0) + size
  const lost = { id, next: part + 1, size: total }
  if (!isNext) {
    // The messages after a missing one are reported with it.
    const isReported = before?.id === id && before.dropped === true
    return { parts: { ...lost, dropped: true }, ...(!isReported && { fault: 'incomplete-reset' }) }
  }
  if (previous?.dropped === true) return { parts: { ...lost, dropped: true } }
  if (previous !== undefined && previous.blocks === undefined) return { parts: lost }
  if (total > maxSize) return { parts: lost, fault: 'snapshot-too-large' }
  if (events === undefined) return { parts: lost }
  return { parts: { ...lost, blocks: addBlock(previous?.blocks ?? [], events) } }
}

function addBlock<T>(blocks: readonly (readonly T[])[], items: readonly T[]): readonly (readonly T[])[] {
  let start = blocks.length
  let size = items.length
  while (start > 0 && (blocks[start - 1]?.length ?? 0) <= size) size += blocks[--start]?.length ?? 0
  return [...blocks.slice(0, start), [...blocks.slice(start).flat(), ...items]]
}

/** The whole reset after its last message. */
export function completeReset(
  head: Reset<never>,
  { blocks }: ResetParts,
  forgotten: Forgotten | undefined,
): Reset<AnyStreamEvent> {
  return { ...head, ...(forgotten && { forgotten }), ...(blocks && { events: blocks.flat() }) }
}
