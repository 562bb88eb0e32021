/** What a writer makes of a task: up to where the task ends or waits, or from the beginning after a reconnect. */

import { inTime } from '../../core/deadline.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import type { TaskEvents } from './read-task.ts'

/** A writer of a protocol: of `run`, and which of its outputs end a response. */
export interface TaskWriter<Out> {
  push(event: ContextAnyEvent): readonly Out[]
  end(): readonly Out[]
  /** Whether nothing follows for now: the task has ended, or waits for its user. */
  isEnd(out: Out): boolean
}

/**
 * How a response has ended: with its task, as that waits for its user, or as it is queued behind one that does. `undefined`: its
 * reader has left.
 */
export type WrittenEnd = 'ended' | 'waiting' | 'blocked' | undefined

/** The outputs of a response, one after another. */
export type TaskOutputs<Out> = AsyncGenerator<Out, WrittenEnd, undefined>

/** The outputs of one event, and whether the task has ended with it or before. */
interface Written<Out> {
  readonly outputs: readonly Out[]
  readonly isOver: boolean
}

/** How long the result of a task that has completed is waited for. */
const RESULT_MS = 2000

/**
 * What a writer makes of a task, from the beginning of the response up to the first end. The same whenever it is called, so that
 * a request that is sent again is answered as before.
 */
export async function* upToEnd<Out>(task: TaskEvents, writer: TaskWriter<Out>): TaskOutputs<Out> {
  const events = written(task, writer)
  try {
    for (let left = task.skipped; ; left--) {
      const { done, value } = await events.next()
      if (done === true) return value
      if (left > 0) continue
      for (const output of value.outputs) {
        yield output
        if (writer.isEnd(output)) return endOf(value.isOver)
      }
    }
  } finally {
    await events.return(undefined)
  }
}

/** What a writer makes of a task from its beginning, up to the end at which it is now, or else the next one. */
export async function* replayed<Out>(task: TaskEvents, writer: TaskWriter<Out>): TaskOutputs<Out> {
  let events = 0
  let isAtEnd = false
  for await (const { outputs, isOver } of written(task, writer)) {
    yield* outputs
    const last = outputs.at(-1)
    if (last !== undefined) isAtEnd = writer.isEnd(last)
    if (++events >= task.past.length && isAtEnd) return endOf(isOver)
  }
  return undefined
}

/**
 * What a writer makes of a task from its beginning: at once up to now, without the ends at which the task waited, and then up to
 * the next end. While the task waits, nothing is returned.
 *
 * @returns `undefined` if the reader has left while it waited.
 */
export async function resumed<Out>(
  task: TaskEvents,
  writer: TaskWriter<Out>,
): Promise<TaskOutputs<Out> | undefined> {
  const events = written(task, writer)
  const before: Out[] = []
  const isAtEnd = (): boolean => {
    const last = before.at(-1)
    return last !== undefined && writer.isEnd(last)
  }
  let isOver = false
  for (let count = 0; count < task.past.length || (isAtEnd() && !isOver); count++) {
    const { done, value } = await events.next()
    if (done === true) return undefined
    isOver = value.isOver
    for (const output of value.outputs) {
      if (isAtEnd()) before.pop()
      before.push(output)
    }
  }
  return rest(before, isOver, events, writer)
}

async function* rest<Out>(
  before: readonly Out[],
  wasOver: boolean,
  events: WrittenEvents<Out>,
  { isEnd }: TaskWriter<Out>,
): TaskOutputs<Out> {
  yield* before
  const last = before.at(-1)
  if (last !== undefined && isEnd(last)) return endOf(wasOver)
  for await (const { outputs, isOver } of events) {
    for (const output of outputs) {
      yield output
      if (isEnd(output)) return endOf(isOver)
    }
  }
  return undefined
}

function endOf(isOver: boolean): WrittenEnd {
  return isOver ? 'ended' : 'waiting'
}

type WrittenEvents<Out> = AsyncGenerator<Written<Out>, 'blocked' | undefined, undefined>

/** The outputs of each event, and what the writer has left when the task is over. */
async function* written<Out>(
  { taskId, past, future }: TaskEvents,
  writer: TaskWriter<Out>,
): WrittenEvents<Out> {
  let isOver = false
  const write = (event: ContextAnyEvent): Written<Out> => {
    isOver ||= event.taskId === taskId && isTaskEnd(event)
    return { outputs: writer.push(event), isOver }
  }
  for (const event of past) yield write(event)
  for (;;) {
    const next = future.next()
    const part = await (isOver ? inTime(next, RESULT_MS, true) : next)
    if (part?.done === true && part.value === 'blocked') return 'blocked'
    if (part === undefined || part.done === true) break
    for (const event of part.value) yield write(event)
  }
  if (isOver) yield { outputs: writer.end(), isOver }
  return undefined
}
