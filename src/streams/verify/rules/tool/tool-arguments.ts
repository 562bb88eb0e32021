/** Rules of the arguments of tool calls that are streamed before the call starts. */

import { describeValue } from '../../../../core/require.ts'
import { toUnicode } from '../../../../encoding/unicode.ts'
import { callDigest } from '../../../../json/call-digest.ts'
import { isEqualJson } from '../../../../json/value.ts'
import { expectEqual } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules } from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { ToolArgumentsRuleName } from '../../rule-names.ts'
import { type CallState, newCall } from '../../state/verifier-state.ts'
import { enterItem } from '../item.ts'
import { iterationOf } from '../iteration.ts'
import { appendToSeries } from '../series.ts'

export const toolArgumentsRules: Rules<ToolArgumentsRuleName> = {
  'arguments-before-start': defineRule(
    'K22',
    'added',
    ERROR_LENIENT_WARN,
    'The deltas of a call’s arguments come before its `tool-start`.',
  ),
}

/** Longer streamed arguments are not compared with those of `tool-start`. */
const MAX_ARGUMENTS_LENGTH = 65_536

export const toolArgumentsChecks: Checks<'tool-arguments-delta'> = {
  'tool-arguments-delta'(context, event) {
    const { kind, toolCallId, toolName, delta } = event
    const entered = enterItem(context, 'calls', kind, toolCallId)
    if (entered === undefined) return
    const { key, known } = entered
    const iteration = iterationOf(context, known, event.iteration, ['calls', key])
    const call = known ?? { ...newCall('writing', ''), iteration }
    expectEqual(context, 'tool-name', '/toolName', call.toolName ?? toolName, toolName)
    const series = appendToSeries(context, known?.series ?? null, event, 'delta-index')
    const text = series.hash === null || call.argumentsText === null ? null : call.argumentsText + delta
    const argumentsText = text !== null && text.length > MAX_ARGUMENTS_LENGTH ? null : text
    context.set('calls', key, { ...call, toolName, series, argumentsText })
    context.setOpen('calls', key, true)
  },
}

/** Reports arguments of a `tool-start` that differ from the joined deltas. */
export function checkArguments(
  context: CheckContext,
  toolCallId: string,
  { argumentsText, approved, toolName }: CallState,
  value: Record<string, unknown>,
): void {
  if (argumentsText === null || isJsonOf(argumentsText, value)) return
  if (approved !== null && approved === callDigest({ toolName: toolName ?? '', arguments: value })) return
  const message = `Expected the joined deltas of toolCallId ${describeValue(toolCallId)} as arguments, got other arguments.`
  context.report('whole-repeats-deltas', message, { path: '/arguments' })
}

const ignore = (): void => {}

/** Whether a text is the JSON of a value. */
function isJsonOf(text: string, value: Record<string, unknown>): boolean {
  // Providers stream no text where there are no arguments.
  if (text.trim() === '') return Object.keys(value).length === 0
  try {
    const parsed = JSON.parse(text) as unknown
    // An escape in the text may be half a surrogate pair, which no event has.
    return isEqualJson(parsed, value) || isEqualJson(toUnicode(parsed, ignore), value)
  } catch {
    return false
  }
}
