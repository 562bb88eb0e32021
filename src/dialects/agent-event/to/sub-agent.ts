/** An agent as a tool of another agent. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import {
  optional,
  requireArray,
  requireInteger,
  requireObject,
  requireOneOf,
  requireOnly,
  requireString,
  requireText,
} from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { reportUndecoded } from '../../shared/report-undecoded.ts'
import { decodeRunEvent, type RunEvent } from '../wire/run-event.ts'
import type { AgentEvent, ToolEvent } from '../wire/types.generated.ts'
import type { AgentEventType, UnknownAgentEvent } from '../wire/types.ts'
import { agentEventTypes } from '../wire/types.ts'

/** Options of {@link subAgentToolEvents}. */
export interface SubAgentOptions {
  /** The name of the tool that wraps the sub-agent. Not empty. */
  readonly toolName: string
  /**
   * The types of events to forward besides the answer, each as the `event` of a progress with the subtype
   * `agent_event`.
   * @defaultValue none
   */
  readonly forward?: readonly Exclude<AgentEventType, 'stream' | 'final' | 'error'>[]
  /**
   * Maximum length of the answer in the result, in UTF-16 code units.
   * @defaultValue 16 Mi
   */
  readonly maxOutputLength?: number
}

/** The types that {@link SubAgentOptions.forward} may list. The others are mapped in any case. */
const forwardable = agentEventTypes.filter((type) => !['stream', 'final', 'error'].includes(type))

/** What the host knows about the end of a sub-agent. */
interface SubAgentEnd {
  /** The failure of the sub-agent, such as the message of a thrown error. Omitted if it did not fail. */
  readonly error?: string
}

interface SubAgentState {
  /** The answer so far. */
  readonly output: string
  /** Whether the answer exceeds the maximum length. */
  readonly isTruncated: boolean
  readonly hasFinal: boolean
  /** The first error. Omitted before one. */
  readonly error?: string
  /** Whether the result was emitted. */
  readonly isDone: boolean
}

/**
 * Converts the AgentEvents of a sub-agent to the ToolEvents of the tool that wraps it: each piece of the answer
 * becomes progress, and the whole answer becomes the result at the end.
 *
 * `end` emits the result, so that an error is never too late: after any error the result has `isError` and the
 * error as its output. A stream without `final` or `error` is truncated, which is an error as well. There is
 * always exactly one result, even for an empty stream. Events of later versions of the format are read as well.
 *
 * Diagnostics:
 *
 * - `invalid-event`: the input is not a valid event; `detail` lists the issues
 * - `dropped:<type>`: the type is not forwarded or unknown, or the event follows the end; see `detail.reason`
 * - `lossy:output`: the answer exceeds `maxOutputLength`
 * - `gap`: the stream ended without `final` or `error`
 *
 * @throws TypeError if an option, or `error` at the end, is invalid.
 *
 * @example
 * ```ts
 * async function* call(input, ctx) {
 *   yield* iterate(subAgentToolEvents({ toolName: 'researcher' }), subAgent.call(memory, ctx, config))
 * }
 * ```
 *
 * @see docs/spec/agent-event-stream.md#sub-agent-calls
 */
export function subAgentToolEvents(
  options: SubAgentOptions,
): Machine<
  MachineState<'subAgentToolEvents'>,
  AgentEvent | UnknownAgentEvent,
  ToolEvent,
  { readonly error?: string }
> {
  requireOnly('options', options, ['toolName', 'forward', 'maxOutputLength'])
  const { toolName, forward = [], maxOutputLength = 16 * 1024 * 1024 } = options
  requireText('toolName', toolName)
  requireArray('forward', forward)
  for (const [i, type] of forward.entries()) requireOneOf(`forward[${i}]`, type, forwardable)
  requireInteger('maxOutputLength', maxOutputLength, 1)
  const forwarded: readonly AgentEventType[] = forward

  const machine: Machine<SubAgentState, AgentEvent | UnknownAgentEvent, ToolEvent, SubAgentEnd> = {
    initial: { output: '', isTruncated: false, hasFinal: false, isDone: false },
    step(state, input) {
      const builder = new StepBuilder<SubAgentState, ToolEvent>(state)
      const decoded = decodeRunEvent(input)
      if (decoded.status !== 'known') reportUndecoded(builder, decoded)
      else forwardEvent(builder, decoded.event)
      return builder.done()
    },
    end(state, reason = {}) {
      requireObject('reason', reason)
      optional(requireString, 'error', reason.error)
      const builder = new StepBuilder<SubAgentState, ToolEvent>(state)
      if (!state.isDone) emitResult(builder, reason.error)
      return builder.done()
    },
  }
  return opaque(machine)

  function forwardEvent(builder: StepBuilder<SubAgentState, ToolEvent>, event: RunEvent): void {
    const { error, hasFinal, isDone } = builder.state
    if ((event.type === 'error' || event.type === 'cancelled') && error === undefined && !isDone) {
      builder.update({ error: event.type === 'error' ? event.error : event.reason })
    } else if (hasFinal || error !== undefined || isDone) {
      builder.dropped(event.type, 'after-end', `${event.type} after the end of the sub-agent.`)
    } else if (event.type === 'final') {
      builder.update({ hasFinal: true })
    } else if (event.type === 'stream') {
      builder.emit({ type: 'progress', toolName, data: event.content })
      appendOutput(builder, event.content)
    } else if (forwarded.includes(event.type as AgentEventType)) {
      const data = { subtype: 'agent_event', event: { ...event } }
      builder.emit({ type: 'progress', toolName, data })
    } else {
      builder.dropped(event.type, 'not-forwarded', `${event.type} is not in the option forward.`)
    }
  }

  function appendOutput(builder: StepBuilder<SubAgentState, ToolEvent>, content: string): void {
    if (builder.state.isTruncated) return
    const output = builder.state.output + content
    if (output.length <= maxOutputLength) builder.update({ output })
    else builder.update({ output: output.slice(0, maxOutputLength), isTruncated: true })
  }

  function emitResult(builder: StepBuilder<SubAgentState, ToolEvent>, hostError: string | undefined): void {
    const { error = hostError, hasFinal, isTruncated, output } = builder.state
    builder.update({ isDone: true })
    if (error !== undefined) {
      builder.emit({ type: 'result', toolName, output: error, isError: true })
    } else if (!hasFinal) {
      const message = 'The sub-agent ended without final or error.'
      builder.emit({ type: 'result', toolName, output: message, isError: true })
      builder.diagnostic('gap', message)
    } else {
      builder.emit({ type: 'result', toolName, output })
      if (isTruncated) {
        builder.lossy('output', `The answer exceeds maxOutputLength of ${maxOutputLength} code units.`)
      }
    }
  }
}
