/** The texts and thoughts of a step, as far as they are needed to begin the step again. */

import { MAX_TEXT } from '../../shared/limits.ts'
import type { TextChunk, UiMessageChunk } from '../wire/types.ts'

/** A step with more chunks of texts is not sent again. */
const MAX_CHUNKS = 192

export function isTextChunk(chunk: UiMessageChunk): chunk is TextChunk {
  return 'id' in chunk && (chunk.type.startsWith('text-') || chunk.type.startsWith('reasoning-'))
}

/** Whether a chunk is no part of a step. */
export function isAside(chunk: UiMessageChunk): boolean {
  return (
    /^(message-metadata|reset-step)$/.test(chunk.type) || ('transient' in chunk && chunk.transient === true)
  )
}

/** Whether a chunk need not stay when the response that it is part of is discarded. */
export function isDiscardable({ type }: UiMessageChunk): boolean {
  return /^(tool-input-(start|delta|error)|source-url|source-document)$/.test(type)
}

function isSameText(a: TextChunk, b: TextChunk): boolean {
  return a.id === b.id && a.type[0] === b.type[0]
}

/** `null`: the step has other parts, or too many. */
export type StepChunks = readonly TextChunk[] | null

/** The chunks of a step with one more. The deltas of a text are one chunk. `null`: they are too many, or too long. */
export function withChunk(chunks: StepChunks, chunk: TextChunk): StepChunks {
  if (chunks === null || chunks.length >= MAX_CHUNKS) return null
  const at = 'delta' in chunk ? chunks.findLastIndex((known) => isSameText(known, chunk)) : -1
  const known = chunks[at]
  if (!('delta' in chunk) || known === undefined || !('delta' in known)) return [...chunks, chunk]
  if (known.delta.length + chunk.delta.length > MAX_TEXT) return null
  const next = chunks.slice()
  next[at] = { type: known.type, id: known.id, delta: known.delta + chunk.delta }
  return next
}

/** The chunks of a step with another text of one item; `undefined` if it is not among them. */
export function chunksAgain(
  chunks: StepChunks,
  type: 'text' | 'reasoning',
  id: string,
  content: string,
): TextChunk[] | undefined {
  const at = chunks?.findLastIndex((chunk) => chunk.type === `${type}-start` && chunk.id === id) ?? -1
  if (chunks === null || at < 0) return undefined
  const delta = { type: `${type}-delta`, id, delta: content } as const
  const after = chunks.slice(at + 1).filter((chunk) => !isSameText(chunk, delta))
  return [...chunks.slice(0, at + 1), ...(content === '' ? [] : [delta]), ...after]
}
