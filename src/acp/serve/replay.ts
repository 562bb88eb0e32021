/** The conversation of a session that is loaded. */

import { run } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import type { EventLog } from '../../streams/log/event-log.ts'
import { readToEnd } from '../../streams/log/read-to-end.ts'
import { toAcp } from '../to/to-acp.ts'
import type { AcpUpdate } from '../to/updates.ts'

/** What has happened: the updates of tasks that have ended, and the ids of those that have not. */
export interface Past {
  readonly updates: Iterable<AcpUpdate>
  readonly running: readonly string[]
}

export async function pastOf(log: EventLog, viewer: Viewer): Promise<Past> {
  let events: ContextAnyEvent[] = []
  for await (const part of readToEnd(log)) {
    if (part.type === 'reset') events = []
    for (const event of part.events ?? []) if (isRoot(event)) events.push(event)
  }
  const ended = new Set(events.filter(isTaskEnd).map(({ taskId }) => taskId))
  const running = new Set(events.map(({ taskId }) => taskId).filter((taskId) => !ended.has(taskId)))
  return { updates: updatesOf(events, ended, viewer), running: [...running] }
}

function* updatesOf(
  events: readonly ContextAnyEvent[],
  ended: ReadonlySet<string>,
  viewer: Viewer,
): Generator<AcpUpdate> {
  const writers = new Map([...ended].map((taskId) => [taskId, run(toAcp({ viewer, input: true }))]))
  for (const event of events)
    for (const output of writers.get(event.taskId)?.push(event) ?? [])
      if ('update' in output) yield output.update
}

/** Whether an event is that of a task of the conversation, and not of a subtask. */
function isRoot({ taskId, parentTaskId = taskId }: ContextAnyEvent): boolean {
  return parentTaskId === taskId
}
