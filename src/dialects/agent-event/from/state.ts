/** The state of `fromAgentEvents`. */

import type { OpenCall } from '../wire/open-calls.ts'

export interface FromAgentEventsState {
  /** `new`: before the first event. `ended`: after `final` or `error`. */
  readonly phase: 'new' | 'running' | 'ended'
  readonly contextId: string
  readonly taskId: string
  /** The calls without a result, oldest first. At most 1024. */
  readonly openCalls: readonly CallInProgress[]
  /** The text of the current segment. */
  readonly segmentText: string
  /** The number of deltas in the current segment. */
  readonly deltaCount: number
  readonly callCount: number
  readonly thoughtCount: number
}

/** A call without a result. */
export interface CallInProgress extends OpenCall {
  /** The highest progress so far, 0 to 1. */
  readonly progress: number
}
