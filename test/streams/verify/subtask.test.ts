// Tests the rules of subtasks and their parents.
import { created, describeCases, status } from './cases.ts'

describeCases('subtasks', {
  'accepts a task-created before its subtask-created': {
    events: [
      created,
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('completed'),
    ],
    rules: [],
  },
  'reports an announced subtask that is never created': {
    events: [created, { kind: 'subtask-created', subtaskId: 'sub', prompt: '' }, status('failed')],
    rules: ['subtask-pair'],
  },
  'reports a subtask that is announced twice': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('completed'),
    ],
    rules: ['subtask-parent'],
  },
  'reports an announced subtask whose first event is not its task-created': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'task-status', taskId: 'sub', parentTaskId: 'task', status: 'working' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
      status('completed'),
    ],
    rules: ['created-first'],
  },
  'learns the parent of a subtask that was joined late, and reports another one later': {
    events: [
      { kind: 'task-status', taskId: 'sub', status: 'working' },
      { kind: 'task-status', taskId: 'sub', parentTaskId: 'task', status: 'working' },
      { kind: 'task-status', taskId: 'sub', parentTaskId: 'other', status: 'completed' },
    ],
    options: { startIndex: 9 },
    rules: ['known-parent'],
  },
  'reports a task that is its own parent or announces itself': {
    events: [
      { ...created, initiator: 'agent', parentTaskId: 'task' },
      { kind: 'subtask-created', subtaskId: 'task', prompt: '', parentTaskId: 'task' },
      status('completed'),
    ],
    rules: ['known-parent', 'subtask-parent'],
  },
  'reports a parent that changes': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0, parentTaskId: 'other' },
      status('failed'),
    ],
    rules: ['known-parent', 'segment-open-at-failure'],
  },
  'reports a new task whose parent has completed': {
    events: [
      created,
      status('completed'),
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
    ],
    rules: ['known-parent'],
  },
  'reports tasks that are their own ancestors, even if joined late': {
    events: [
      { kind: 'task-status', status: 'failed', parentTaskId: 'task' },
      { ...created, taskId: 'a', initiator: 'agent', parentTaskId: 'b' },
      { ...created, taskId: 'b', initiator: 'agent', parentTaskId: 'a' },
    ],
    options: { startIndex: 2, mode: 'standard' },
    rules: ['known-parent', 'known-parent', 'task-ends', 'task-ends'],
  },
  'reports a new task whose parent was canceled': {
    events: [
      created,
      status('canceled'),
      { kind: 'task-created', taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { kind: 'task-status', taskId: 'sub', status: 'completed' },
    ],
    rules: ['known-parent'],
  },
})
