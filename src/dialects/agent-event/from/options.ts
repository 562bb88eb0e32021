/** Settings of the mapper from AgentEvents. */

import type { EventContext } from '../../../events/event.ts'
import type { TaskInitiator } from '../../../events/task.ts'
import type { ProgressReading } from '../wire/progress.ts'
import type { AgentToolProgressEvent } from '../wire/types.ts'

/** What {@link fromAgentEvents} adds, as the dialect has neither ids nor times. */
export interface FromAgentEventsOptions extends Partial<EventContext> {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * text with zone. Absent: every event is of 1970-01-01T00:00:00Z, with the diagnostic
   * `assumed:timestamp`.
   */
  readonly now?: () => Date | number | string
  /**
   * Makes an id that is unique in the context. Absent: calls and thoughts are numbered after the
   * task, as in `task-7:call-1`, so that the same stream gives the same ids.
   */
  readonly newId?: () => string
  /** Who started the run. Absent: `agent` when there is a `parentTaskId`, otherwise `user`. */
  readonly initiator?: TaskInitiator
  /**
   * Reads what a tool means by the `data` of its `tool_progress`, which the dialect leaves open. Must
   * not change it. Absent, or for what it does not tell: no more than that the tool runs.
   */
  readonly readProgress?: (event: AgentToolProgressEvent) => ProgressReading | undefined
  /**
   * How much text one segment of the answer may have, in UTF-16 units: its `content-complete` repeats
   * it. Beyond it the next segment begins.
   * @defaultValue 16 Mi
   */
  readonly maxContentLength?: number
}
