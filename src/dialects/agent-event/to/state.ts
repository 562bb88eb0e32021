/** The state of `toAgentEvents`. */

import type { OpenCall } from '../wire/open-calls.ts'

export interface ToAgentEventsState {
  /** `completed`: the task has succeeded, but `final` waits for its result. `succeeded`, `failed`: after the end. */
  readonly phase: 'running' | 'completed' | 'succeeded' | 'failed'
  /** The task that is mapped; `null` before the first event with a `taskId`. */
  readonly taskId: string | null
  /** Whether any `stream` event was written. */
  readonly hasText: boolean
  /** The current segment: nothing written, deltas written, or complete with no tool call since. */
  readonly segment: 'none' | 'open' | 'complete'
  /** The `contentId` of the open segment; `null` for the text without one. */
  readonly openText: string | null
  /** Whether deltas of another text than the open one were left out. */
  readonly hasWaitingText: boolean
  /** The ids of the calls whose arguments are streamed and that have not started. At most 1024. */
  readonly unstarted: readonly string[]
  /** The calls without a result, oldest first. At most 1024. */
  readonly openCalls: readonly OpenCall[]
  /** The open calls of a receiver that matches results by tool name alone. At most 1024. */
  readonly receiverCalls: readonly OpenCall[]
}
