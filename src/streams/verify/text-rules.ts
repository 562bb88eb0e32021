/** The rules of content and thoughts. */
import { always, facts, hint, mostly, type RuleFacts, strictly } from './rule.ts'

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

export const textRules: Readonly<Record<TextRuleName, RuleFacts>> = {
  'delta-index': facts(
    'K16',
    'stated',
    mostly,
    'The deltas of a segment, of a thought and of a call’s arguments are numbered 0, 1, 2 and so on; a merged one takes all its numbers.',
  ),
  'whole-repeats-deltas': facts(
    'K17',
    'stated',
    mostly,
    'What follows deltas repeats them whole: `content-complete`, `thought-stream` and the arguments of `tool-start`.',
  ),
  'segment-restarts': facts(
    'K18',
    'inferred',
    mostly,
    'After a `content-complete` the next delta has index 0.',
  ),
  'segment-open-at-success': facts(
    'K19',
    'inferred',
    mostly,
    'A task that completes has ended its text by `content-complete`.',
  ),
  'segment-open-at-failure': facts(
    'K19',
    'inferred',
    hint,
    'A task that fails or is canceled has ended its text by `content-complete`.',
  ),
  'thought-once': facts(
    'K40',
    'stated',
    ['error', 'warn', 'off'],
    'There is one `thought-stream` for each `thoughtId`, and no delta of it afterwards.',
  ),
  'thought-index': facts(
    'K40',
    'stated',
    ['error', 'warn', 'off'],
    'The thoughts of a task are numbered 0, 1, 2 and so on.',
  ),
  'confidence-range': facts('K41', 'stated', always, '`metadata.confidence` is between 0 and 1.'),
  'related-known': facts(
    'K41',
    'inferred',
    ['warn', 'warn', 'off'],
    '`metadata.relatedTo` names a thought or tool call of the stream, which may come later.',
  ),
  'silent-while-waiting': facts(
    'K44',
    'inferred',
    strictly,
    'While a task waits for an input or an authentication it says nothing and starts no tool.',
  ),
}
