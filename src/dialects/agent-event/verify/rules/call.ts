/** Rules of tool calls. */

import { boundedDelete, boundedGet, boundedSet } from '../../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../../core/require.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules, WARN, WARN_LENIENT_OFF } from '../../../../rules/rule.ts'
import { parseObject } from '../../wire/json-text.ts'
import { closeCall, findCall, keyOf, listCalls, newestCall, openCall } from '../../wire/open-calls.ts'
import type {
  AgentToolCallEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
} from '../../wire/types.generated.ts'
import type { AgentContext } from '../context.ts'
import type { CallRuleName } from '../state.ts'

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
    const message = `Expected a toolCallId that no open call has, got ${describeValue(toolCallId)}.`
    context.report('unique-call-id', message, { path: '/toolCallId', relatedEventIndex: same.index })
  }
  if (parseObject(toolArgs) === undefined) {
    const message = `Expected toolArgs to be the JSON text of an object, got ${describeValue(toolArgs)}.`
    context.report('arguments-are-object', message, { path: '/toolArgs' })
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

export function checkProgress(context: AgentContext, event: AgentToolProgressEvent): void {
  if (findCall(context.state.openCalls, event) === undefined)
    reportNoCall(context, 'progress-within-call', event)
}

export function checkResult(context: AgentContext, event: AgentToolResultEvent): void {
  const { openCalls } = context.state
  const call = findCall(openCalls, event)
  if (call === undefined) {
    reportNoCall(context, 'result-matches-call', event)
    return
  }
  context.state.openCalls = closeCall(openCalls, call)
  if (call.statedId === undefined) countWithoutId(context, call.toolName, -1)
}

/** Checks that every call has its result at `final`. */
export function checkOpenCalls(context: AgentContext): void {
  for (const { toolName, index } of listCalls(context.state.openCalls)) {
    const message = `Expected a tool_result of ${describeValue(toolName)} before final, got none.`
    context.report('call-has-result', message, { actual: toolName, relatedEventIndex: index })
  }
}

/** Of a stream that was joined late, the calls are not all known. */
function reportNoCall(
  context: AgentContext,
  rule: 'progress-within-call' | 'result-matches-call',
  { type, toolName }: AgentToolProgressEvent | AgentToolResultEvent,
): void {
  if (context.isPartial) return
  context.report(rule, `Expected an open call of ${describeValue(toolName)} before ${type}, got none.`, {
    path: '/toolName',
  })
}

function countWithoutId(context: AgentContext, toolName: string, change: 1 | -1): void {
  const { withoutId } = context.state
  const count = (boundedGet(withoutId, toolName) ?? 0) + change
  context.state.withoutId =
    count > 0 ? boundedSet(withoutId, toolName, count).map : boundedDelete(withoutId, toolName)
}
