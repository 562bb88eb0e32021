/** The events of the tool calls of a task, for a snapshot. */

import type { Metadata } from '../../../events/metadata.ts'
import type { ToolPart } from '../parts.ts'
import { rangeOf } from './range.ts'
import { iterationOf, type TaskWriter, type Untimed } from './task-writer.ts'

type Write = (event: Untimed) => void

/** Writes the tool calls of one task. */
export class ToolSerializer {
  /** The last error of each call. A call has not ended before it. */
  readonly #lastErrors = new Map<string, number>()
  /** How to end calls, by the position of the part after which they end. */
  readonly #ends = new Map<number, () => void>()

  constructor({ task: { parts } }: TaskWriter) {
    for (const [position, part] of parts.entries()) {
      if (part.type === 'error' && part.error.toolCallId !== undefined) {
        this.#lastErrors.set(part.error.toolCallId, position)
      }
    }
  }

  /** Writes the call at a position. */
  write(part: ToolPart, position: number, write: Write): void {
    writeArguments(part, write)
    writeProgress(part, write)
    if (part.status !== 'succeeded' && part.status !== 'failed') return
    const lastError = this.#lastErrors.get(part.toolCallId) ?? -1
    if (lastError > position) this.#ends.set(lastError, () => write(completionOf(part)))
    else write(completionOf(part))
  }

  /** Ends the call whose last error is at a position. */
  complete(position: number): void {
    this.#ends.get(position)?.()
  }
}

function writeArguments(part: ToolPart, write: Write): void {
  const { toolCallId, toolName, argumentsComplete, argumentsText } = part
  if (toolName === undefined) return
  if (argumentsComplete === true) {
    const { start: metadata } = metadataOf(part)
    write({
      kind: 'tool-start',
      toolCallId,
      toolName,
      arguments: part.arguments ?? {},
      ...iterationOf(part),
      ...(metadata === undefined ? {} : { metadata }),
    })
    return
  }
  if (argumentsText === undefined) return
  write({
    kind: 'tool-arguments-delta',
    toolCallId,
    toolName,
    delta: argumentsText,
    ...iterationOf(part),
    ...rangeOf(part),
  })
}

/** Writes the latest progress, and the output of each stream. */
function writeProgress(part: ToolPart, write: Write): void {
  const { toolCallId, progress: latest, output = {} } = part
  if (latest === undefined) return
  const { progress, message, metadata } = latest
  const chunks = Object.keys(output).map((stream) => ({
    ...(stream === '' ? {} : { stream }),
    chunk: output[stream] ?? '',
  }))
  for (const chunk of chunks.slice(0, -1)) {
    write({ kind: 'tool-progress', toolCallId, progress, ...iterationOf(part), metadata: chunk })
  }
  const all = { ...metadata, ...chunks.at(-1) }
  write({
    kind: 'tool-progress',
    toolCallId,
    progress,
    ...iterationOf(part),
    ...(message === undefined ? {} : { message }),
    ...(Object.keys(all).length === 0 ? {} : { metadata: all }),
  })
}

function completionOf(part: ToolPart): Untimed {
  const { toolCallId, toolName = 'unknown', status, result, error } = part
  const { end: metadata } = metadataOf(part)
  return {
    kind: 'tool-complete',
    toolCallId,
    toolName,
    success: status === 'succeeded',
    ...iterationOf(part),
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/** The metadata that `tool-complete` defines. */
const END_KEYS: ReadonlySet<string> = new Set(['duration', 'cached', 'retries'])

/** The metadata of the `tool-start` of a call, and that of its end: what is not known to be of the end is of the start. */
function metadataOf({ metadata, argumentsComplete, status }: ToolPart): {
  readonly start?: Metadata
  readonly end?: Metadata
} {
  if (metadata === undefined) return {}
  const isEnded = status === 'succeeded' || status === 'failed'
  if (argumentsComplete !== true) return { end: metadata }
  const entries = Object.entries(metadata)
  const end = isEnded ? entries.filter(([key]) => END_KEYS.has(key)) : []
  if (end.length === 0) return { start: metadata }
  if (end.length === entries.length) return { end: metadata }
  const start = entries.filter(([key]) => !END_KEYS.has(key))
  return { start: Object.fromEntries(start), end: Object.fromEntries(end) }
}
