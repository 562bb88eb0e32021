// Tests the rules of errors and of the agent loop.
import { created, describeCases, ended, start, status, thinking } from './cases.ts'

describeCases('errors and iterations', {
  'reports a result after a fatal error': {
    events: [
      created,
      { kind: 'task-error', error: { code: 'internal', message: '', retry: 'terminal' } },
      { kind: 'task-complete' },
      status('completed'),
    ],
    rules: ['fatal-error-ends-task'],
  },
  'accepts an error of a task that names an ended call, and reports one of the call itself': {
    events: [
      created,
      start('c'),
      ended('c'),
      ...['task', 'tool'].map((scope, n) => ({
        kind: 'task-error',
        error: { code: 'internal', message: '', retry: 'retrying', attempt: n + 1, scope, toolCallId: 'c' },
      })),
      status('completed'),
    ],
    rules: ['tool-error-before-end'],
  },
  'reports an iteration that decreases': {
    events: [
      created,
      { kind: 'internal:llm-call', iteration: 1, model: 'm', messageCount: 1, toolCount: 0 },
      { kind: 'internal:checkpoint', iteration: 0 },
      status('completed'),
    ],
    rules: ['iteration-order'],
  },
  'reports a reset of an earlier iteration, which resets nothing': {
    events: [
      created,
      { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: '{', index: 0, iteration: 1 },
      { kind: 'iteration-reset', iteration: 0 },
      { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: '}', index: 1, iteration: 1 },
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {}, iteration: 1 },
      ended('c'),
      status('completed'),
    ],
    rules: ['iteration-order'],
  },
  'counts thoughts from the first one again after a reset of the first iteration': {
    events: [
      created,
      ...[0, 'reset', 1].map((index, n) =>
        index === 'reset'
          ? { kind: 'iteration-reset', iteration: 0 }
          : {
              ...{ kind: 'thought-stream', thoughtId: `h${n}`, content: '', thoughtType: 'reasoning' },
              ...{ verbosity: 'normal', index, iteration: 0 },
            },
      ),
      status('completed'),
    ],
    rules: ['thought-index'],
  },
  'accepts attempts that restart at 1': {
    events: [
      created,
      ...[1, 2, 1, 2].map((attempt) => ({
        kind: 'task-error',
        error: { code: 'timeout', message: '', retry: 'retrying', attempt },
      })),
      status('completed'),
    ],
    rules: [],
  },
  'reports a repeated attempt, and accepts a restart at 1': {
    events: [
      created,
      ...[1, 2, 2, 3, 1, 2].map((attempt) => ({
        kind: 'task-error',
        error: { code: 'timeout', message: '', retry: 'retrying', attempt },
      })),
      status('completed'),
    ],
    rules: ['attempt-order'],
  },
  'reports an earlier stage of the same iteration, except from one tool to the next': {
    events: [
      created,
      ...['pre-llm', 'post-tool', 'pre-tool', 'post-tool'].map((stage) => ({
        ...thinking,
        iteration: 0,
        stage,
      })),
      { kind: 'internal:llm-call', iteration: 1, model: 'm', messageCount: 1, toolCount: 1 },
      { ...thinking, iteration: 1, stage: 'pre-llm' },
      { ...thinking, iteration: 1, stage: 'post-tool' },
      { kind: 'internal:checkpoint', iteration: 1 },
      { ...thinking, iteration: 1, stage: 'post-llm' },
      status('completed'),
    ],
    rules: ['iteration-order'],
  },
})
