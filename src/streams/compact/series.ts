/** The series that deltas belong to. */

import type { DatasetWriteEvent, FileWriteEvent } from '../../events/artifact.ts'
import type { ContextEvent } from '../../events/event.ts'
import type { DeltaEvent } from '../delta.ts'

/** A chunk of an artifact. */
export type Chunk = ContextEvent<FileWriteEvent | DatasetWriteEvent>

/** A piece of a text. */
export type TextDelta = Exclude<DeltaEvent, { kind: Chunk['kind'] }>

export function isChunk(event: DeltaEvent): event is Chunk {
  return event.kind === 'file-write' || event.kind === 'dataset-write'
}

/** The id of what a delta is a piece of. No id is empty, so that of the text without one differs from all others. */
export function seriesIdOf(event: DeltaEvent): string {
  switch (event.kind) {
    case 'content-delta':
      return event.contentId ?? ''
    case 'thought-delta':
      return event.thoughtId
    case 'tool-arguments-delta':
      return event.toolCallId
    default:
      return event.artifactId
  }
}

/** Whether two deltas are pieces of the same text, thought, arguments or artifact, sent by the same task. */
export function isSameSeries(a: DeltaEvent, b: DeltaEvent): boolean {
  return (
    a.kind === b.kind &&
    a.taskId === b.taskId &&
    a.contextId === b.contextId &&
    seriesIdOf(a) === seriesIdOf(b)
  )
}
