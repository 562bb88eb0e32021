/** Rules of tool calls. */

import { boundedDelete, boundedGet, boundedSet } from '../../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../../core/require.ts'
import { reportUnexpected } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules, WARN, WARN_LENIENT_OFF } from '../../../../rules/rule.ts'
import { parseObject } from '../../wire/json-text.ts'
import { closeCall, findCall, keyOf, listCalls, newestCall, openCall } from '../../wire/open-calls.ts'
import type {
  AgentToolCallEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
} from '../../wire/types.generated.ts'
import type { AgentContext } from '../context.ts'
import type { CallRuleName, VerifiedCall } from '../state.ts'

export const callRules: Rules<CallRuleName> = {
  'progress-within-call': defineRule(
    'A03',
    'stated',
    ERROR_LENIENT_WARN,
    'A tool_progress belongs to an open tool_call of its tool.',
  ),
  'result-matches-call': defineRule(
    'A03',
    'stated',
    ERROR_LENIENT_WARN,
    'A tool_result belongs to an open tool_call of its tool.',
  ),
  'unambiguous-call': defineRule('A03', 'added', WARN_LENIENT_OFF, 'Concurrent calls of one tool have ids.'),
  'unique-call-id': defineRule('A03', 'added', ERROR_LENIENT_WARN, 'Concurrent calls have different ids.'),
  'call-has-result': defineRule(
    'A04',
    'stated',
    ERROR_LENIENT_WARN,
    'Every tool_call has its tool_result before final.',
  ),
  'arguments-are-object': defineRule('A05', 'stated', WARN, 'toolArgs is a JSON object as text.'),
}

export function checkCall(
  context: AgentContext,
  { toolName, toolArgs, toolCallId }: AgentToolCallEvent,
): void {
  const { openCalls, nextIndex: index, withoutId } = context.state
  const other = newestCall(openCalls, toolName)
  if (other !== undefined && (toolCallId === undefined || boundedGet(withoutId, toolName) !== undefined)) {
    const message = `Expected a toolCallId of both calls of ${describeValue(toolName)} that are open, got a call without one.`
    context.report('unambiguous-call', message, { path: '/toolName', relatedEventIndex: other.index })
  }
  const same = toolCallId === undefined ? undefined : findCall(openCalls, { toolCallId })
  if (same !== undefined) {
    const related = { relatedEventIndex: same.index }
    const expected = 'a toolCallId that no open call has'
    reportUnexpected(context, 'unique-call-id', '/toolCallId', expected, toolCallId, related)
  }
  if (parseObject(toolArgs) === undefined) {
    const expected = 'toolArgs to be the JSON text of an object'
    reportUnexpected(context, 'arguments-are-object', '/toolArgs', expected, toolArgs)
  }
  const key = keyOf(toolCallId === undefined || same !== undefined ? index : toolCallId)
  const call = {
    key,
    toolName,
    order: index,
    index,
    ...(toolCallId !== undefined && { statedId: toolCallId }),
  }
  context.state.openCalls = openCall(openCalls, call)
  if (toolCallId === undefined) countWithoutId(context, toolName, 1)
}

/** The open call of an event. `undefined` if there is none, which is reported unless it may be unknown. */
export function checkOpen(
  context: AgentContext,
  rule: 'progress-within-call' | 'result-matches-call',
  event: AgentToolProgressEvent | AgentToolResultEvent,
): VerifiedCall | undefined {
  const { type, toolName } = event
  const call = findCall(context.state.openCalls, event)
  if (call === undefined && !context.isPartial) {
    const message = `Expected an open call of ${describeValue(toolName)} before ${type}, got none.`
    context.report(rule, message, { path: '/toolName' })
  }
  return call
}

export function checkResult(context: AgentContext, event: AgentToolResultEvent): void {
  const call = checkOpen(context, 'result-matches-call', event)
  if (call === undefined) return
  context.state.openCalls = closeCall(context.state.openCalls, call)
  if (call.statedId === undefined) countWithoutId(context, call.toolName, -1)
}

/** Checks that every call has its result at `final`. */
export function checkOpenCalls(context: AgentContext): void {
  for (const { toolName, index } of listCalls(context.state.openCalls)) {
    const message = `Expected a tool_result of ${describeValue(toolName)} before final, got none.`
    context.report('call-has-result', message, { actual: toolName, relatedEventIndex: index })
  }
}

function countWithoutId(context: AgentContext, toolName: string, change: 1 | -1): void {
  const { withoutId } = context.state
  const count = (boundedGet(withoutId, toolName) ?? 0) + change
  context.state.withoutId =
    count > 0 ? boundedSet(withoutId, toolName, count).map : boundedDelete(withoutId, toolName)
}
