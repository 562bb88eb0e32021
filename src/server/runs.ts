/** The tasks that this process runs: another process may have to go on with one of them. */

import type { TaskName } from '../events/event.ts'

interface Run {
  readonly task: TaskName
  readonly stopping: AbortController
  readonly done: Promise<void>
}

export class Runs {
  readonly #running = new Map<string, Set<Run>>()

  /** @param body - Gets a signal: aborted when the run has to stop and leave its task as it is. */
  async run(task: TaskName, body: (stopped: AbortSignal) => Promise<void>): Promise<void> {
    const key = keyOf(task)
    const own = this.#running.get(key) ?? new Set()
    this.#running.set(key, own)
    const stopping = new AbortController()
    const run: Run = { task, stopping, done: body(stopping.signal) }
    own.add(run)
    try {
      await run.done
    } finally {
      own.delete(run)
      if (own.size === 0) this.#running.delete(key)
    }
  }

  /** The tasks that run. */
  tasks(): TaskName[] {
    return [...this.#running.values()].flatMap(([first]) => (first === undefined ? [] : [first.task]))
  }

  /** Stops the runs of a task, and resolves when they have. Their promises reject with the reason. */
  async stop(task: TaskName, reason: Error): Promise<void> {
    const key = keyOf(task)
    for (const { stopping } of this.#running.get(key) ?? []) stopping.abort(reason)
    await this.settled((each) => keyOf(each) === key)
  }

  /** Resolves when the runs of some tasks are over, however they end. */
  async settled(isMeant: (task: TaskName) => boolean): Promise<void> {
    const all = [...this.#running.values()].flatMap((runs) => [...runs])
    await Promise.allSettled(all.filter(({ task }) => isMeant(task)).map(({ done }) => done))
  }
}

/** Ids are not checked yet. */
function keyOf({ contextId, taskId }: TaskName): string {
  return JSON.stringify([contextId, taskId])
}
