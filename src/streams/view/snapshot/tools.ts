/** The events of the tool calls of a task, for a snapshot. */

import type { Metadata } from '../../../events/metadata.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { askedAbout, unstartedStatus } from '../fold/reduce/tool-approval.ts'
import type { ToolPart } from '../parts.ts'
import type { TaskView } from '../view.ts'
import { rangeOf } from './range.ts'
import { iterationOf, type TaskWriter, type Untimed } from './task-writer.ts'

type Write = (event: Untimed) => void

/** Writes the tool calls of one task. */
export class ToolSerializer {
  /** The last error of each call. A call has not ended before it. */
  readonly #lastErrors = new Map<string, number>()
  /** The last request to approve each call. One that has not started has not ended before it. */
  readonly #lastRequests = new Map<string, number>()
  /** How to end calls, by the position of the part after which they end. */
  readonly #ends = new Map<number, (() => void)[]>()
  readonly #task: TaskView

  constructor({ task }: TaskWriter) {
    this.#task = task
    for (const [position, part] of task.parts.entries()) {
      if (part.type === 'error' && part.error.toolCallId !== undefined) {
        this.#lastErrors.set(part.error.toolCallId, position)
      }
      const id = part.type === 'input' ? askedAbout(part) : undefined
      if (id !== undefined) this.#lastRequests.set(id, position)
    }
  }

  /** Writes the call at a position. */
  write(part: ToolPart, position: number, write: Write): void {
    writeArguments(part, write)
    writeProgress(part, write)
    const isUnstarted = unstartedStatus(part) !== undefined
    if (isUnstarted ? !this.#isEnded(part) : part.status !== 'succeeded' && part.status !== 'failed') return
    const last = Math.max(
      this.#lastErrors.get(part.toolCallId) ?? -1,
      isUnstarted ? (this.#lastRequests.get(part.toolCallId) ?? -1) : -1,
    )
    const complete = (): void => write(completionOf(part))
    if (last <= position) complete()
    else if (this.#ends.get(last)?.push(complete) === undefined) this.#ends.set(last, [complete])
  }

  /** Whether a call that has not started has an end besides that of the request about it. */
  #isEnded({ status, approval, error, metadata }: ToolPart): boolean {
    if (error !== undefined || metadata !== undefined) return true
    const wasOpen = approval?.status === 'waiting' || approval?.status === 'approved'
    return status === 'canceled' && wasOpen && !isTerminalStatus(this.#task.status)
  }

  /** Ends the calls that end after the part at a position. */
  complete(position: number): void {
    for (const complete of this.#ends.get(position) ?? []) complete()
  }
}

function writeArguments(part: ToolPart, write: Write): void {
  const { toolCallId, toolName, argumentsComplete, argumentsText } = part
  if (toolName === undefined) return
  const isUnstarted = unstartedStatus(part) !== undefined
  if (argumentsComplete === true && !isUnstarted) {
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
  // Whole arguments come with the request to approve them.
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
  if (argumentsComplete !== true || unstartedStatus({ status }) !== undefined) return { end: metadata }
  const entries = Object.entries(metadata)
  const end = isEnded ? entries.filter(([key]) => END_KEYS.has(key)) : []
  if (end.length === 0) return { start: metadata }
  if (end.length === entries.length) return { end: metadata }
  const start = entries.filter(([key]) => !END_KEYS.has(key))
  return { start: Object.fromEntries(start), end: Object.fromEntries(end) }
}
