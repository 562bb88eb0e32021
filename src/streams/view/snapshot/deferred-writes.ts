/** Which task writes to an artifact last, in a snapshot. */

import { contextKey } from '../../context-key.ts'
import type { View } from '../view.ts'

/** Writes that come after those of the other tasks, as far as possible: for each artifact, that of the task that wrote last. */
export class DeferredWrites {
  readonly #view: View
  readonly #writers: readonly number[]
  readonly #written: number[]
  /** Which task waits, by artifact. */
  readonly #waiting = new Map<number, number>()
  /** Artifacts for which a write has been deferred: once is enough. */
  readonly #deferred = new Set<number>()
  /** The deferred writes of artifacts for which the task can write twice, and the others. */
  readonly #queues: readonly [Queue, Queue] = [new Queue(), new Queue()]

  constructor(view: View) {
    this.#view = view
    this.#writers = countWriters(view)
    this.#written = view.artifacts.map(() => 0)
  }

  /** Whether a task that would write to an artifact must wait. */
  mustWait(artifact: number, task: number): boolean {
    const { taskId, pending } = this.#view.artifacts[artifact] ?? {}
    if (this.#left(artifact) <= 1 || this.#deferred.has(artifact)) return false
    if ((pending?.taskId ?? taskId) !== this.#view.tasks[task]?.taskId) return false
    this.#deferred.add(artifact)
    this.#waiting.set(artifact, task)
    // Each write has a chunk of its own, and the next chunk has a certain index.
    const canRepeat = pending === undefined || pending.nextIndex > (this.#writers[artifact] ?? 0)
    this.#queues[canRepeat ? 0 : 1].push(artifact)
    return true
  }

  /** Notes a write. Returns the tasks that need not wait any longer. */
  wrote(artifact: number): readonly number[] {
    this.#written[artifact] = (this.#written[artifact] ?? 0) + 1
    return this.#left(artifact) <= 1 ? this.#take(artifact) : []
  }

  /** Lets one task continue although others have not written. Returns whether there was one. */
  release(ready: number[]): boolean {
    for (const queue of this.#queues) {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [task] = this.#take(next)
        if (task === undefined) continue
        ready.push(task)
        return true
      }
    }
    return false
  }

  #take(artifact: number): readonly number[] {
    const task = this.#waiting.get(artifact)
    this.#waiting.delete(artifact)
    return task === undefined ? [] : [task]
  }

  #left(artifact: number): number {
    return (this.#writers[artifact] ?? 0) - (this.#written[artifact] ?? 0)
  }
}

/** Artifacts, first in, first out. */
class Queue {
  readonly #items: number[] = []
  #next = 0

  push(item: number): void {
    this.#items.push(item)
  }

  shift(): number | undefined {
    return this.#next < this.#items.length ? this.#items[this.#next++] : undefined
  }
}

/** How many tasks wrote to each artifact. */
function countWriters({ tasks, artifacts }: View): number[] {
  const counts = new Map<string, number>()
  for (const { contextId, parts } of tasks) {
    for (const part of parts) {
      if (part.type !== 'artifact') continue
      const key = contextKey(contextId, part.artifactId)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return artifacts.map(({ contextId, artifactId }) => counts.get(contextKey(contextId, artifactId)) ?? 0)
}
