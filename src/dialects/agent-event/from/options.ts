/** Options of `fromAgentEvents`. */

import type { EventContext } from '../../../events/event.ts'
import type { TaskInitiator } from '../../../events/task.ts'
import type { ShowErrors } from '../../shared/labels.ts'
import type { ProgressReading } from '../wire/progress.ts'
import type { AgentToolProgressEvent } from '../wire/types.generated.ts'

/** Options of {@link fromAgentEvents}: the ids and times that AgentEvents do not have. */
export interface FromAgentEventsOptions extends Partial<EventContext>, ShowErrors {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339 timestamp
   * with time zone. Omitted: every event has the time 1970-01-01T00:00:00Z, reported as `inferred:timestamp`.
   */
  readonly now?: () => Date | number | string
  /**
   * Creates an id that is unique in the context. Omitted: the task without an id has a random UUID; the ids of calls and
   * thoughts are the task id and a counter, such as `task-7:call-1`, so that equal streams of a task get equal ids.
   */
  readonly newId?: () => string
  /** The initiator of the task. Defaults to `agent` if there is a `parentTaskId`, otherwise `user`. */
  readonly initiator?: TaskInitiator
  /**
   * Interprets the `data` of a `tool_progress`, which has no defined shape. Must not modify it. Omitted, or
   * for missing fields: the call is running, with no further details.
   */
  readonly readProgress?: (event: AgentToolProgressEvent) => ProgressReading | undefined
  /**
   * Maximum length of one segment of content, in UTF-16 code units, as its `content-complete` repeats it.
   * Longer content continues in the next segment.
   * @defaultValue 16 Mi
   */
  readonly maxContentLength?: number
}
