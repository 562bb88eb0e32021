/** The rules of events as such, of tasks and of their errors. */
import { always, defineRule, hint, mostly, type RuleMeta, strictly } from './rule.ts'

export type TaskRuleName =
  | 'well-formed'
  | 'timestamp-format'
  | 'time-order'
  | 'order-per-task'
  | 'created-first'
  | 'created-once'
  | 'known-parent'
  | 'subtask-initiator'
  | 'subtask-parent'
  | 'subtask-pair'
  | 'subtask-first'
  | 'status-order'
  | 'nothing-after-end'
  | 'single-result'
  | 'no-result-after-failure'
  | 'task-ends'
  | 'waiting-for-something'
  | 'result-repeats-content'
  | 'result-artifacts'
  | 'internal-hidden'
  | 'iteration-order'
  | 'children-end-first'
  | 'error-with-failure'
  | 'fatal-error-ends-task'
  | 'attempt-order'
  | 'tool-error-before-end'
  | 'stream-error-outside'
  | 'unknown-kind'
  | 'unknown-field'

export const taskRules: Readonly<Record<TaskRuleName, RuleMeta>> = {
  'well-formed': defineRule(
    'K01',
    'stated',
    always,
    'Every event has `kind`, `contextId`, `taskId` and `timestamp`, and the fields of its kind.',
  ),
  'timestamp-format': defineRule(
    'K02',
    'inferred',
    always,
    '`timestamp` is an RFC 3339 date-time with zone.',
  ),
  'time-order': defineRule('K02', 'inferred', strictly, '`timestamp` does not fall within a task.'),
  'order-per-task': defineRule(
    'K03',
    'stated',
    ['off', 'off', 'off'],
    'Order holds within a task. Events of several tasks may come in any order among one another.',
    'none',
  ),
  'created-first': defineRule(
    'K04',
    'stated',
    ['error', 'error', 'off'],
    'The first event of a task is its `task-created`.',
  ),
  'created-once': defineRule('K05', 'inferred', always, 'There is one `task-created` for each task.'),
  'known-parent': defineRule(
    'K06',
    'stated',
    mostly,
    'A `parentTaskId` names another task of the context that has not ended, and always the same one. Tasks are nested 16 deep at most.',
  ),
  'subtask-initiator': defineRule(
    'K07',
    'inferred',
    strictly,
    'A task with a parent is initiated by an agent.',
  ),
  'subtask-parent': defineRule(
    'K08',
    'stated',
    mostly,
    'A `subtask-created` announces a new task, and the task has the announcing one as its parent.',
  ),
  'subtask-pair': defineRule(
    'K08',
    'stated',
    strictly,
    'A subtask has both a `subtask-created` and a `task-created`, in either order.',
  ),
  'subtask-first': defineRule(
    'K09',
    'stated',
    mostly,
    'No event of a subtask comes before its `subtask-created` or its `task-created`.',
  ),
  'status-order': defineRule(
    'K10',
    'stated',
    mostly,
    'A task is `submitted` only before it works or waits. It may say its status again.',
  ),
  'nothing-after-end': defineRule(
    'K11',
    'inferred',
    mostly,
    'Nothing follows the end of a task but the `task-complete`, or the status `completed`, that belongs to it.',
  ),
  'single-result': defineRule('K12', 'inferred', always, 'There is one `task-complete` for each task.'),
  'no-result-after-failure': defineRule(
    'K13',
    'inferred',
    always,
    'A task that failed or was canceled has no `task-complete`.',
  ),
  'task-ends': defineRule(
    'K14',
    'inferred',
    ['error', 'warn', 'warn'],
    'Every task has ended when the stream ends.',
  ),
  'waiting-for-something': defineRule(
    'K15',
    'inferred',
    strictly,
    'While a task waits there is, at least for a time, an open input, an open authentication or a live subtask to wait for.',
  ),
  'result-repeats-content': defineRule(
    'K20',
    'inferred',
    strictly,
    'The `content` of a `task-complete` is that of the last `content-complete`.',
  ),
  'result-artifacts': defineRule(
    'K21',
    'inferred',
    strictly,
    'The `artifacts` of a `task-complete` were completed by the task or its descendants.',
  ),
  'internal-hidden': defineRule(
    'K42',
    'stated',
    always,
    'No `internal:` event is in a stream for clients. Checked with the option `external`.',
    'option',
  ),
  'iteration-order': defineRule(
    'K43',
    'inferred',
    strictly,
    '`iteration` does not fall within a task, nor does the stage within an iteration, but for one tool after another.',
  ),
  'children-end-first': defineRule(
    'K45',
    'inferred',
    strictly,
    'A task completes after all its subtasks have ended.',
  ),
  'error-with-failure': defineRule('K46', 'added', mostly, 'Only the status `failed` has an `error`.'),
  'fatal-error-ends-task': defineRule(
    'K46',
    'added',
    mostly,
    'After an error of the task that is `exhausted` or `terminal`, its next status is `failed` or `canceled`.',
  ),
  'attempt-order': defineRule(
    'K46',
    'added',
    strictly,
    'The `attempt` of errors that are being retried grows, until it begins at 1 again.',
  ),
  'tool-error-before-end': defineRule(
    'K46',
    'added',
    strictly,
    'An error of a tool call precedes the `tool-complete` of the call.',
  ),
  'stream-error-outside': defineRule(
    'K46',
    'added',
    strictly,
    'Errors of the stream itself are not events of a task.',
  ),
  'unknown-kind': defineRule(
    'K47',
    'added',
    ['warn', 'warn', 'off'],
    'Every event is of a kind of this version. Reported once a kind.',
  ),
  'unknown-field': defineRule(
    'K47',
    'added',
    hint,
    'Events have only fields of this version. Reported once a field.',
  ),
}
