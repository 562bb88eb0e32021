/** Events that are numbered in a series, and may stand for several that were merged. */
import type { DatasetWriteEvent, FileWriteEvent } from '../events/artifact.ts'
import type { ContentDeltaEvent } from '../events/content.ts'
import type { ContextAnyEvent, ContextEvent } from '../events/event.ts'
import type { ThoughtDeltaEvent } from '../events/thought.ts'
import type { ToolArgumentsDeltaEvent } from '../events/tool.ts'

/** An event that is one of a numbered series. */
export type Numbered = ContextEvent<
  ContentDeltaEvent | ThoughtDeltaEvent | ToolArgumentsDeltaEvent | FileWriteEvent | DatasetWriteEvent
>

/** The timestamp of the last of what an event covers: its own, unless several were merged. */
export function lastTimestamp(event: ContextAnyEvent): string {
  // Other kinds may have a field of that name that is somebody's own.
  return 'timestampEnd' in event && isNumbered(event)
    ? (event.timestampEnd ?? event.timestamp)
    : event.timestamp
}

function isNumbered(event: ContextAnyEvent): event is Numbered {
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
