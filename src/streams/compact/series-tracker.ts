/** Tracking the series of deltas in a stream, to find those with the expected index. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../collections/context-key.ts'
import type { DeltaEvent } from '../delta.ts'

/** How the chunks of a file are encoded. `unknown` if the first chunk was not seen. */
export type Encoding = 'utf-8' | 'base64' | 'unknown'

/** A delta with the expected index of its series. */
export interface TrackedDelta {
  readonly event: DeltaEvent
  readonly encoding: Encoding
}

interface Series {
  readonly kind: string
  readonly nextIndex: number
  readonly encoding: Encoding
}

/** Finds the deltas that continue their series. */
export class SeriesTracker {
  /** By key; `closed` if no delta may follow. */
  readonly #series = new Map<string, Series | 'closed'>()
  readonly #endedTasks = new Set<string>()

  /** Tracks the next event. `undefined` if it is no delta, or does not continue its series. */
  track(event: ContextAnyEvent): TrackedDelta | undefined {
    const task = contextKey(event.contextId, event.taskId)
    if (endsTask(event)) this.#endedTasks.add(task)
    const closed = closedSeries(event)
    if (closed !== undefined) this.#series.set(`${task} ${closed}`, 'closed')
    if (event.kind === 'content-complete') this.#series.delete(`${task} ${textSeries(event)}`)
    if (event.kind === 'data-write') {
      const key = `artifact ${contextKey(event.contextId, event.artifactId)}`
      if (!this.#series.has(key)) this.#series.set(key, 'closed')
    }
    const name = seriesOf(event)
    if (name === undefined) return undefined
    const isArtifact = event.kind === 'file-write' || event.kind === 'dataset-write'
    // An artifact belongs to the context: any task may write to it.
    const key = isArtifact ? `artifact ${contextKey(event.contextId, event.artifactId)}` : `${task} ${name}`
    return this.#advance(key, event as DeltaEvent, this.#endedTasks.has(task))
  }

  #advance(key: string, event: DeltaEvent, hasTaskEnded: boolean): TrackedDelta | undefined {
    const series = this.#series.get(key)
    const { kind, index, indexEnd = index } = event
    if (series === 'closed' || (series !== undefined && series.kind !== kind)) return undefined
    const isFirstOfFile = index === 0 && kind === 'file-write'
    const encoding = isFirstOfFile ? (event.encoding ?? 'utf-8') : (series?.encoding ?? 'unknown')
    // On other kinds, `complete` is an unknown field.
    const isChunk = kind === 'file-write' || kind === 'dataset-write'
    const expected = index === 0 && isChunk ? 0 : series?.nextIndex
    const isRepeated = expected !== undefined && indexEnd < expected
    if (!isRepeated) {
      const isLast = isChunk && event.complete
      const nextIndex = isLast ? 0 : Math.max(index, indexEnd) + 1
      this.#series.set(key, { kind, nextIndex, encoding })
    }
    // Of a series that was not seen before, any index may be the next one.
    const isNext = (expected === undefined || expected === index) && indexEnd >= index
    return isNext && !hasTaskEnded ? { event, encoding } : undefined
  }
}

function endsTask(event: ContextAnyEvent): boolean {
  return event.kind === 'task-complete' || (event.kind === 'task-status' && isTerminalStatus(event.status))
}

/** The series of a delta within its task or context; `undefined` if it is no delta. */
function seriesOf(event: ContextAnyEvent): string | undefined {
  switch (event.kind) {
    case 'content-delta':
      return textSeries(event)
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

/** The series of a text. No id is empty, so that of the text without one differs from all others. */
function textSeries({ contentId = '' }: { contentId?: string }): string {
  return `text ${contentId}`
}

/** The series that an event closes for good. */
function closedSeries(event: ContextAnyEvent): string | undefined {
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

/** Whether one delta continues another: same task, same series, next index. */
export function isContinuation(a: DeltaEvent, b: DeltaEvent): boolean {
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
