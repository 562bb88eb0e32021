/** State of the mapper to AgentEvents. */

import type { OpenCall } from '../wire/open-calls.ts'

/** Where {@link toAgentEvents} stands between two events. */
export interface ToAgentEventsState {
  /** `completed`: the end is known, and waits for a text. `succeeded` and `failed`: it was told. */
  readonly phase: 'running' | 'completed' | 'succeeded' | 'failed'
  /** The task that is told; `null` when no event named one yet. */
  readonly taskId: string | null
  /** Whether any text of the answer was told. */
  readonly hasText: boolean
  /** What was told of the segment: nothing, some of it, or all, with no tool call since. */
  readonly segment: 'none' | 'open' | 'closed'
  /** The calls without a result, in order. At most 1024. */
  readonly open: readonly OpenCall[]
  /** The calls without a result as a receiver sees it that knows no ids. At most 1024. */
  readonly assumed: readonly OpenCall[]
}
