/** Tasks of a user, written one after the other for formats that have one at a time. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import type { EventWriter, Written } from './machine-writer.ts'

/** More events are not held back: the task that is written gives way, and continues after them. */
const MAX_WAITING = 10_000
/** Of more subtasks, the parents of the first are forgotten. */
const MAX_SUBTASKS = 10_000

/**
 * Writes one task of a user, with its subtasks, after the other. The events of a task that begins before the one before it
 * has ended wait for that, or for the end of the recording: a response of a model that asks for calls has no end.
 *
 * @param open - Opens a writer.
 * @param keeps - Whether a writer continues with the next task: always, after a task that has ended, or never.
 */
export function inTurn(open: () => EventWriter, keeps: 'always' | 'ended' | 'never'): EventWriter {
  let writer = open()
  let task: string | undefined
  /** The task before, if it has ended: what follows of it is not another task. */
  let before: string | undefined
  let isEnded = false
  /** Whether nothing of the task can follow: `task-complete` may follow a status. */
  let isComplete = false
  /** The events that wait, by their task. */
  const waiting = new Map<string, ContextAnyEvent[]>()
  let count = 0
  const roots = new Map<string, string>()

  /** The task of the user that an event belongs to. */
  function rootOf({ taskId, parentTaskId }: ContextAnyEvent): string {
    if (parentTaskId === undefined) return taskId
    const root = roots.get(parentTaskId) ?? parentTaskId
    roots.set(taskId, root)
    for (const [oldest] of roots) {
      if (roots.size <= MAX_SUBTASKS) break
      roots.delete(oldest)
    }
    return root
  }

  function write(event: ContextAnyEvent): Written {
    if (event.taskId === task) {
      isComplete ||= event.kind === 'task-complete'
      isEnded ||= isTaskEnd(event)
    }
    return writer.push(event)
  }

  /** Ends the task, and writes what waits of the next one. */
  function next(): Written[] {
    const written = [writer.end()]
    if (keeps === 'never' || (keeps === 'ended' && !isEnded)) writer = open()
    before = isEnded ? task : undefined
    isEnded = isComplete = false
    for (const [root, events] of waiting) {
      task = root
      waiting.delete(root)
      count -= events.length
      for (const event of events) written.push(write(event))
      break
    }
    return written
  }

  return {
    push(event) {
      const root = rootOf(event)
      task ??= root
      if (root === task || root === before) return write(event)
      const events = waiting.get(root)
      if (events === undefined) waiting.set(root, [event])
      else events.push(event)
      count++
      const written: Written[] = []
      if (isEnded || count > MAX_WAITING) {
        do written.push(...next())
        while (isComplete && waiting.size > 0)
      }
      return joined(written)
    },
    end() {
      const written: Written[] = []
      while (waiting.size > 0) written.push(...next())
      written.push(writer.end())
      return joined(written)
    },
  }
}

function joined(all: readonly Written[]): Written {
  return {
    out: all.flatMap(({ out }) => out),
    diagnostics: all.flatMap(({ diagnostics = [] }) => diagnostics),
  }
}
