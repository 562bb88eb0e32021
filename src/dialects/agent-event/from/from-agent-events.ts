/** From AgentEvents to agentwire events. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import {
  optional,
  requireFunction,
  requireInteger,
  requireObject,
  requireOneOf,
} from '../../../core/require.ts'
import { requireContext } from '../../../emitter/stamp.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { reportUndecoded } from '../../shared/report-undecoded.ts'
import { decodeAgentEvent } from '../wire/decode.ts'
import type { AgentEvent, UnknownAgentEvent } from '../wire/types.ts'
import type { FromAgentEventsOptions } from './options.ts'
import type { FromAgentEventsState } from './state.ts'
import { TaskWriter } from './task-writer.ts'

/**
 * Converts the AgentEvents of one run to agentwire events of one task.
 *
 * The first event yields `task-created` and the status `working`. `final` becomes the status `completed` and
 * `task-complete`; `error` becomes `failed`. The `stream` events up to a tool call or the end are one segment of
 * content. The `data` of a tool is kept unchanged in `metadata.data` of its `tool-progress`; the text of the
 * arguments in `metadata.toolArgs` of its `tool-start`, beside the parsed arguments. `output` becomes the
 * `result` or the `error`.
 *
 * Results and progress belong to the call with their `toolCallId`; without an id, to the oldest open call of
 * their tool.
 *
 * Never throws on data. Diagnostics:
 *
 * - `invalid-event`: the input is not a valid event; `detail` lists the issues
 * - `dropped:<type>`: the type is unknown, the event follows the end, or no matching call is open; see
 *   `detail.reason`
 * - `lossy:<field>`: a field that is not part of this format
 * - `invalid-arguments`: `toolArgs` is not a JSON object, or nested deeper than 1000 levels; `arguments` is
 *   empty
 * - `duplicate-call-id`: a call with this id is still open; the new call gets another id
 * - `open-tool-calls`: calls without a result at `final`
 * - `too-many-open-calls`: more than 1024 calls without a result; the oldest is removed
 * - `truncated`: the stream ends without `final` or `error`
 * - `inferred:contextId`, `inferred:taskId`, `inferred:timestamp`: neither the value nor a function to create
 *   it was given
 *
 * @throws TypeError if an option is invalid; later if `now` returns no valid time, or `newId` no id.
 *
 * @example
 * ```ts
 * const machine = fromAgentEvents({ contextId: 'ctx-1', taskId: 'task-1', now: Date.now })
 * for await (const event of iterate(machine, agent.call(memory))) send(event)
 * ```
 *
 * @see docs/agent-event.md
 */
export function fromAgentEvents(
  options: FromAgentEventsOptions = {},
): Machine<MachineState<'fromAgentEvents'>, AgentEvent | UnknownAgentEvent, ContextAnyEvent> {
  requireObject('options', options)
  const { maxContentLength = 16 * 1024 * 1024, now, newId, initiator, readProgress } = options
  requireInteger('maxContentLength', maxContentLength, 1)
  requireContext({ contextId: 'context', taskId: 'task', ...options })
  optional(requireFunction, 'now', now)
  optional(requireFunction, 'newId', newId)
  if (initiator !== undefined) requireOneOf('initiator', initiator, ['user', 'agent'])
  optional(requireFunction, 'readProgress', readProgress)
  const machine: Machine<FromAgentEventsState, AgentEvent | UnknownAgentEvent, ContextAnyEvent> = {
    initial,
    step(state, input) {
      const writer = new TaskWriter(state, options, maxContentLength)
      const decoded = decodeAgentEvent(input)
      if (decoded.status === 'known') writer.write(decoded.event)
      else reportUndecoded(writer, decoded)
      return writer.done()
    },
    end(state) {
      if (state.phase !== 'running') return { state, out: [] }
      const message = 'The stream ended without final or error.'
      return { state, out: [], diagnostics: [{ code: 'truncated', message }] }
    },
  }
  return opaque(machine)
}

const initial: FromAgentEventsState = {
  phase: 'new',
  contextId: '',
  taskId: '',
  openCalls: [],
  segmentText: '',
  deltaCount: 0,
  callCount: 0,
  thoughtCount: 0,
}
