/** Verification of the AgentEvents of one run. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { decodeAgentEvent } from '../wire/decode.ts'
import { parseObject } from '../wire/json-text.ts'
import { addCall, findCall, type OpenCall, removeCall } from '../wire/open-calls.ts'
import type { AgentEvent, AgentToolCallEvent, UnknownAgentEvent } from '../wire/types.ts'
import { type AgentEventRuleName, type AgentEventViolation, agentRules } from './rules.ts'
import { reportUndecodedViolations, ViolationBuilder } from './violation-builder.ts'

interface AgentEventVerifierState {
  /** Position of the next event, from 0. */
  readonly eventIndex: number
  /** The event that ended the stream. Omitted before the end. */
  readonly terminal?: 'final' | 'error'
  /** The calls without a result, oldest first. At most 1024. */
  readonly openCalls: readonly VerifiedCall[]
}

/** A call without a result. */
interface VerifiedCall extends OpenCall {
  /** Whether the id came with the event, rather than from a counter. */
  readonly hasId: boolean
}

type Builder = ViolationBuilder<AgentEventVerifierState, AgentEventRuleName>

/**
 * Checks the stream of an agent against {@link agentEventRules}. Never throws on data and never stops: the host
 * decides what to do about a violation.
 *
 * Diagnostics: `too-many-open-calls` if more than 1024 calls have no result; the oldest is removed.
 *
 * @example
 * ```ts
 * const { push, end } = run(agentEventVerifier())
 * const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
 * ```
 */
export function agentEventVerifier(): Machine<
  MachineState<'agentEventVerifier'>,
  AgentEvent | UnknownAgentEvent,
  AgentEventViolation
> {
  const machine: Machine<AgentEventVerifierState, AgentEvent | UnknownAgentEvent, AgentEventViolation> = {
    initial: { eventIndex: 0, openCalls: [] },
    step(state, input) {
      const builder: Builder = new ViolationBuilder(state, agentRules)
      builder.update({ eventIndex: state.eventIndex + 1 })
      const decoded = decodeAgentEvent(input)
      if (decoded.status === 'known') checkEvent(builder, decoded.event, `\0${state.eventIndex}`)
      else reportUndecodedViolations(builder, decoded)
      return builder.done()
    },
    end(state) {
      const builder: Builder = new ViolationBuilder(state, agentRules)
      if (state.terminal === undefined) {
        builder.violation('ends-with-terminal', 'The stream ended without final or error.')
      }
      return builder.done()
    },
  }
  return opaque(machine)
}

/** Checks one event. `counterId` stands for the id of a call that has none: no id of a producer equals it. */
function checkEvent(builder: Builder, event: AgentEvent, counterId: string): void {
  const { terminal, openCalls } = builder.state
  if (terminal !== undefined) {
    checkAfterEnd(builder, event, terminal)
    return
  }
  switch (event.type) {
    case 'tool_call': {
      checkCall(builder, event)
      const { toolName, toolCallId } = event
      const call = { id: toolCallId ?? counterId, toolName, hasId: toolCallId !== undefined }
      builder.update({ openCalls: addCall(openCalls, call, builder) })
      break
    }
    case 'tool_progress':
      if (findCall(openCalls, event) === undefined) {
        const message = `tool_progress without an open call of ${event.toolName}.`
        builder.violation('progress-within-call', message, { path: '/toolName' })
      }
      break
    case 'tool_result': {
      const call = findCall(openCalls, event)
      if (call !== undefined) builder.update({ openCalls: removeCall(openCalls, call) })
      else {
        const message = `tool_result without an open call of ${event.toolName}.`
        builder.violation('result-matches-call', message, { path: '/toolName' })
      }
      break
    }
    case 'final':
      for (const { toolName } of openCalls) {
        const message = `A call of ${toolName} has no result at final.`
        builder.violation('call-has-result', message, { actual: toolName })
      }
      builder.update({ terminal: 'final', openCalls: [] })
      break
    case 'error':
      builder.update({ terminal: 'error', openCalls: [] })
      break
    default:
      break
  }
}

function checkAfterEnd(builder: Builder, { type }: AgentEvent, terminal: 'final' | 'error'): void {
  const more = { path: '/type' }
  if (type !== 'final' && type !== 'error') {
    builder.violation('nothing-after-terminal', `${type} after ${terminal}.`, more)
  } else if (terminal === 'error' && type === 'final') {
    builder.violation('no-final-after-error', 'final after error.', more)
  } else builder.violation('one-terminal', `${type} after ${terminal}.`, more)
}

function checkCall(builder: Builder, { toolName, toolArgs, toolCallId }: AgentToolCallEvent): void {
  const { openCalls } = builder.state
  const concurrent = openCalls.filter((call) => call.toolName === toolName)
  if (concurrent.some((call) => toolCallId === undefined || !call.hasId)) {
    const message = `Another call of ${toolName} is open, and not both have a toolCallId.`
    builder.violation('unambiguous-call', message, { path: '/toolName' })
  }
  if (toolCallId !== undefined && openCalls.some((call) => call.hasId && call.id === toolCallId)) {
    const message = `Duplicate toolCallId "${toolCallId}": a call with this id is open.`
    builder.violation('unique-call-id', message, { path: '/toolCallId', actual: toolCallId })
  }
  if (parseObject(toolArgs) === undefined) {
    const message = 'Expected toolArgs to be a JSON object as text.'
    builder.violation('arguments-are-object', message, { path: '/toolArgs' })
  }
}
