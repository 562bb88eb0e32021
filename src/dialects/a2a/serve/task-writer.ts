/** The items of a task, and the task as it is by now. */

import { type Diagnostic, run } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { TaskWriter } from '../../../server/protocol/write-task.ts'
import { projectionOf } from '../../../streams/access/projection.ts'
import type { Viewer } from '../../../streams/access/viewer.ts'
import { isFields } from '../../../validation/predicates.ts'
import { a2aSnapshot } from '../to/snapshot.ts'
import { toA2a } from '../to/to-a2a.ts'
import { isA2aStreamEnd } from '../verify/stream-end.ts'
import type { A2aEvent, A2aMessage, A2aTask, A2aVersion } from '../wire/version.ts'

/** How a task is written. */
export interface A2aFormat {
  readonly version: A2aVersion
  readonly extension: boolean
  readonly viewer: Viewer
}

export interface A2aTaskWriter extends TaskWriter<A2aEvent> {
  /** The task by now, with the message that began it; `undefined` if the viewer has seen nothing of it. */
  snapshot(historyLength: unknown): A2aTask | undefined
}

export function taskWriter(
  format: A2aFormat,
  onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
): A2aTaskWriter {
  const { push, end, ...runner } = withState(format, onDiagnostic)
  const project = projectionOf(format.viewer)
  let input: A2aMessage | undefined
  let hasBegun = false
  return {
    push(event) {
      const items = push(event)
      hasBegun ||= items.length > 0
      if (event.kind === 'task-created' && input === undefined) input = inputOf(event, project(event), format)
      return items
    },
    end: () => end(),
    isEnd: isA2aStreamEnd,
    snapshot(historyLength) {
      if (!hasBegun) return undefined
      const history = input === undefined || historyLength === 0 ? [] : [input]
      return a2aSnapshot(runner.state(), { history })
    },
  }
}

/** A runner whose state is read when it is asked for. */
function withState(format: A2aFormat, onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined) {
  const runner = run(toA2a(format), onDiagnostic && { onDiagnostic })
  return { push: runner.push, end: runner.end, state: () => runner.state }
}

/** The message of the user that began a task. */
function inputOf(
  { taskId, contextId }: ContextAnyEvent,
  shown: ContextAnyEvent | undefined,
  { version }: A2aFormat,
): A2aMessage | undefined {
  const input =
    shown?.kind === 'task-created' && shown.initiator === 'user' ? shown.metadata?.input : undefined
  if (input === undefined) return undefined
  const isText = typeof input === 'string'
  const ids = { messageId: `${taskId}:input`, taskId, contextId }
  if (version === '1.0')
    return { ...ids, role: 'ROLE_USER', parts: [isText ? { text: input } : { data: input }] }
  const part = isText
    ? { kind: 'text' as const, text: input }
    : { kind: 'data' as const, data: isFields(input) ? input : { value: input } }
  return { kind: 'message', ...ids, role: 'user', parts: [part] }
}
