/** From what an agent sends to events of the core vocabulary. */

import type { Machine } from '../../../core/machine.ts'
import { requireContext } from '../../../emitter/stamp.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { decodeAgentEvent } from '../wire/decode.ts'
import { notKnown, stepTo } from '../wire/diagnostics.ts'
import type { AgentEvent, UnknownAgentEvent } from '../wire/types.ts'
import type { FromAgentEventsOptions } from './options.ts'
import type { FromAgentEventsState } from './state.ts'
import { TaskWriter } from './task-writer.ts'

/**
 * Says what one agent sends in the core vocabulary: a run becomes a task.
 *
 * The task begins with the first event: `task-created`, then `working`. `final` becomes `completed`
 * and `task-complete`; `error` becomes `failed`. The pieces of the answer up to a tool call or the end
 * are one segment. What a tool says in `data` is kept untouched in `metadata.data` of its
 * `tool-progress`; the text of the arguments in `metadata.toolArgs` of its `tool-start`, next to the
 * parsed ones; `output` is the `result` as it is, or the `error`.
 *
 * Results and progress belong to the call of their `toolCallId`, and without one to the oldest open
 * call of their tool.
 *
 * Never throws on data. Values that are no event are left out with the diagnostic `invalid-event`, unknown
 * types with `dropped:<type>`. Other diagnostics:
 *
 * - `dropped:<type>`: it follows the end, or no call it could belong to is open
 * - `lossy:<field>`: a field this dialect does not define
 * - `invalid-arguments`: `toolArgs` is not the text of a JSON object, or nested more than 1000 deep;
 *   `arguments` is then empty
 * - `duplicate-call-id`: an id names a call that is still open; the new one gets another
 * - `open-tool-calls`: calls without a result at `final`
 * - `too-many-open-calls`: more than 1024 calls without a result; the oldest is forgotten
 * - `truncated`: the stream ends without `final` or `error`
 * - `assumed:contextId`, `assumed:taskId`, `assumed:timestamp`: neither given, nor a way to make it
 *
 * @throws TypeError when an id is given but empty, or a limit is not a whole number of at least 1.
 *
 * @example
 * ```ts
 * const machine = fromAgentEvents({ contextId: 'ctx-1', taskId: 'task-1', now: Date.now })
 * for await (const event of iterate(machine, agent.call(memory))) send(event)
 * ```
 */
export function fromAgentEvents(
  options: FromAgentEventsOptions = {},
): Machine<FromAgentEventsState, AgentEvent | UnknownAgentEvent, ContextAnyEvent> {
  const { maxContentLength = 16 * 1024 * 1024 } = options
  if (!Number.isSafeInteger(maxContentLength) || maxContentLength < 1) {
    throw new TypeError('maxContentLength must be a whole number of at least 1.')
  }
  requireContext({ contextId: 'context', taskId: 'task', ...options })
  return {
    initial,
    step(state, input) {
      const decoded = decodeAgentEvent(input)
      if (decoded.status !== 'known') return { state, out: [], diagnostics: [notKnown(decoded)] }
      const writer = new TaskWriter(state, options, maxContentLength)
      writer.take(decoded.event)
      return stepTo(writer.state, writer.out, writer.diagnostics)
    },
    end(state) {
      if (state.phase !== 'running') return { state, out: [] }
      const message = 'The stream ended without final or error.'
      return { state, out: [], diagnostics: [{ code: 'truncated', message }] }
    },
  }
}

const initial: FromAgentEventsState = {
  phase: 'new',
  contextId: '',
  taskId: '',
  open: [],
  content: '',
  deltas: 0,
  calls: 0,
  thoughts: 0,
}
