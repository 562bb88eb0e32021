/** Events and logs for tests. */
import type { ContextAnyEvent, ContextEvent, ThoughtVerbosity } from 'turnstream'
import type { ContentDeltaEvent } from '../../../src/events/content.ts'
import type { ThoughtStreamEvent } from '../../../src/events/thought.ts'
import { LogBuffer } from '../../../src/streams/log/memory/log-buffer.ts'
import { emptyLogState, type LogOptions } from '../../../src/streams/log/memory/log-state.ts'

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

/** An empty log. */
export function openLog(limits: LogOptions['limits'] = {}): LogBuffer {
  return new LogBuffer<ContextAnyEvent>(emptyLogState({ stream: 's', epoch: 'e', limits }))
}

/** A log of `count` deltas, appended at 0, 1, 2… ms. */
export function logOf(count: number, limits?: LogOptions['limits']): LogBuffer {
  const log = openLog(limits)
  for (let i = 0; i < count; i++) log.append(delta(i), i)
  return log
}

/** A log of `count` deltas that is closed. */
export function closedLogOf(count: number, limits?: LogOptions['limits']): LogBuffer {
  const log = logOf(count, limits)
  log.close()
  return log
}
