/** Following what is numbered in a stream, to know which deltas are where they should be. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { keyOf } from '../collections/context-key.ts'
import type { Numbered } from '../delta.ts'
import { isEnded } from '../view/view.ts'

/** How a file's chunks are written. `unknown`: its first chunk was not seen. */
export type Encoding = 'utf-8' | 'base64' | 'unknown'

/** An event together with what is known of the series it is in. */
export interface Placed {
  readonly event: Numbered
  readonly encoding: Encoding
}

interface Series {
  readonly kind: string
  readonly next: number
  readonly encoding: Encoding
}

/** Reads events in order, and finds those that are the next of their series. */
export class SeriesReader {
  /** `closed`: nothing may follow. */
  readonly #series = new Map<string, Series | 'closed'>()
  readonly #ended = new Set<string>()

  /** The event in its place; `undefined` when it is in no series, or not where it should be. */
  read(event: ContextAnyEvent): Placed | undefined {
    const task = keyOf(event.contextId, event.taskId)
    if ((event.kind === 'task-status' && isEnded(event.status)) || event.kind === 'task-complete') {
      this.#ended.add(task)
    }
    const closed = closedBy(event)
    if (closed !== undefined) this.#series.set(`${task} ${closed}`, 'closed')
    if (event.kind === 'content-complete') this.#series.delete(`${task} text`)
    if (event.kind === 'data-write') {
      const key = `artifact ${keyOf(event.contextId, event.artifactId)}`
      if (!this.#series.has(key)) this.#series.set(key, 'closed')
    }
    const name = seriesOf(event)
    if (name === undefined) return undefined
    const isArtifact = event.kind === 'file-write' || event.kind === 'dataset-write'
    // An artifact is the context's, and any task may write to it.
    const key = isArtifact ? `artifact ${keyOf(event.contextId, event.artifactId)}` : `${task} ${name}`
    return this.#place(key, event as Numbered, this.#ended.has(task))
  }

  #place(key: string, event: Numbered, isOver: boolean): Placed | undefined {
    const before = this.#series.get(key)
    const { kind, index, indexEnd = index } = event
    if (before === 'closed' || (before !== undefined && before.kind !== kind)) return undefined
    // Other kinds may have a field `complete` that is somebody's own.
    const isChunk = kind === 'file-write' || kind === 'dataset-write'
    const isFirst = index === 0 && kind === 'file-write'
    const encoding = isFirst ? (event.encoding ?? 'utf-8') : (before?.encoding ?? 'unknown')
    const isFresh = index === 0 && isChunk
    const next = isFresh ? 0 : before?.next
    const isRepeated = next !== undefined && indexEnd < next
    if (!isRepeated) {
      const isLast = isChunk && event.complete
      this.#series.set(key, { kind, next: isLast ? 0 : Math.max(index, indexEnd) + 1, encoding })
    }
    // Nobody knows where a series stands of which nothing was seen.
    const isSound = (next === undefined || next === index) && indexEnd >= index && !isOver
    return isSound ? { event, encoding } : undefined
  }
}

/** Which series of its task an event is in, or of its context; `undefined` when it is in none. */
function seriesOf(event: ContextAnyEvent): string | undefined {
  switch (event.kind) {
    case 'content-delta':
      return 'text'
    case 'thought-delta':
      return `thought ${event.thoughtId}`
    case 'tool-arguments-delta':
      return `arguments ${event.toolCallId}`
    case 'file-write':
      return `file ${event.artifactId}`
    case 'dataset-write':
      return `dataset ${event.artifactId}`
    default:
      return undefined
  }
}

/** The series an event is the end of, for good. */
function closedBy(event: ContextAnyEvent): string | undefined {
  switch (event.kind) {
    case 'thought-stream':
      return `thought ${event.thoughtId}`
    case 'tool-start':
    case 'tool-progress':
    case 'tool-complete':
      return `arguments ${event.toolCallId}`
    default:
      return undefined
  }
}

/** Whether one event goes on where another ends: same task, same series, next index. */
export function readsOn(a: Numbered, b: Numbered): boolean {
  return (
    seriesOf(a) === seriesOf(b) &&
    b.index === (a.indexEnd ?? a.index) + 1 &&
    a.contextId === b.contextId &&
    a.taskId === b.taskId &&
    a.parentTaskId === b.parentTaskId &&
    isSamePath(a.path, b.path)
  )
}

function isSamePath(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a?.length === b?.length && a?.every((name, i) => name === b?.[i]) === true)
}
