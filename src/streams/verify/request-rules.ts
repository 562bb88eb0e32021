/** The rules of inputs and authentication. */
import { always, defineRule, mostly, type RuleMeta, strictly } from './rule.ts'

export type RequestRuleName =
  | 'input-once'
  | 'input-open'
  | 'user-answers'
  | 'answerer-named'
  | 'input-details'
  | 'answer-in-time'
  | 'auth-once'
  | 'auth-open'
  | 'auth-url'
  | 'answer-after-end'
  | 'user-not-bypassed'

export const requestRules: Readonly<Record<RequestRuleName, RuleMeta>> = {
  'input-once': defineRule(
    'K27',
    'stated',
    always,
    'There is one `input-required` for each `inputId` of a context.',
  ),
  'input-open': defineRule(
    'K27',
    'stated',
    mostly,
    '`input-received` and `input-canceled` belong to an open `input-required` of the same task.',
  ),
  'user-answers': defineRule('K28', 'stated', always, 'What requires the user is answered by the user.'),
  'answerer-named': defineRule(
    'K29',
    'stated',
    strictly,
    'A user who answers is named by `userId`, an agent by `agentId`, and never both are.',
  ),
  'input-details': defineRule(
    'K30',
    'stated',
    strictly,
    'A `selection` has `options` to choose from, and a `tool-execution` has its `metadata.toolCall`.',
  ),
  'answer-in-time': defineRule(
    'K31',
    'inferred',
    ['warn', 'warn', 'off'],
    'An answer comes within the `timeout` or `expiresIn` of its request.',
  ),
  'auth-once': defineRule(
    'K32',
    'stated',
    always,
    'There is one `auth-required` for each `authId` of a context.',
  ),
  'auth-open': defineRule(
    'K32',
    'stated',
    mostly,
    '`auth-completed` and `auth-failed` belong to an open `auth-required` of the same task.',
  ),
  'auth-url': defineRule(
    'K32',
    'inferred',
    ['error', 'warn', 'off'],
    '`oauth2` comes with an `authUrl` of scheme https.',
  ),
  'answer-after-end': defineRule(
    'K33',
    'inferred',
    mostly,
    'The end of a task closes its requests: none is answered afterwards.',
  ),
  'user-not-bypassed': defineRule(
    'K48',
    'stated',
    ['off', 'off', 'off'],
    'What requires the user, and every `auth-required`, reaches the user and not only a coordinator. Who got an event, the event does not show.',
    'none',
  ),
}
