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
  /**
   * `complete`: the next delta begins another text. `running`: a call has started. `closed`: a thought, a call or an
   * artifact to which no delta may be added.
   */
  state: 'open' | 'complete' | 'running' | 'closed'
  /** The model response that its first event states. */
  readonly iteration: number | undefined
  /** Whether a reset of the iteration leaves it. */
  stays: boolean
}

/** Finds the deltas that continue their series. */
export class SeriesTracker {
  /** By key. Several texts may have the same id, one after the other. */
  readonly #series = new Map<string, Series[]>()
  /** The keys of the series of each model response of each task. */
  readonly #iterations = new Map<string, Set<string>>()
  readonly #endedTasks = new Set<string>()
  /** The previous event if it continued its series, and that series: the next event is often of the same. */
  #latest: { readonly event: DeltaEvent; readonly series: Series } | undefined

  /** Tracks an event that is no delta: it may close series. */
  close(event: ContextAnyEvent): void {
    this.#latest = undefined
    const task = contextKey(event.contextId, event.taskId)
    if (isTaskEnd(event)) this.#endedTasks.add(task)
    switch (event.kind) {
      case 'content-replace': {
        const text = this.#knownOr(task, 'content-delta', event.contentId ?? '', event.iteration)
        text.state = 'open'
        text.nextIndex = 1
        break
      }
      case 'content-complete': {
        const key = keyOf(task, 'content-delta', event.contentId ?? '')
        const known = this.#series.get(key)?.at(-1)
        const text = known?.state === 'open' ? known : this.#add(task, key, 'content-delta', event.iteration)
        text.state = 'complete'
        break
      }
      case 'iteration-reset':
        this.#reset(task, event.iteration)
        break
      case 'thought-stream':
        this.#knownOr(task, 'thought-delta', event.thoughtId, event.iteration).state = 'closed'
        break
      case 'tool-start':
      case 'tool-progress':
      case 'tool-complete': {
        const call = this.#knownOr(task, 'tool-arguments-delta', event.toolCallId, event.iteration)
        if (call.state === 'closed') break
        call.stays ||= event.kind !== 'tool-complete' || event.success
        call.state = event.kind === 'tool-complete' ? 'closed' : 'running'
        break
      }
      case 'data-write': {
        const key = artifactKey(event.contextId, event.artifactId)
        if (!this.#series.has(key)) this.#add(task, key, event.kind, undefined).state = 'closed'
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
    const last = this.#series.get(key)?.at(-1)
    const known = last?.state === 'complete' ? undefined : last
    if (known !== undefined && (known.state !== 'open' || known.kind !== event.kind)) return undefined
    // Of a series that was not seen before, any index may be the next one.
    const expected = isFirstChunk(event) ? 0 : known?.nextIndex
    const continues = isNext(expected, event)
    // A repeated delta changes nothing.
    const isRepeated = expected !== undefined && (event.indexEnd ?? event.index) < expected
    const iteration = isChunk(event) ? undefined : event.iteration
    const series = known ?? (isRepeated ? undefined : this.#add(task, key, event.kind, iteration))
    if (series !== undefined && !isRepeated) advanceTo(series, event)
    if (series === undefined || !continues || this.#endedTasks.has(task)) return undefined
    this.#latest = { event, series }
    return series.encoding
  }

  #knownOr(task: string, kind: TextKind, id: string, iteration: number | undefined): Series {
    const key = keyOf(task, kind, id)
    return this.#series.get(key)?.at(-1) ?? this.#add(task, key, kind, iteration)
  }

  #add(task: string, key: string, kind: string, iteration: number | undefined): Series {
    const series: Series = { kind, nextIndex: 0, encoding: 'unknown', state: 'open', iteration, stays: false }
    const others = this.#series.get(key)
    if (others === undefined) this.#series.set(key, [series])
    else others.push(series)
    if (iteration === undefined) return series
    const name = `${task} ${iteration}`
    const keys = this.#iterations.get(name)
    if (keys === undefined) this.#iterations.set(name, new Set([key]))
    else keys.add(key)
    return series
  }

  /** Forgets what a model response began, but for calls that have started. */
  #reset(task: string, iteration: number): void {
    if (this.#endedTasks.has(task)) return
    const name = `${task} ${iteration}`
    for (const key of this.#iterations.get(name) ?? []) {
      const rest = this.#series.get(key)?.filter((series) => series.iteration !== iteration || series.stays)
      if (rest === undefined || rest.length === 0) this.#series.delete(key)
      else this.#series.set(key, rest)
    }
    this.#iterations.delete(name)
  }
}

type TextKind = 'content-delta' | 'thought-delta' | 'tool-arguments-delta'

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

function keyOf(task: string, kind: TextKind, id: string): string {
  return `${task} ${kind} ${id}`
}

/** An artifact belongs to the context: any task may write to it. */
function artifactKey(contextId: string, artifactId: string): string {
  return `artifact ${contextKey(contextId, artifactId)}`
}
