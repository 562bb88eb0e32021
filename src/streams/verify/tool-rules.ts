/** The rules of tool calls. */
import { always, facts, hint, mostly, type RuleFacts, strictly } from './rule.ts'

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

export const toolRules: Readonly<Record<ToolRuleName, RuleFacts>> = {
  'tool-call-once': facts(
    'K22',
    'stated',
    always,
    'There is one `tool-start` for each `toolCallId` of a context.',
  ),
  'tool-call-open': facts(
    'K22',
    'stated',
    mostly,
    '`tool-progress` and `tool-complete` belong to a call of the same task that has started and not ended.',
  ),
  'tool-name': facts('K22', 'inferred', mostly, 'All events of a call name the same tool.'),
  'arguments-before-start': facts(
    'K22',
    'added',
    mostly,
    'The deltas of a call’s arguments precede its `tool-start`.',
  ),
  'progress-range': facts('K23', 'stated', always, '`progress` is between 0 and 1.'),
  'progress-order': facts(
    'K23',
    'inferred',
    strictly,
    '`progress` does not fall within a call, and `stepsCompleted` is at most `stepsTotal`.',
  ),
  'tool-outcome': facts(
    'K24',
    'inferred',
    strictly,
    'A call that succeeded has no `error`; one that failed has an `error` and no `result`.',
  ),
  'tool-open-at-success': facts('K25', 'inferred', mostly, 'No tool runs when its task completes.'),
  'tool-open-at-failure': facts(
    'K25',
    'inferred',
    hint,
    'No tool runs when its task fails or is canceled, which would end it without a word.',
  ),
  'tool-alone': facts(
    'K26',
    'inferred',
    strictly,
    'While a call with `metadata.concurrent: false` runs, no other call of its task does.',
  ),
}
