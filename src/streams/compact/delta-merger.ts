/** Making one event of several that follow one another. */

import { appendBase64, type Base64Pieces, isBase64, isJoinable } from '../../encoding/base64.ts'
import type { DatasetWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import { isEqualJson } from '../../json/value.ts'
import { lastTimestamp, type Numbered } from '../delta.ts'
import { type Encoding, type Placed, readsOn } from './series-tracker.ts'

const context = ['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']
const numbered = [...context, 'timestampEnd', 'index', 'indexEnd']
/** What only the first chunk says. A later one may repeat it. */
const first = ['name', 'description', 'mimeType', 'encoding', 'schema', 'metadata']
const chunk = [...numbered, ...first, 'artifactId', 'complete', 'version']

/** The fields that merging knows what to do with. */
const known: Readonly<Record<Numbered['kind'], ReadonlySet<string>>> = {
  'content-delta': new Set([...numbered, 'delta']),
  'thought-delta': new Set([...numbered, 'delta', 'thoughtId']),
  'tool-arguments-delta': new Set([...numbered, 'delta', 'toolCallId', 'toolName']),
  'file-write': new Set([...chunk, 'data', 'digest']),
  'dataset-write': new Set([...chunk, 'rows']),
}

/**
 * An event while those that go on where it ends are merged into it. What they carry is put together once,
 * in the end: a file of many chunks is decoded chunk by chunk, not anew with each.
 */
export class Merging {
  #event: Numbered
  /** The data of the last chunk that was merged. */
  #chunk: string
  /** The bytes so far. `undefined`: it is no file of bytes, or nothing was merged yet. */
  #bytes: Base64Pieces | undefined
  /** The rows so far, an array of its own. `undefined`: it is no dataset, or nothing was merged yet. */
  #rows: Record<string, unknown>[] | undefined

  constructor(event: Numbered) {
    this.#event = event
    this.#chunk = event.kind === 'file-write' ? event.data : ''
  }

  /** The event that says what all say; the very event that came in when nothing was merged into it. */
  get event(): Numbered {
    const event = this.#event
    if (event.kind === 'file-write' && this.#bytes !== undefined) {
      return { ...event, data: this.#bytes.base64 + (this.#bytes.rest ?? '') }
    }
    if (event.kind === 'dataset-write' && this.#rows !== undefined) return { ...event, rows: this.#rows }
    return event
  }

  /** Merges an event if that loses nothing, and says whether it did. */
  take({ event: b, encoding }: Placed): boolean {
    const a = this.#event
    if (!readsOn(a, b) || !hasOnlyKnown(a) || !hasOnlyKnown(b)) return false
    const { timestampEnd: _, ...start } = a
    const end = lastTimestamp(b)
    const range = { indexEnd: b.indexEnd ?? b.index, ...(end === a.timestamp ? {} : { timestampEnd: end }) }
    if ('delta' in start && 'delta' in b) {
      if ('toolName' in a && 'toolName' in b && a.toolName !== b.toolName) return false
      this.#event = { ...start, ...range, delta: start.delta + b.delta }
      return true
    }
    if ('data' in start && 'data' in b && isGoingOn(start, b)) {
      const data = this.#joinedData(start.data, b.data, encoding)
      if (data === undefined) return false
      this.#event = { ...start, ...range, ...ending(b), data }
      this.#chunk = b.data
      return true
    }
    if ('rows' in start && 'rows' in b && isGoingOn(start, b)) {
      this.#rows ??= [...start.rows]
      for (const row of b.rows) this.#rows.push(row)
      this.#event = { ...start, ...range, ...ending(b) }
      return true
    }
    return false
  }

  /** Text joined; bytes are kept apart until the end. */
  #joinedData(a: string, b: string, encoding: Encoding): string | undefined {
    switch (encoding) {
      case 'utf-8':
        return a + b
      case 'unknown':
        // Of those before, all could be joined to.
        return isJoinable(this.#chunk) && isBase64(b) ? a + b : undefined
      case 'base64': {
        const before = this.#bytes ?? appendBase64({ base64: '' }, a)
        const bytes = before && appendBase64(before, b)
        if (bytes !== undefined) this.#bytes = bytes
        return bytes && a
      }
    }
  }
}

function hasOnlyKnown(event: Numbered): boolean {
  return Object.keys(event).every((name) => known[event.kind].has(name))
}

type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>

/** Whether the second chunk, which is of the same write, says nothing new of the artifact itself. */
function isGoingOn(a: Chunk, b: Chunk): boolean {
  const before: Partial<Record<string, unknown>> = { ...a }
  const after: Partial<Record<string, unknown>> = { ...b }
  return (
    before.digest === undefined &&
    first.every((name) => after[name] === undefined || isEqualJson(after[name], before[name]))
  )
}

/** What the last chunk says of the write; what it leaves out is as it was. */
function ending(b: Chunk): { complete: boolean; version?: number; digest?: string } {
  const { version } = b
  const digest = 'digest' in b ? b.digest : undefined
  return {
    complete: b.complete,
    ...(version === undefined ? {} : { version }),
    ...(digest === undefined ? {} : { digest }),
  }
}
