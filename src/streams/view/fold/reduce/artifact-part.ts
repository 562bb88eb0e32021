/** The part that a task has for an artifact it writes to. */

import type { ContextEvent } from '../../../../events/event.ts'
import { commonAudience, type LabeledEvent, labelOf } from '../../audience-label.ts'
import type { ArtifactPart } from '../../parts.ts'
import type { TaskDraft } from '../task-draft.ts'

/** An event that writes to an artifact. */
type Write = ContextEvent<{
  readonly artifactId: string
  readonly timestamp: string
}> &
  LabeledEvent

/** Adds the part of an artifact to the task of a write, or changes it. */
export function setArtifactPart(task: TaskDraft, event: Write, status: ArtifactPart['status']): void {
  const { artifactId, timestamp } = event
  const position = task.parts.find('artifact', artifactId)
  const known = task.parts.at('artifact', position)
  const audience = commonAudience(known?.audience, labelOf(event))
  if (known?.status === status && known.audience === audience) return
  const at = known?.at ?? timestamp
  task.parts.put(
    position,
    audience === undefined
      ? { type: 'artifact', at, status, artifactId }
      : { type: 'artifact', at, status, audience, artifactId },
  )
}

/** Ends the write of a task after another one went on with it. */
export function endArtifactPart(task: TaskDraft, artifactId: string): void {
  const position = task.parts.find('artifact', artifactId)
  const part = task.parts.at('artifact', position)
  if (part?.status === 'writing') task.parts.set(position, { ...part, status: 'ended' })
}
