/** Tracking the series of deltas in a stream, to find those with the expected index. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import { contextKey } from '../context-key.ts'
import type { DeltaEvent } from '../delta.ts'
import { isChunk, isSameSeries, seriesIdOf } from './series.ts'

/** How the chunks of a file are encoded. `unknown` if the first chunk was not seen, or the deltas are of no file. */
export type Encoding = 'utf-8' | 'base64' | 'unknown'

interface Series {
  readonly kind: string
  nextIndex: number
  encoding: Encoding
}

/** Finds the deltas that continue their series. */
export class SeriesTracker {
  /** By key; `closed` if no delta may follow. */
  readonly #series = new Map<string, Series | 'closed'>()
  readonly #endedTasks = new Set<string>()
  /** The previous event if it continued its series, and that series: the next event is often of the same. */
  #latest: { readonly event: DeltaEvent; readonly series: Series } | undefined

  /** Tracks an event that is no delta: it may close series. */
  close(event: ContextAnyEvent): void {
    this.#latest = undefined
    const task = contextKey(event.contextId, event.taskId)
    if (isTaskEnd(event)) this.#endedTasks.add(task)
    switch (event.kind) {
      case 'content-complete':
        this.#series.delete(keyOf(task, 'content-delta', event.contentId ?? ''))
        break
      case 'thought-stream':
        this.#series.set(keyOf(task, 'thought-delta', event.thoughtId), 'closed')
        break
      case 'tool-start':
      case 'tool-progress':
      case 'tool-complete':
        this.#series.set(keyOf(task, 'tool-arguments-delta', event.toolCallId), 'closed')
        break
      case 'data-write': {
        const key = artifactKey(event.contextId, event.artifactId)
        if (!this.#series.has(key)) this.#series.set(key, 'closed')
      }
    }
  }

  /** Tracks a delta. Returns its encoding; `undefined` if it does not continue its series. */
  advance(event: DeltaEvent): Encoding | undefined {
    const latest = this.#latest
    if (latest !== undefined && isSameSeries(latest.event, event)) {
      if (isNext(latest.series.nextIndex, event)) return advanceTo(latest.series, event)
    }
    this.#latest = undefined
    const task = contextKey(event.contextId, event.taskId)
    const key = isChunk(event)
      ? artifactKey(event.contextId, event.artifactId)
      : keyOf(task, event.kind, seriesIdOf(event))
    const known = this.#series.get(key)
    if (known === 'closed' || (known !== undefined && known.kind !== event.kind)) return undefined
    const series = known ?? { kind: event.kind, nextIndex: 0, encoding: 'unknown' }
    // Of a series that was not seen before, any index may be the next one.
    const expected = isFirstChunk(event) ? 0 : known?.nextIndex
    const continues = isNext(expected, event)
    // A repeated delta changes nothing.
    if (expected === undefined || (event.indexEnd ?? event.index) >= expected) {
      advanceTo(series, event)
      this.#series.set(key, series)
    }
    if (!continues || this.#endedTasks.has(task)) return undefined
    this.#latest = { event, series }
    return series.encoding
  }
}

/** Whether a delta has the expected index. */
function isNext(expected: number | undefined, { index, indexEnd = index }: DeltaEvent): boolean {
  return (expected === undefined || expected === index) && indexEnd >= index
}

function isFirstChunk(event: DeltaEvent): boolean {
  return event.index === 0 && isChunk(event)
}

/** Moves a series to the end of a delta. Returns the encoding of the delta. */
function advanceTo(series: Series, event: DeltaEvent): Encoding {
  const { index, indexEnd = index } = event
  if (event.kind === 'file-write' && index === 0) series.encoding = event.encoding ?? 'utf-8'
  series.nextIndex = isChunk(event) && event.complete ? 0 : Math.max(index, indexEnd) + 1
  return series.encoding
}

function keyOf(task: string, kind: DeltaEvent['kind'], id: string): string {
  return `${task} ${kind} ${id}`
}

/** An artifact belongs to the context: any task may write to it. */
function artifactKey(contextId: string, artifactId: string): string {
  return `artifact ${contextKey(contextId, artifactId)}`
}
