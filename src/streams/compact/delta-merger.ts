/** Merging consecutive deltas into one event. */

import { appendBase64, type Base64Pieces, isBase64, isJoinable } from '../../encoding/base64.ts'
import { isEqualJson } from '../../json/value.ts'
import { type DeltaEvent, lastTimestamp } from '../delta.ts'
import { type Chunk, isChunk, isSameSeries, type TextDelta } from './series.ts'
import type { Encoding } from './series-tracker.ts'

/**
 * A delta and those merged into it. The merged event is made only when it is read, so that merging costs as much as
 * the delta, and not as what was merged before.
 */
export class DeltaMerger {
  readonly #first: DeltaEvent
  /** The last delta merged; the first one if there is none. */
  #last: DeltaEvent
  /** The latest version that a chunk states. */
  #version: number | undefined
  /** The text, or the data of a file, so far. */
  #text = ''
  /** The bytes so far. `undefined` if it is no file of bytes, or nothing was merged yet. */
  #bytes: Base64Pieces | undefined
  /** The rows so far, in an array of its own. `undefined` if nothing was merged yet. */
  #rows: Record<string, unknown>[] | undefined

  constructor(event: DeltaEvent) {
    this.#first = event
    this.#last = event
    if (event.kind === 'file-write') this.#text = event.data
    else if ('delta' in event) this.#text = event.delta
    if (isChunk(event)) this.#version = event.version
  }

  /** The merged event; the input object if nothing was merged into it. */
  get event(): DeltaEvent {
    const last = this.#last
    if (last === this.#first) return last
    const merged: DeltaEvent = { ...this.#first }
    merged.indexEnd = last.indexEnd ?? last.index
    const end = lastTimestamp(last)
    if (end === merged.timestamp) delete merged.timestampEnd
    else merged.timestampEnd = end
    if (isChunk(merged)) this.#setChunk(merged, last as Chunk)
    else merged.delta = this.#text
    return merged
  }

  /** Sets the fields of a merged chunk. */
  #setChunk(merged: Chunk, last: Chunk): void {
    merged.complete = last.complete
    if (this.#version !== undefined) merged.version = this.#version
    if (merged.kind === 'dataset-write') {
      if (this.#rows !== undefined) merged.rows = this.#rows
      return
    }
    merged.data = this.#bytes === undefined ? this.#text : this.#bytes.base64 + (this.#bytes.rest ?? '')
    if (last.kind === 'file-write' && last.digest !== undefined) merged.digest = last.digest
  }

  /** Merges a delta that continues its series, if nothing is lost. Returns whether it did. */
  tryMerge(event: DeltaEvent, encoding: Encoding): boolean {
    const last = this.#last
    if (event.index !== (last.indexEnd ?? last.index) + 1 || !isSameSeries(last, event)) return false
    if (!isSentAlike(last, event) || !hasOnlyKnownFields(event)) return false
    if (last === this.#first && !hasOnlyKnownFields(last)) return false
    if (isChunk(event) ? !this.#tryJoinChunk(event, encoding) : !this.#tryJoinText(event)) return false
    this.#last = event
    return true
  }

  #tryJoinText(event: TextDelta): boolean {
    const first = this.#first
    if (!hasSameLabels(first, event)) return false
    this.#text += event.delta
    return true
  }

  #tryJoinChunk(event: Chunk, encoding: Encoding): boolean {
    const first = this.#first as Chunk
    const last = this.#last as Chunk
    // A digest is that of the whole: nothing may be added.
    if (!hasSameHead(first, event) || (last.kind === 'file-write' && last.digest !== undefined)) return false
    if (event.kind === 'dataset-write') {
      this.#rows ??= [...(first as typeof event).rows]
      for (const row of event.rows) this.#rows.push(row)
    } else if (!this.#tryJoinData((last as typeof event).data, event.data, encoding)) return false
    this.#version = event.version ?? this.#version
    return true
  }

  #tryJoinData(last: string, data: string, encoding: Encoding): boolean {
    if (encoding === 'base64') {
      const before = this.#bytes ?? appendBase64({ base64: '' }, this.#text)
      const bytes = before && appendBase64(before, data)
      if (bytes !== undefined) this.#bytes = bytes
      return bytes !== undefined
    }
    // All chunks before the last one were joinable.
    if (encoding === 'unknown' && !(isJoinable(last) && isBase64(data))) return false
    this.#text += data
    return true
  }
}

/** Whether two deltas have the same place in the tree of tasks. */
function isSentAlike(a: DeltaEvent, b: DeltaEvent): boolean {
  return a.parentTaskId === b.parentTaskId && isEqualJson(a.path, b.path)
}

/** Whether two deltas are of the same model response, name the same tool, and are shown to the same viewers. */
function hasSameLabels(a: DeltaEvent, b: TextDelta): boolean {
  if (isChunk(a) || a.iteration !== b.iteration) return false
  if (a.kind === 'tool-arguments-delta' && b.kind === a.kind) return a.toolName === b.toolName
  if (a.kind === 'thought-delta' && b.kind === a.kind) {
    return a.thoughtType === b.thoughtType && a.verbosity === b.verbosity
  }
  return true
}

/** Whether a later chunk of a write changes nothing that the first one states about the artifact. */
function hasSameHead(a: Chunk, b: Chunk): boolean {
  const first: Partial<Record<string, unknown>> = { ...a }
  const later: Partial<Record<string, unknown>> = { ...b }
  return headFields.every((name) => later[name] === undefined || isEqualJson(later[name], first[name]))
}

const contextFields = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']
const deltaFields = [...contextFields, 'timestampEnd', 'index', 'indexEnd']
/** Fields of a delta that a model wrote. */
const modelFields = [...deltaFields, 'delta', 'iteration']
/** Fields of the first chunk of an artifact. Later chunks may repeat them. */
const headFields = ['name', 'description', 'mimeType', 'encoding', 'schema', 'metadata'] as const
const chunkFields = [...deltaFields, ...headFields, 'artifactId', 'complete', 'version']

const knownFields: Readonly<Record<DeltaEvent['kind'], ReadonlySet<string>>> = {
  'content-delta': new Set([...modelFields, 'contentId']),
  'thought-delta': new Set([...modelFields, 'thoughtId', 'thoughtType', 'verbosity']),
  'tool-arguments-delta': new Set([...modelFields, 'toolCallId', 'toolName']),
  'file-write': new Set([...chunkFields, 'data', 'digest']),
  'dataset-write': new Set([...chunkFields, 'rows']),
}

/** Whether a delta has no fields that merging would lose. */
function hasOnlyKnownFields(event: DeltaEvent): boolean {
  const known = knownFields[event.kind]
  for (const name in event) if (!known.has(name)) return false
  return true
}
