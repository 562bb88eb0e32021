// Tests the rules of waiting tasks.
import { created, describeCases, start, status } from './cases.ts'

describeCases('waiting', {
  'accepts a waiting status before the request it waits for': {
    events: [
      created,
      status('waiting-input'),
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
      status('working'),
      status('completed'),
    ],
    rules: [],
  },
  'reports a stream that ends during a wait for nothing': {
    events: [created, status('waiting-auth')],
    rules: ['task-ends', 'waiting-for-something'],
  },
  'does not count a subtask as an input to wait for': {
    events: [
      created,
      status('waiting-input'),
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('working'),
      status('completed'),
    ],
    rules: ['waiting-for-something'],
  },
  'accepts a wait for a subtask that is created before it is announced': {
    events: [
      created,
      status('waiting-subtask'),
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('working'),
      status('completed'),
    ],
    rules: [],
  },
  'reports content and tools during a wait for an authentication': {
    events: [
      created,
      { kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '' },
      status('waiting-auth'),
      { kind: 'content-delta', delta: 'a', index: 0 },
      start('c'),
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['silent-while-waiting', 'silent-while-waiting'],
  },
  'accepts a repeated waiting status after the request was answered': {
    events: [
      created,
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      status('waiting-input'),
      { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
      status('waiting-input'),
      status('working'),
      status('completed'),
    ],
    rules: [],
  },
  'accepts a failure during a wait for nothing': {
    events: [created, status('waiting-input'), status('failed')],
    rules: [],
  },
  'accepts waits for one input, one authentication and one subtask': {
    events: [
      created,
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      status('waiting-input'),
      { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
      { kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '' },
      status('waiting-auth'),
      { kind: 'auth-completed', authId: 'a', userId: 'u' },
      status('waiting-auth'),
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      status('waiting-subtask'),
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('working'),
      status('completed'),
    ],
    rules: [],
  },
  'reports a second wait after the answer to the only request': {
    events: [
      created,
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      status('waiting-input'),
      { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
      status('working'),
      status('waiting-input'),
      status('working'),
      status('completed'),
    ],
    rules: ['waiting-for-something'],
  },
})
