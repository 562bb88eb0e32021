/** Maps events of the core vocabulary to AG-UI. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { ItemType } from '../../../events/item-ids.ts'
import { defaultViewer } from '../../../streams/access/viewer.ts'
import { isFields } from '../../../validation/predicates.ts'
import { guarded } from '../../shared/guarded.ts'
import { oneIdSpace } from '../../shared/wire-ids.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import { AgUiWriter } from './ag-ui-writer.ts'
import { endStream } from './end-stream.ts'
import { requireOptions, type ToAgUiOptions } from './options.ts'
import { initialState, type ToAgUiState } from './state.ts'
import { writeEvent } from './write-event.ts'

/**
 * Maps events to AG-UI 1.0, for clients such as CopilotKit. Never throws on data.
 *
 * | event | AG-UI |
 * |---|---|
 * | `task-created` | `RUN_STARTED`; of a subtask `SUBAGENT_STARTED` |
 * | `content-delta`, `content-complete` | `TEXT_MESSAGE_…` |
 * | `content-replace`, `iteration-reset` | `MESSAGES_SNAPSHOT` of all messages |
 * | `iteration` | `STEP_…` around the texts, thoughts and calls of a task |
 * | `thought-delta`, `thought-stream` | `REASONING_…` |
 * | `tool-arguments-delta`, `tool-start`, `tool-complete` | `TOOL_CALL_…` |
 * | `tool-progress` | `ACTIVITY_SNAPSHOT` with the type `turnstream.tool-progress` |
 * | `data-write`, `artifact-delta` with a patch | `STATE_…` for the artifact `state`, otherwise `ACTIVITY_…` |
 * | `input-required`, `auth-required` | an interrupt at the end of the run; a call that the client executes is pending |
 * | `waiting-input`, `waiting-auth` | `RUN_FINISHED` with the interrupts |
 * | `completed` and `task-complete` | `RUN_FINISHED` with the result and the usage; `SUBAGENT_FINISHED` |
 * | `failed`, `canceled` | `RUN_ERROR`; `RUN_FINISHED` with the outcome `cancelled`; `SUBAGENT_…` |
 * | `custom` | `CUSTOM` |
 *
 * {@link agUiCoverage} lists the kinds without an equivalent. A task that continues after an interrupt begins a new run;
 * keep the state of the machine for it.
 * A stream has one run at a time: other tasks without a parent are dropped while one is active. The end of a run waits
 * for `task-complete` or the end of the stream. `metadata.audience` is not sent.
 *
 * A stream that ends before its task ends the run: with `RUN_FINISHED` if the task waits for the user, or if nothing is
 * open but calls without a result, as after a model response that calls tools, with the calls as `pendingToolCallIds`;
 * otherwise with `RUN_ERROR`.
 *
 * Encode the events with `encodeJson` of `turnstream/sse`.
 *
 * Diagnostics:
 *
 * - `dropped:<kind>`: the event was dropped, or a request before it that no run ended with; `detail.reason` is `no-equivalent`, `unknown-kind`, `audience` for one
 *   that the viewer may not see, `repeated`, `after-end`, `out-of-order`, `not-started`, `other-task`, or `too-many` for
 *   the 257th open request, and for an `iteration-reset` after more than 1024 messages or 1 MiB
 * - `lossy:<field>`: the field was dropped or changed, see {@link agUiLosses}; `path` leads to it
 * - `inferred:RUN_STARTED`: a task does not start with `task-created`
 * - `inferred:RUN_FINISHED`: the stream ended before the task did, with calls that have no result
 * - `inferred:messages`: a snapshot is sent without the option `messages`
 * - `gap`: the stream ended before the task did
 * - `invalid-event`: the event was dropped; `detail` lists its issues
 * - `state-evicted`: more than 1024 tasks, messages, calls or artifacts
 *
 * @throws TypeError for an invalid option.
 *
 * @example
 * ```ts
 * const { push, end } = run(toAgUi({ threadId, runId, messages }))
 * for await (const event of events) for (const each of push(event)) response.write(encodeJson(each))
 * for (const each of end()) response.write(encodeJson(each))
 * ```
 */
export function toAgUi(
  options: ToAgUiOptions = {},
): Machine<MachineState<'toAgUi'>, ContextAnyEvent, AgUiEvent> {
  requireOptions(options)
  const machine: Machine<ToAgUiState, ContextAnyEvent, AgUiEvent> = {
    initial: initialState,
    step(state, event) {
      const writer = new AgUiWriter(state, options, Date.parse(event.timestamp))
      writeEvent(writer, event)
      return writer.done()
    },
    end(state) {
      const writer = new AgUiWriter(state, options, state.at)
      endStream(writer)
      return writer.done()
    },
  }
  const { viewer = defaultViewer, messages = [] } = options
  return opaque(guarded(viewer, oneIdSpace(machine, undefined, messages.flatMap(endedIds))))
}

/** The id of what is complete with a message, so that it is of an earlier run. A call without a result may be of this one. */
function endedIds(message: unknown): [ItemType, string][] {
  if (!isFields(message)) return []
  const { role, id, toolCallId } = message
  if (role === 'tool') return typeof toolCallId === 'string' ? [['call', toolCallId]] : []
  return role === 'reasoning' && typeof id === 'string' ? [['thought', id]] : []
}
