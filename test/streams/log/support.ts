/** Events and logs for tests. */
import type { ContentDeltaEvent, ContextEvent, ThoughtStreamEvent, ThoughtVerbosity } from 'agentwire'
import { appendEvent, type LogState, openLog } from '../../../src/streams/log/log-state.ts'

export const timestamp = '2026-03-14T09:26:53.589Z'

/** A content delta with its index as text. */
export function delta(index: number, taskId = 'task-1'): ContextEvent<ContentDeltaEvent> {
  return { kind: 'content-delta', contextId: 'ctx-1', taskId, delta: `<${index}>`, index, timestamp }
}

export function thought(
  index: number,
  verbosity: ThoughtVerbosity = 'normal',
): ContextEvent<ThoughtStreamEvent> {
  return {
    kind: 'thought-stream',
    contextId: 'ctx-1',
    taskId: 'task-1',
    thoughtId: `th-${index}`,
    thoughtType: 'planning',
    verbosity,
    content: `thought ${index}`,
    index,
    timestamp,
  }
}

/** A log of `count` deltas, appended at 0, 1, 2… ms. */
export function logOf(count: number, limits: Parameters<typeof openLog>[0]['limits'] = {}): LogState {
  let log: LogState = openLog({ stream: 's', epoch: 'e', limits })
  for (let i = 0; i < count; i++) log = appendEvent(log, delta(i), i)
  return log
}
