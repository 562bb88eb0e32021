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
  'reports announced subtasks that are nested deeper than 16': {
    events: [
      created,
      ...Array.from({ length: 17 }, (_, n) => {
        const [parent, taskId] = [n === 0 ? 'task' : `t${n}`, `t${n + 1}`]
        return [
          { kind: 'subtask-created', taskId: parent, subtaskId: taskId, prompt: '' },
          { kind: 'task-created', taskId, parentTaskId: parent, initiator: 'agent' },
        ]
      }).flat(),
    ],
    options: { mode: 'lenient' },
    rules: ['known-parent', ...Array.from({ length: 18 }, () => 'task-ends')],
  },
  'reports a second task-created after the end, and nothing else about it': {
    events: [
      created,
      status('completed'),
      { kind: 'task-created', parentTaskId: 'other', initiator: 'user' },
    ],
    rules: ['created-once'],
  },
  'reports a subtask that a task joined late announces twice': {
    events: [
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      status('failed'),
    ],
    options: { startIndex: 5, mode: 'lenient' },
    rules: ['subtask-parent'],
  },
  'accepts a result artifact of a descendant at the maximum depth': {
    events: [
      created,
      ...Array.from({ length: 16 }, (_, n) => ({
        kind: 'task-created',
        taskId: `t${n + 1}`,
        parentTaskId: n === 0 ? 'task' : `t${n}`,
        initiator: 'agent',
      })),
      { kind: 'data-write', taskId: 't16', artifactId: 'd', data: {} },
      ...Array.from({ length: 16 }, (_, n) => ({ ...status('failed'), taskId: `t${16 - n}` })),
      { kind: 'task-complete', artifacts: ['d'] },
      status('completed'),
    ],
    options: { mode: 'standard' },
    rules: Array.from({ length: 16 }, () => 'subtask-pair'),
  },
  ...Object.fromEntries(
    [16, 17].map((count) => [
      `${count === 16 ? 'accepts' : 'reports'} ${count} nested tasks below one that is unknown`,
      {
        events: Array.from({ length: count }, (_, n) => ({
          kind: 'task-created',
          taskId: `t${n + 1}`,
          parentTaskId: `t${n}`,
          initiator: 'agent',
        })),
        options: { startIndex: 9, mode: 'lenient' } as const,
        rules: [
          ...(count === 16 ? [] : ['known-parent']),
          ...Array.from({ length: count }, () => 'task-ends'),
        ],
      },
    ]),
  ),
  'reports nothing that follows from a missing task-created of an announced subtask': {
    events: [
      created,
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '' },
      { kind: 'content-delta', taskId: 'sub', delta: 'a', index: 4 },
      { kind: 'tool-progress', taskId: 'sub', toolCallId: 'c', progress: 0.5 },
      { kind: 'content-complete', taskId: 'sub', content: 'all of it' },
      { ...created, taskId: 'sub', parentTaskId: 'task', initiator: 'agent' },
      { ...status('failed'), taskId: 'sub' },
      status('completed'),
    ],
    options: { mode: 'standard' },
    rules: ['created-first'],
  },
  'reports a new task that is its own parent, even in a stream joined late': {
    events: [{ ...created, initiator: 'agent', parentTaskId: 'task' }, status('completed')],
    options: { startIndex: 9 },
    rules: ['known-parent'],
  },
})
