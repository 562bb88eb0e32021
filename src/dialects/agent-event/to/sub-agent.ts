/** An agent as a tool of another agent. */
import type { Diagnostic, Machine } from '../../../core/machine.ts'
import { decodeAgentEvent } from '../wire/decode.ts'
import { dropped, lossy, notKnown } from '../wire/diagnostics.ts'
import type { AgentEvent, AgentEventType, ToolEvent, UnknownAgentEvent } from '../wire/types.ts'

/** Settings of {@link subAgentToolEvents}. */
export interface SubAgentOptions {
  /** The tool the sub-agent is called by. Not empty. */
  readonly toolName: string
  /**
   * Which events of the sub-agent besides its answer are forwarded, as the `event` of a progress with
   * the subtype `agent_event`.
   * @defaultValue none
   */
  readonly forward?: readonly Exclude<AgentEventType, 'stream' | 'final' | 'error'>[]
  /**
   * How much of the answer the result has, in UTF-16 units.
   * @defaultValue 16 Mi
   */
  readonly maxOutputLength?: number
}

/** What the host knows at the end of a sub-agent. */
export interface SubAgentEnd {
  /** What the sub-agent failed with, such as the message of what it threw. Absent: it just ended. */
  readonly error?: string
}

/** Where {@link subAgentToolEvents} stands between two events. */
export interface SubAgentState {
  /** The answer so far. */
  readonly output: string
  /** Whether the answer is longer than that. */
  readonly isCut: boolean
  /** Whether `final` was there. */
  readonly isFinal: boolean
  /** The first error. Absent: none so far. */
  readonly error?: string
  /** Whether the result was put out. */
  readonly isDone: boolean
}

/**
 * Says what a sub-agent sends as what the tool that wraps it yields: each piece of the answer as
 * progress, and at the end the result, which is the whole answer.
 *
 * The result is put out by `end`, so that no error is too late: whenever there was one, the result has
 * `isError` and the error as its output. A stream that ends without `final` or `error` is cut off, and
 * that is an error too. There is exactly one result, also of an empty stream.
 *
 * Diagnostics: `dropped:<type>` for events that are not forwarded or follow the end; `lossy:output` when the
 * answer is longer than the limit; `truncated` when there was no end; `invalid-event`.
 *
 * @throws TypeError when `toolName` is empty, or the limit is no whole number of at least 1.
 *
 * @example
 * ```ts
 * async *call(input, ctx) {
 *   yield* iterate(subAgentToolEvents({ toolName: this.id }), subAgent.call(memory, ctx, config))
 * }
 * ```
 *
 * @see docs/spec/agent-event-stream.md#sub-agent-calls
 */
export function subAgentToolEvents(
  options: SubAgentOptions,
): Machine<SubAgentState, AgentEvent | UnknownAgentEvent, ToolEvent, SubAgentEnd> {
  const { toolName, forward = [], maxOutputLength = 16 * 1024 * 1024 } = options
  if (typeof toolName !== 'string' || toolName === '') {
    throw new TypeError('toolName must be the name of the tool the sub-agent is called by.')
  }
  if (!Number.isSafeInteger(maxOutputLength) || maxOutputLength < 1) {
    throw new TypeError('maxOutputLength must be a whole number of at least 1.')
  }
  const forwarded: readonly AgentEventType[] = forward

  return {
    initial: { output: '', isCut: false, isFinal: false, isDone: false },
    step(state, input) {
      const decoded = decodeAgentEvent(input)
      if (decoded.status !== 'known') return { state, out: [], diagnostics: [notKnown(decoded)] }
      const { event } = decoded
      if (event.type === 'error' && state.error === undefined && !state.isDone) {
        return { state: { ...state, error: event.error }, out: [] }
      }
      if (state.isFinal || state.error !== undefined || state.isDone) {
        return { state, out: [], diagnostics: [dropped(event.type, 'Left out, as the sub-agent has ended.')] }
      }
      if (event.type === 'final') return { state: { ...state, isFinal: true }, out: [] }
      if (event.type === 'stream') {
        const out = [{ type: 'progress', toolName, data: event.content } as const]
        if (state.isCut) return { state, out }
        const output = state.output + event.content
        return output.length <= maxOutputLength
          ? { state: { ...state, output }, out }
          : { state: { ...state, output: output.slice(0, maxOutputLength), isCut: true }, out }
      }
      if (!forwarded.includes(event.type)) {
        return { state, out: [], diagnostics: [dropped(event.type, 'Not forwarded.')] }
      }
      const data = { subtype: 'agent_event', event: { ...event } }
      return { state, out: [{ type: 'progress', toolName, data }] }
    },
    end(state, how = {}) {
      if (state.isDone) return { state, out: [] }
      const done = { ...state, isDone: true }
      const error = state.error ?? how.error
      if (error !== undefined) {
        return { state: done, out: [{ type: 'result', toolName, output: error, isError: true }] }
      }
      if (!state.isFinal) {
        const message = 'The sub-agent stopped without saying that it has finished.'
        const result = { type: 'result', toolName, output: message, isError: true } as const
        return { state: done, out: [result], diagnostics: [{ code: 'truncated', message }] }
      }
      const out = [{ type: 'result', toolName, output: state.output } as const]
      const diagnostics: Diagnostic[] = [lossy('output', `The answer is longer than ${maxOutputLength}.`)]
      return state.isCut ? { state: done, out, diagnostics } : { state: done, out }
    },
  }
}
