// Tests the events that close tasks which were joined late, announced only, or labelled.
import { expect, it } from 'vitest'
import { closeDangling } from '../../../../src/streams/index.ts'
import { fold } from '../../verify/support.ts'
import { context, created, events } from '../support.ts'

const at = '2026-01-31T11:00:00Z'
const reason = 'gone'
const hidden = { metadata: { audience: ['operator'] } }
const working = { kind: 'task-status', status: 'working' }
const failed = { kind: 'task-status', status: 'failed', metadata: { reason } }
const hiddenFailed = { ...failed, metadata: { reason, audience: ['operator'] } }
const sub = { taskId: 'sub', parentTaskId: 'task' }
const createdSub = { kind: 'task-created', ...sub, initiator: 'agent' }
const announced = { kind: 'subtask-created', subtaskId: 'sub', prompt: 'p' }
const labels = { thoughtType: 'reasoning', verbosity: 'normal' }
const open = (thoughtId: string): object => ({
  kind: 'thought-delta',
  thoughtId,
  ...labels,
  delta: thoughtId,
  index: 0,
})
const thought = (thoughtId: string, index: number): object => ({
  ...{ kind: 'thought-stream', thoughtId, ...labels, content: thoughtId, index },
})
const ended = (thoughtId: string, index: number): object => ({
  ...thought(thoughtId, index),
  metadata: { complete: false },
})
const delta = (delta: string, index: number, more: object = {}): object => ({
  ...{ kind: 'content-delta', delta, index },
  ...more,
})
const start = { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} }
const cut = { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: false, error: reason }

it.each<[what: string, stream: readonly object[], closing: readonly object[]]>([
  ['a task that was joined late', [working], [failed]],
  [
    'a subtask that was announced only, with the label of that',
    [created, { ...announced, ...hidden }],
    [{ kind: 'task-created', ...sub, initiator: 'agent', ...hidden }, { ...hiddenFailed, ...sub }, failed],
  ],
  [
    'subtasks that were created only, with their labels',
    [created, { ...createdSub, ...hidden }, { ...createdSub, taskId: 'sub-2' }],
    [
      { ...hiddenFailed, ...sub },
      { ...failed, ...sub, taskId: 'sub-2' },
      { kind: 'subtask-created', subtaskId: 'sub', prompt: '', ...hidden },
      { kind: 'subtask-created', subtaskId: 'sub-2', prompt: '' },
      failed,
    ],
  ],
  [
    'a subtask, with the label of its task-created rather than that of its announcement',
    [created, { ...announced, ...hidden }, createdSub],
    [{ ...failed, ...sub }, failed],
  ],
  ['a subtask of a task that was joined late', [working, createdSub], [{ ...failed, ...sub }, failed]],
  ['a subtask that was joined late', [created, { ...working, ...sub }], [{ ...failed, ...sub }, failed]],
  [
    'a subtask of a task that has ended',
    [created, announced, createdSub, { kind: 'task-status', status: 'completed' }],
    [{ ...failed, ...sub }],
  ],
  [
    'thoughts, with the indexes that follow',
    [created, thought('x', 3), open('y'), thought('z', 1), open('w')],
    [ended('y', 4), ended('w', 5), failed],
  ],
  [
    'a first thought',
    [created, { ...open('x'), ...hidden }],
    [{ ...ended('x', 0), metadata: { complete: false, audience: ['operator'] } }, failed],
  ],
  [
    'a thought without a type',
    [created, { kind: 'thought-delta', thoughtId: 'x', delta: 'x', index: 0 }],
    [failed],
  ],
  [
    'texts, with the labels that all stretches allow',
    [
      created,
      delta('a', 0, { metadata: { audience: ['user', 'operator'] } }),
      delta('b', 0, { contentId: 'b' }),
      delta('c', 1, hidden),
    ],
    [
      { kind: 'content-complete', content: 'ac', ...hidden },
      { kind: 'content-complete', contentId: 'b', content: 'b' },
      failed,
    ],
  ],
  ['a text that is complete', [created, { kind: 'content-complete', content: 'a' }], [failed]],
  ['a running call', [created, { ...start, ...hidden }], [{ ...cut, ...hidden }, failed]],
  [
    'a running call without a name',
    [created, { kind: 'tool-progress', toolCallId: 'c', progress: 0 }],
    [{ ...cut, toolName: 'unknown' }, failed],
  ],
  ['a call that has ended', [created, start, { ...cut, success: true }], [failed]],
  [
    'answered requests',
    [
      created,
      { kind: 'input-canceled', inputId: 'i', reason: 'expired' },
      { kind: 'auth-failed', authId: 'a', reason: 'denied' },
    ],
    [failed],
  ],
  [
    'requests with labels',
    [
      created,
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?', ...hidden },
      { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '?', ...hidden },
    ],
    [
      { kind: 'input-canceled', inputId: 'i', reason: 'task-ended', ...hidden },
      { kind: 'auth-failed', authId: 'a', reason: 'failed', message: reason, ...hidden },
      failed,
    ],
  ],
])('closes %s', (_, stream, closing) => {
  const rest = closeDangling(fold(events(...stream)), { reason, at })
  const { contextId, taskId } = context
  expect(rest).toEqual(closing.map((event) => ({ contextId, taskId, ...event, timestamp: at })))
})
