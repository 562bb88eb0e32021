/** The rules of content and thoughts. */
import { always, defineRule, hint, mostly, type RuleMeta, strictly } from './rule.ts'

export type TextRuleName =
  | 'delta-index'
  | 'whole-repeats-deltas'
  | 'segment-restarts'
  | 'segment-open-at-success'
  | 'segment-open-at-failure'
  | 'thought-once'
  | 'thought-index'
  | 'confidence-range'
  | 'related-known'
  | 'silent-while-waiting'

export const textRules: Readonly<Record<TextRuleName, RuleMeta>> = {
  'delta-index': defineRule(
    'K16',
    'stated',
    mostly,
    'The deltas of a segment, of a thought and of a call’s arguments are numbered 0, 1, 2 and so on; a merged one takes all its numbers.',
  ),
  'whole-repeats-deltas': defineRule(
    'K17',
    'stated',
    mostly,
    'What follows deltas repeats them whole: `content-complete`, `thought-stream` and the arguments of `tool-start`.',
  ),
  'segment-restarts': defineRule(
    'K18',
    'inferred',
    mostly,
    'After a `content-complete` the next delta has index 0.',
  ),
  'segment-open-at-success': defineRule(
    'K19',
    'inferred',
    mostly,
    'A task that completes has ended its text by `content-complete`.',
  ),
  'segment-open-at-failure': defineRule(
    'K19',
    'inferred',
    hint,
    'A task that fails or is canceled has ended its text by `content-complete`.',
  ),
  'thought-once': defineRule(
    'K40',
    'stated',
    ['error', 'warn', 'off'],
    'There is one `thought-stream` for each `thoughtId`, and no delta of it afterwards.',
  ),
  'thought-index': defineRule(
    'K40',
    'stated',
    ['error', 'warn', 'off'],
    'The thoughts of a task are numbered 0, 1, 2 and so on.',
  ),
  'confidence-range': defineRule('K41', 'stated', always, '`metadata.confidence` is between 0 and 1.'),
  'related-known': defineRule(
    'K41',
    'inferred',
    ['warn', 'warn', 'off'],
    '`metadata.relatedTo` names a thought or tool call of the stream, which may come later.',
  ),
  'silent-while-waiting': defineRule(
    'K44',
    'inferred',
    strictly,
    'While a task waits for an input or an authentication it says nothing and starts no tool.',
  ),
}
