/** The state of `toAgentEvents`. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { StepBuilder } from '../../../core/step-builder.ts'
import { noOpenCalls, type OpenCall, type OpenCalls } from '../wire/open-calls.ts'
import type { AgentEvent } from '../wire/types.ts'

export interface ToAgentEventsState {
  /** `completed`: the task has succeeded, but `final` waits for its result. `succeeded`, `failed`: after the end. */
  readonly phase: 'running' | 'completed' | 'succeeded' | 'failed'
  /** The task that is mapped; `null` before the first event. */
  readonly taskId: string | null
  /** Whether any `stream` event was written. */
  readonly hasText: boolean
  /**
   * The current segment: nothing written; deltas written; a tool call since the last one; not the segment that a
   * receiver sees; complete, with no tool call since.
   */
  readonly segment: 'none' | 'open' | 'split' | 'merged' | 'complete'
  /** The text of the current or the last segment; `null` above 16 Mi code units. */
  readonly text: string | null
  /** The `contentId` of the open segment; `null` for the text without one. */
  readonly openText: string | null
  /** The index of its next delta. */
  readonly nextIndex: number
  /** Whether deltas of another text than the open one were left out. */
  readonly hasWaitingText: boolean
  /** By their ids: whether a call has ended, or is one whose arguments are streamed and that has not started. */
  readonly calls: BoundedMap<boolean>
  readonly openCalls: OpenCalls<TaskCall>
  /** The number of calls so far. */
  readonly callCount: number
  /** The open calls of a receiver that matches events by the name of the tool alone. */
  readonly receiverCalls: OpenCalls<OpenCall>
}

/** A call without a result. */
interface TaskCall extends OpenCall {
  /** The progress of the call, as a receiver reads it. */
  readonly progress: number
}

/** The workspace of one step. */
export type RunWriter = StepBuilder<ToAgentEventsState, AgentEvent>

export const initialState: ToAgentEventsState = {
  phase: 'running',
  taskId: null,
  hasText: false,
  segment: 'none',
  text: '',
  openText: null,
  nextIndex: 0,
  hasWaitingText: false,
  calls: emptyBoundedMap,
  openCalls: noOpenCalls,
  callCount: 0,
  receiverCalls: noOpenCalls,
}
