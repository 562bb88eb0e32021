/** The rules of A2A streams. */

import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rule,
  type Rules,
  rulesOf,
  WARN_LENIENT_OFF,
} from '../../../rules/rule.ts'
import type { Violation } from '../../../rules/violation.ts'

/** The name of a rule of A2A streams. */
export type A2aRuleName =
  | 'invalid-item'
  | 'task-not-first'
  | 'resumed-without-task'
  | 'second-task'
  | 'message-beside-task'
  | 'after-end'
  | 'other-task'
  | 'other-context'
  | 'append-to-unknown'
  | 'append-after-last'
  | 'submitted-again'
  | 'message-id-reused'

/** An item of an A2A stream that breaks a rule. */
export type A2aViolation = Violation<A2aRuleName>

export const ruleMeta: Rules<A2aRuleName> = {
  'invalid-item': defineRule('A01', 'stated', ERROR, 'An item is valid; see `validateA2aEvent`.'),
  'task-not-first': defineRule(
    'A02',
    'stated',
    ERROR_LENIENT_WARN,
    'A stream of 1.0 starts with its task, or is one message.',
  ),
  'resumed-without-task': defineRule(
    'A03',
    'inferred',
    ERROR_WARN_OFF,
    'The stream of 1.0 after an input starts with the task as well. Some servers reject it otherwise, some never send it.',
  ),
  'second-task': defineRule('A04', 'inferred', ERROR_WARN_OFF, 'A stream has its task at most once.'),
  'message-beside-task': defineRule(
    'A05',
    'stated',
    ERROR_LENIENT_WARN,
    'A stream is either that of a task, or one message.',
  ),
  'after-end': defineRule('A06', 'stated', ERROR, 'Nothing follows a message or the end of a task.'),
  'other-task': defineRule('A07', 'stated', ERROR, 'All items belong to one task.'),
  'other-context': defineRule('A08', 'inferred', ERROR_LENIENT_WARN, 'All items have the same context.'),
  'append-to-unknown': defineRule(
    'A09',
    'inferred',
    ERROR_LENIENT_WARN,
    'Parts are appended only to an artifact that exists.',
  ),
  'append-after-last': defineRule(
    'A10',
    'inferred',
    WARN_LENIENT_OFF,
    'Nothing is appended to an artifact after its last chunk.',
  ),
  'submitted-again': defineRule(
    'A11',
    'inferred',
    ERROR_LENIENT_WARN,
    'A task that has started is not submitted again.',
  ),
  'message-id-reused': defineRule(
    'A12',
    'stated',
    ERROR_WARN_OFF,
    'Two different messages have different ids: receivers ignore the second of two with one id.',
  ),
}

/** The rules of A2A streams that {@link a2aVerifier} checks. */
export const a2aRules: readonly Rule<A2aRuleName>[] = rulesOf(ruleMeta)
