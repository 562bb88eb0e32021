/** From AgentEvents to turnstream events. */

import type { JsonMessage } from '../../../core/json-message.ts'
import type { Machine } from '../../../core/machine.ts'
import type { MachineState } from '../../../core/machine-state.ts'
import {
  describeValue,
  optional,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireOneOf,
  requireOnly,
} from '../../../core/require.ts'
import { requireContext } from '../../../emitter/stamp.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { reader } from '../../shared/reader.ts'
import { reportEvictions } from '../wire/open-calls.ts'
import { decodeRunEvent, envelopeOf, type RunEnvelope } from '../wire/run-event.ts'
import type { AgentEvent } from '../wire/types.generated.ts'
import type { UnknownAgentEvent } from '../wire/types.ts'
import { EventWriter } from './event-writer.ts'
import { dropBeforeStart, failTask, mapEvent, mapUnknown } from './map-event.ts'
import type { FromAgentEventsOptions } from './options.ts'
import { type FromAgentEventsState, initialState } from './state.ts'

/**
 * Maps the AgentEvents of one run to turnstream events of one task. Reads the later versions of the format as well:
 * `text_chunk`, `tool_error`, `cancelled`, `callId`, arguments and results of any JSON, `at`, `seq` and `runId`.
 *
 * The first event yields `task-created` and the status `working`. `final` becomes the status `completed` and
 * `task-complete`; `error` becomes `failed`. The `stream` events up to a tool call or the end are one segment of
 * content. The `data` of a tool is kept unchanged in `metadata.data` of its `tool-progress`; the text of the
 * arguments in `metadata.toolArgs` of its `tool-start`, beside the parsed arguments. `output` becomes the
 * `result` or the `error`. Fields that the format does not define are carried in `metadata.langvis`, and events of
 * other types as `custom` events named `langvis.<type>`.
 *
 * Results and progress belong to the call with their `toolCallId`; without an id, to the newest open call of
 * their tool. Calls without a result fail when the run ends, and the run fails if the stream ends without it.
 *
 * Never throws on data. Diagnostics:
 *
 * - `invalid-event`: the input is not a valid event; `detail` lists the issues
 * - `dropped:<type>`: the event is left out; `detail.reason` is `after-end`, `repeated` for a `seq` or a result that
 *   was received before, `other-task` for an event of another run, or `not-started` if no matching call is open
 * - `lossy:toolArgs`: `toolArgs` is not a JSON object, or nested deeper than 1000 levels; `arguments` is empty.
 *   `lossy:at`: the time is before that of an earlier event, which is used instead
 * - `inferred:toolCallId`: another call has this id; `inferred:tool_call`: a result without a call;
 *   `inferred:tool_result`: calls without a result at the end
 * - `inferred:contextId`, `inferred:taskId`, `inferred:timestamp`: neither the value nor a function to create
 *   it was given
 * - `gap`: the stream begins after its first event, or ends without `final`, `error` or `cancelled`
 * - `state-evicted`: more than 1024 calls without a result
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
): Machine<MachineState<'fromAgentEvents'>, AgentEvent | UnknownAgentEvent | JsonMessage, ContextAnyEvent> {
  requireOnly('options', options, [
    'contextId',
    'taskId',
    'parentTaskId',
    'path',
    'now',
    'newId',
    'initiator',
    'readProgress',
    'maxContentLength',
    'showErrors',
  ])
  const { maxContentLength = 16 * 1024 * 1024, now, newId, initiator, readProgress, showErrors } = options
  requireInteger('maxContentLength', maxContentLength, 1)
  requireContext({ contextId: 'context', taskId: 'task', ...options })
  optional(requireFunction, 'now', now)
  optional(requireFunction, 'newId', newId)
  if (initiator !== undefined) requireOneOf('initiator', initiator, ['user', 'agent'])
  optional(requireFunction, 'readProgress', readProgress)
  optional(requireBoolean, 'showErrors', showErrors)
  const machine: Machine<FromAgentEventsState, AgentEvent | UnknownAgentEvent, ContextAnyEvent> = {
    initial: initialState,
    step(state, input) {
      const writer = new EventWriter(state, options)
      const decoded = decodeRunEvent(input)
      if (decoded.status === 'invalid') {
        writer.invalid(decoded.issues)
        return writer.done()
      }
      const envelope = envelopeOf(decoded.event)
      const { others } = envelope
      if (dropOutOfPlace(writer, decoded.event.type.slice(0, 64), envelope)) return writer.done()
      if (decoded.status === 'unknown' && state.phase === 'new') {
        dropBeforeStart(writer, decoded.kind.slice(0, 64), others ?? {})
        return writer.done()
      }
      writer.readEnvelope(envelope)
      if (decoded.status === 'known') {
        writer.carry(others)
        mapEvent(writer, decoded.event, maxContentLength)
      } else mapUnknown(writer, decoded.kind, others ?? {})
      reportEvictions(state.openCalls, writer.state.openCalls, (...args) => writer.diagnostic(...args))
      return writer.done()
    },
    end(state) {
      const writer = new EventWriter(state, options)
      if (state.phase === 'running') {
        const message = 'The stream ended without final or error.'
        writer.diagnostic('gap', message)
        failTask(writer, message, 'the end of the stream')
      }
      return writer.done()
    },
  }
  return reader(['AgentEvent', 'AI SDK'], machine, { showErrors })
}

/** Drops an event that does not belong to the run, or was received before. Returns whether it did. */
function dropOutOfPlace(writer: EventWriter, type: string, { seq, runId }: RunEnvelope): boolean {
  const { phase, seq: latest, runId: own } = writer.state
  if (runId !== undefined && own !== null && runId !== own) {
    writer.dropped(
      type,
      'other-task',
      `Expected an event of run ${describeValue(own)}, got ${describeValue(runId)}.`,
    )
  } else if (phase === 'ended')
    writer.dropped(type, 'after-end', `Expected no event after the end of the run, got ${type}.`)
  else if (seq !== undefined && latest > 0 && seq <= latest) {
    writer.dropped(type, 'repeated', `Expected a seq above ${latest}, got ${seq}.`)
  } else {
    if (seq !== undefined && seq > 1 && phase === 'new' && latest === 0) {
      writer.diagnostic('gap', `Expected a stream that begins with seq 1, got ${seq}.`, { path: '/seq' })
    }
    return false
  }
  return true
}
