/**
 * The turnstream extension: each event as a whole, in a transient chunk before the chunks it is mapped to.
 *
 *     { type: 'data-turnstream', transient: true, data: { event, chunks } }
 *
 * `chunks` is the number of chunks that follow and state the same; a reader of the extension skips them. Pages ignore
 * the chunk, and transient chunks are not kept in messages.
 */

import type { ContextAnyEvent } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { DataChunk, UiMessageChunk } from './types.ts'

/** The type of the chunks with events. */
export const EXTENSION_TYPE = 'data-turnstream'

/** An event, not validated, and how many of the next chunks it stands for. */
export interface CarriedEvent {
  /** Omitted for chunks at the end of the stream, which no event caused. */
  readonly event?: unknown
  readonly chunks: number
}

/** The chunk with an event. */
export function toExtension(event: ContextAnyEvent | undefined, chunks: number): DataChunk {
  const data = event === undefined ? { chunks } : { event, chunks }
  return { type: EXTENSION_TYPE, data, transient: true }
}

/** What a chunk carries; `undefined` if it has not this form. */
export function readExtension(chunk: UiMessageChunk): CarriedEvent | undefined {
  if (chunk.type !== EXTENSION_TYPE || !isFields(chunk.data)) return undefined
  const { event, chunks } = chunk.data
  return Number.isSafeInteger(chunks) && (chunks as number) >= 0
    ? { event, chunks: chunks as number }
    : undefined
}
