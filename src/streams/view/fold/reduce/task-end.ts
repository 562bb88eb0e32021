/** What happens to the open parts of a task that ends. */

import { describeValue } from '../../../../core/require.ts'
import type { PartView } from '../../parts.ts'
import type { ViewBuilder } from '../view-builder.ts'
import { endedCall } from './tool-approval.ts'

/** Ends all open parts of the event's task, and abandons its writes. */
export function endOpenParts(builder: ViewBuilder): void {
  const { parts } = builder.task
  const { length } = parts.items
  for (let at = 0; at < length; at++) {
    const part = parts.items[at] as PartView
    const ended = endedPart(part)
    if (ended === part) continue
    parts.set(at, ended)
    if (part.type === 'artifact') abandonWrite(builder, part.artifactId)
  }
}

/** Discards the version of an artifact that the event's task is writing. */
function abandonWrite(builder: ViewBuilder, id: string): void {
  const { pending, ...rest } = builder.artifact(id) ?? {}
  if (pending?.taskId !== builder.task.task.taskId) return
  builder.setArtifact(rest as NonNullable<ReturnType<ViewBuilder['artifact']>>)
  const message = `The task ended before artifact ${describeValue(id)} was complete.`
  builder.diagnostic('abandoned-write', message, { id })
}

/** A part after its task has ended. The part itself if it was not open. */
function endedPart(part: PartView): PartView {
  switch (part.type) {
    case 'text':
    case 'thought':
      return part.status === 'open' ? { ...part, status: 'ended' } : part
    case 'tool':
      return endedCall(part)
    case 'input':
      return part.status === 'open' ? { ...part, status: 'canceled', reason: 'task-ended' } : part
    case 'auth':
      return part.status === 'open' ? { ...part, status: 'ended' } : part
    case 'artifact':
      return part.status === 'writing' ? { ...part, status: 'ended' } : part
    case 'subtask':
    case 'error':
    case 'custom':
      return part
  }
}
