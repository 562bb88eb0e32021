/** Events with an index in a series, several of which may have been merged into one. */

import type { DatasetWriteEvent, FileWriteEvent } from '../events/artifact.ts'
import type { ContentDeltaEvent } from '../events/content.ts'
import type { ContextAnyEvent, ContextEvent } from '../events/event.ts'
import type { ThoughtDeltaEvent } from '../events/thought.ts'
import type { ToolArgumentsDeltaEvent } from '../events/tool.ts'

/** A delta of a text, or a chunk of an artifact. */
export type DeltaEvent = ContextEvent<
  ContentDeltaEvent | ThoughtDeltaEvent | ToolArgumentsDeltaEvent | FileWriteEvent | DatasetWriteEvent
>

/** The timestamp of the last event covered: `timestampEnd` of a merged delta, otherwise `timestamp`. */
export function lastTimestamp(event: ContextAnyEvent): string {
  // On other kinds, `timestampEnd` is an unknown field.
  return 'timestampEnd' in event && isDelta(event) ? (event.timestampEnd ?? event.timestamp) : event.timestamp
}

/** Whether an event may be merged with the next of its kind. */
export function isDelta(event: ContextAnyEvent): event is DeltaEvent {
  switch (event.kind) {
    case 'content-delta':
    case 'thought-delta':
    case 'tool-arguments-delta':
    case 'file-write':
    case 'dataset-write':
      return true
    default:
      return false
  }
}
