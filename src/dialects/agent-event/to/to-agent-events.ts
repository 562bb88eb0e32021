/** From turnstream events to AgentEvents. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { optional, requireBoolean, requireOnly, requireText } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { defaultViewer, type Viewer } from '../../../streams/access/viewer.ts'
import { taskMachine } from '../../engine/write-task.ts'
import { guarded } from '../../shared/guarded.ts'
import type { AgentEvent } from '../wire/types.generated.ts'
import { initialState, RunWriter } from './run-writer.ts'
import { format } from './write-event.ts'

/** Options of {@link toAgentEvents}. */
export interface ToAgentEventsOptions {
  /** The task to map; a run is one task. Defaults to that of the first event. */
  readonly taskId?: string
  /**
   * Whether events have the id of their call, as the extension `toolCallId`. Without ids a receiver matches
   * results and progress to the newest open call of their tool.
   * @defaultValue `false`
   */
  readonly toolCallIds?: boolean
  /**
   * Who receives the AgentEvents: what this viewer may not see is left out.
   * @defaultValue `{ audience: 'user' }`
   */
  readonly viewer?: Viewer
}

/**
 * Maps the turnstream events of one task to AgentEvents, in the version of the document. {@link agentEventLosses} has
 * what is lost of each kind.
 *
 * The run ends once: with `final` if the task completes, with `error` if it fails or is canceled. After the status
 * `completed`, `final` waits for a `task-complete` with the result, or for the end of the stream. A stream that ends before
 * its task ends with `error`. Arguments keep their original text if `metadata.toolArgs` has one with the same value.
 *
 * Of several open texts, the one that began first is sent as it comes, the others once they are complete. What a complete
 * text has more than its deltas is sent with its end.
 *
 * Never throws on data. Diagnostics:
 *
 * - `invalid-event`: the input is not a valid event; `detail` lists the issues
 * - `dropped:<kind>`: the event is left out; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience` for one
 *   that the viewer may not see, `other-task`, `after-end`, `repeated` for what was sent before, or `not-started` for the
 *   progress or the result of a call that has not started
 * - `lossy:<field>`: a field is left out or changed. `lossy:content`: a receiver cannot see where the segment ends, or keeps
 *   another text. `lossy:toolCallId`: a receiver matches the event to another call
 * - `gap`: deltas are missing; a call has no result when its task completes; or the stream ended before the task did
 * - `state-evicted`: more than 1024 open items
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const { push } = run(toAgentEvents())
 * for (const event of push(coreEvent)) response.write(encodeJson(event))
 * ```
 *
 * @see docs/agent-event.md
 */
export function toAgentEvents(
  options: ToAgentEventsOptions = {},
): Machine<MachineState<'toAgentEvents'>, ContextAnyEvent, AgentEvent> {
  requireOnly('options', options, ['taskId', 'toolCallIds', 'viewer'])
  const { taskId, toolCallIds = false, viewer = defaultViewer } = options
  optional(requireText, 'taskId', taskId)
  requireBoolean('toolCallIds', toolCallIds)
  const initial = { ...initialState, taskId: taskId ?? '' }
  return opaque(
    guarded(
      viewer,
      taskMachine(initial, format, (state) => new RunWriter(state, toolCallIds)),
    ),
  )
}
