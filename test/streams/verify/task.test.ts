// Tests the rules of tasks: status, result and end.
import { created, describeCases, status } from './cases.ts'

describeCases('tasks', {
  'accepts a result before the final status': {
    events: [created, { kind: 'task-complete' }, status('completed')],
    rules: [],
  },
  'accepts a final status before the result': {
    events: [created, status('completed'), { kind: 'task-complete' }],
    rules: [],
  },
  'rejects a second final status after the result': {
    events: [created, { kind: 'task-complete' }, status('completed'), status('completed')],
    rules: ['nothing-after-end'],
  },
  'accepts a repeated status': {
    events: [created, status('working'), status('working'), status('completed')],
    rules: [],
  },
  'accepts result artifacts of a subtask, and reports unknown ones': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'data-write', taskId: 'sub', artifactId: 'a', data: {} },
      { kind: 'task-complete', taskId: 'sub', artifacts: ['a'] },
      { kind: 'task-complete', artifacts: ['a', 'b'] },
    ],
    rules: ['result-artifacts'],
  },
  'reports submitted after working, even if the task was joined late': {
    events: [status('working'), status('submitted'), status('completed')],
    options: { startIndex: 3 },
    rules: ['status-order'],
  },
  'reports a task-created after other events of a task that was joined late': {
    events: [{ kind: 'content-delta', delta: 'a', index: 0 }, created, status('failed')],
    options: { startIndex: 2, mode: 'standard' },
    rules: ['created-first'],
  },
  'reports values that are not events': {
    events: [{ ...created, initiator: undefined }, { kind: 5 }],
    rules: ['well-formed', 'well-formed'],
  },
  'accepts tasks without a task-created in lenient mode': {
    events: [status('submitted'), status('working'), status('completed')],
    options: { mode: 'lenient' },
    rules: [],
  },
})
