/** State of the mapper from AgentEvents. */

import type { OpenCall } from '../wire/open-calls.ts'

/** Where {@link fromAgentEvents} stands between two events. */
export interface FromAgentEventsState {
  /** `new`: nothing said yet. `ended`: after `final` or `error`. */
  readonly phase: 'new' | 'running' | 'ended'
  readonly contextId: string
  readonly taskId: string
  /** The calls without a result, in order. At most 1024. */
  readonly open: readonly CallInProgress[]
  /** The text of the segment so far. */
  readonly content: string
  /** How many deltas that is. */
  readonly deltas: number
  /** How many calls and thoughts there were. */
  readonly calls: number
  readonly thoughts: number
}
/** A call without a result. */
export interface CallInProgress extends OpenCall {
  /** How far it has come: progress never falls. */
  readonly progress: number
}
