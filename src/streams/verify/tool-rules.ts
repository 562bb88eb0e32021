/** The rules of tool calls. */
import { always, defineRule, hint, mostly, type RuleMeta, strictly } from './rule.ts'

export type ToolRuleName =
  | 'tool-call-once'
  | 'tool-call-open'
  | 'tool-name'
  | 'arguments-before-start'
  | 'progress-range'
  | 'progress-order'
  | 'tool-outcome'
  | 'tool-open-at-success'
  | 'tool-open-at-failure'
  | 'tool-alone'

export const toolRules: Readonly<Record<ToolRuleName, RuleMeta>> = {
  'tool-call-once': defineRule(
    'K22',
    'stated',
    always,
    'There is one `tool-start` for each `toolCallId` of a context.',
  ),
  'tool-call-open': defineRule(
    'K22',
    'stated',
    mostly,
    '`tool-progress` and `tool-complete` belong to a call of the same task that has started and not ended.',
  ),
  'tool-name': defineRule('K22', 'inferred', mostly, 'All events of a call name the same tool.'),
  'arguments-before-start': defineRule(
    'K22',
    'added',
    mostly,
    'The deltas of a call’s arguments precede its `tool-start`.',
  ),
  'progress-range': defineRule('K23', 'stated', always, '`progress` is between 0 and 1.'),
  'progress-order': defineRule(
    'K23',
    'inferred',
    strictly,
    '`progress` does not fall within a call, and `stepsCompleted` is at most `stepsTotal`.',
  ),
  'tool-outcome': defineRule(
    'K24',
    'inferred',
    strictly,
    'A call that succeeded has no `error`; one that failed has an `error` and no `result`.',
  ),
  'tool-open-at-success': defineRule('K25', 'inferred', mostly, 'No tool runs when its task completes.'),
  'tool-open-at-failure': defineRule(
    'K25',
    'inferred',
    hint,
    'No tool runs when its task fails or is canceled, which would end it without a word.',
  ),
  'tool-alone': defineRule(
    'K26',
    'inferred',
    strictly,
    'While a call with `metadata.concurrent: false` runs, no other call of its task does.',
  ),
}
