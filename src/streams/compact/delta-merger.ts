/** Merging consecutive deltas into one event. */

import { appendBase64, type Base64Pieces, isBase64, isJoinable } from '../../encoding/base64.ts'
import type { DatasetWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import { isEqualJson } from '../../json/value.ts'
import { type DeltaEvent, lastTimestamp } from '../delta.ts'
import { type Encoding, isContinuation, type TrackedDelta } from './series-tracker.ts'

const contextFields = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']
const deltaFields = [...contextFields, 'timestampEnd', 'index', 'indexEnd']
/** Fields of the first chunk of an artifact. Later chunks may repeat them. */
const headFields = ['name', 'description', 'mimeType', 'encoding', 'schema', 'metadata']
const chunkFields = [...deltaFields, ...headFields, 'artifactId', 'complete', 'version']

/** The fields that can be merged. */
const knownFields: Readonly<Record<DeltaEvent['kind'], ReadonlySet<string>>> = {
  'content-delta': new Set([...deltaFields, 'delta', 'contentId']),
  'thought-delta': new Set([...deltaFields, 'delta', 'thoughtId', 'thoughtType', 'verbosity']),
  'tool-arguments-delta': new Set([...deltaFields, 'delta', 'toolCallId', 'toolName']),
  'file-write': new Set([...chunkFields, 'data', 'digest']),
  'dataset-write': new Set([...chunkFields, 'rows']),
}

/**
 * A delta and those merged into it. Bytes and rows are joined only when the event is read, so that a file
 * of many chunks is not decoded again with each.
 */
export class DeltaMerger {
  #event: DeltaEvent
  /** The data of the last chunk. */
  #lastData: string
  /** The bytes so far. `undefined` if it is no file of bytes, or nothing was merged yet. */
  #bytes: Base64Pieces | undefined
  /** The rows so far, in an array of its own. `undefined` if it is no dataset, or nothing was merged yet. */
  #rows: Record<string, unknown>[] | undefined

  constructor(event: DeltaEvent) {
    this.#event = event
    this.#lastData = event.kind === 'file-write' ? event.data : ''
  }

  /** The merged event; the input object if nothing was merged into it. */
  get event(): DeltaEvent {
    const event = this.#event
    if (event.kind === 'file-write' && this.#bytes !== undefined) {
      return { ...event, data: this.#bytes.base64 + (this.#bytes.rest ?? '') }
    }
    if (event.kind === 'dataset-write' && this.#rows !== undefined) return { ...event, rows: this.#rows }
    return event
  }

  /** Merges a delta if nothing is lost. Returns whether it did. */
  tryMerge({ event: b, encoding }: TrackedDelta): boolean {
    const a = this.#event
    if (!isContinuation(a, b) || !hasOnlyKnownFields(a) || !hasOnlyKnownFields(b)) return false
    const { timestampEnd: _, ...start } = a
    const end = lastTimestamp(b)
    const range = { indexEnd: b.indexEnd ?? b.index, ...(end === a.timestamp ? {} : { timestampEnd: end }) }
    if ('delta' in start && 'delta' in b) {
      if ('toolName' in a && 'toolName' in b && a.toolName !== b.toolName) return false
      if (!hasSameLabels(a, b)) return false
      this.#event = { ...start, ...range, delta: start.delta + b.delta }
      return true
    }
    if ('data' in start && 'data' in b && hasSameArtifactHead(start, b)) {
      const data = this.#joinData(start.data, b.data, encoding)
      if (data === undefined) return false
      this.#event = { ...start, ...range, ...artifactTail(b), data }
      this.#lastData = b.data
      return true
    }
    if ('rows' in start && 'rows' in b && hasSameArtifactHead(start, b)) {
      this.#rows ??= [...start.rows]
      for (const row of b.rows) this.#rows.push(row)
      this.#event = { ...start, ...range, ...artifactTail(b) }
      return true
    }
    return false
  }

  /** Joins text. Collects bytes, and returns the data so far. `undefined` if they cannot be joined. */
  #joinData(a: string, b: string, encoding: Encoding): string | undefined {
    switch (encoding) {
      case 'utf-8':
        return a + b
      case 'unknown':
        // All chunks before the last one were joinable.
        return isJoinable(this.#lastData) && isBase64(b) ? a + b : undefined
      case 'base64': {
        const before = this.#bytes ?? appendBase64({ base64: '' }, a)
        const bytes = before && appendBase64(before, b)
        if (bytes !== undefined) this.#bytes = bytes
        return bytes && a
      }
    }
  }
}

function hasOnlyKnownFields(event: DeltaEvent): boolean {
  return Object.keys(event).every((name) => knownFields[event.kind].has(name))
}

/** Whether two deltas are shown to the same viewers. Always, unless they are deltas of a thought. */
function hasSameLabels(a: DeltaEvent, b: DeltaEvent): boolean {
  if (a.kind !== 'thought-delta' || b.kind !== 'thought-delta') return true
  return a.thoughtType === b.thoughtType && a.verbosity === b.verbosity
}

type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>

/** Whether the second chunk of a write changes nothing that the first one states about the artifact. */
function hasSameArtifactHead(a: Chunk, b: Chunk): boolean {
  const first: Partial<Record<string, unknown>> = { ...a }
  const second: Partial<Record<string, unknown>> = { ...b }
  return (
    first.digest === undefined &&
    headFields.every((name) => second[name] === undefined || isEqualJson(second[name], first[name]))
  )
}

/** The fields of a merged event that come from the last chunk. */
function artifactTail(b: Chunk): { complete: boolean; version?: number; digest?: string } {
  const { complete, version } = b
  const digest = 'digest' in b ? b.digest : undefined
  return {
    complete,
    ...(version === undefined ? {} : { version }),
    ...(digest === undefined ? {} : { digest }),
  }
}
