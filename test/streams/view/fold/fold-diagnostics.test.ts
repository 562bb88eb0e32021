// Tests what each fault of an event reports: its code and message, and what was expected and what came.
import { expect, it } from 'vitest'
import { fold } from '../../verify/support.ts'
import { created, events, file, record } from '../support.ts'

const change = (baseVersion: number, version: number, how: object): object => ({
  kind: 'artifact-delta',
  artifactId: 'f',
  baseVersion,
  version,
  change: how,
})
const status = (status: string): object => ({ kind: 'task-status', status })
const delta = (delta: string, index: number, more: object = {}): object => ({
  kind: 'content-delta',
  delta,
  index,
  ...more,
})
const tool = { toolCallId: 'c', toolName: 't' }
const thought = {
  kind: 'thought-stream',
  thoughtId: 'h',
  thoughtType: 'planning',
  verbosity: 'brief',
  content: 'x',
  index: 0,
}
const input = { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' }
const auth = { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '?' }
const sub = { kind: 'subtask-created', subtaskId: 's', prompt: 'p' }

it.each<[stream: readonly object[], code: string, kind: string, message: string, more: object]>([
  [[created, created], 'repeated', 'task-created', 'Duplicate task-created for taskId "task".', {}],
  [
    [status('failed'), status('working')],
    'after-end',
    'task-status',
    'Status "working" after status "failed".',
    { expected: 'failed', actual: 'working' },
  ],
  [
    [status('failed'), { kind: 'task-complete' }],
    'after-end',
    'task-complete',
    'task-complete after status "failed".',
    { expected: 'failed' },
  ],
  [
    [{ kind: 'task-complete' }, { kind: 'task-complete' }],
    'after-end',
    'task-complete',
    'Duplicate task-complete; the task has status "completed".',
    { expected: 'completed' },
  ],
  [[sub, sub], 'repeated', 'subtask-created', 'Duplicate subtask-created for subtaskId "s".', { id: 's' }],
  [
    [delta('a', 0), delta('c', 2)],
    'gap',
    'content-delta',
    'Expected index 1, got 2.',
    { expected: 1, actual: 2 },
  ],
  [
    [delta('a', 0), delta('a', 0)],
    'repeated',
    'content-delta',
    'Expected index 1, got 0.',
    { expected: 1, actual: 0 },
  ],
  [
    [delta('a', 1, { contentId: 'x' })],
    'gap',
    'content-delta',
    'Expected index 0, got 1.',
    { id: 'x', expected: 0, actual: 1 },
  ],
  [
    [delta('a', 0), { kind: 'content-complete', content: 'abc' }],
    'content-mismatch',
    'content-complete',
    'The content (length 3) differs from the joined deltas (length 1).',
    { expected: 1, actual: 3 },
  ],
  [
    [delta('a', 0, { contentId: 'x' }), { kind: 'content-complete', contentId: 'x', content: 'b' }],
    'content-mismatch',
    'content-complete',
    'The content (length 1) differs from the joined deltas (length 1).',
    { id: 'x', expected: 1, actual: 1 },
  ],
  [
    [{ kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 1 }],
    'gap',
    'thought-delta',
    'Expected index 0, got 1.',
    { id: 'h', expected: 0, actual: 1 },
  ],
  [
    [{ kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 }, thought],
    'content-mismatch',
    'thought-stream',
    'The content (length 1) differs from the joined deltas (length 1).',
    { id: 'h', expected: 1, actual: 1 },
  ],
  [
    [thought, thought],
    'repeated',
    'thought-stream',
    'Duplicate thought-stream for thoughtId "h".',
    { id: 'h' },
  ],
  [
    [thought, { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 }],
    'repeated',
    'thought-delta',
    'thought-delta after the end of thoughtId "h".',
    { id: 'h' },
  ],
  [
    [{ kind: 'tool-arguments-delta', ...tool, delta: 'x', index: 3 }],
    'gap',
    'tool-arguments-delta',
    'Expected index 0, got 3.',
    { id: 'c', expected: 0, actual: 3 },
  ],
  [
    [
      { kind: 'tool-start', ...tool, arguments: {} },
      { kind: 'tool-arguments-delta', ...tool, delta: 'x', index: 0 },
    ],
    'repeated',
    'tool-arguments-delta',
    'tool-arguments-delta after the start of toolCallId "c".',
    { id: 'c' },
  ],
  [
    [
      { kind: 'tool-complete', ...tool, success: true },
      { kind: 'tool-start', ...tool, arguments: {} },
    ],
    'repeated',
    'tool-start',
    'tool-start after the end of toolCallId "c".',
    { id: 'c' },
  ],
  [
    [
      ...Array.from({ length: 33 }, (_, n) => ({
        kind: 'tool-progress',
        toolCallId: 'c',
        progress: 0,
        metadata: { stream: `s${n}`, chunk: 'a' },
      })),
    ],
    'too-many-streams',
    'tool-progress',
    'Expected at most 32 output streams, got the further stream "s32".',
    { id: 'c', expected: 32, actual: 's32' },
  ],
  [[input, input], 'repeated', 'input-required', 'Duplicate input-required for inputId "i".', { id: 'i' }],
  [[auth, auth], 'repeated', 'auth-required', 'Duplicate auth-required for authId "a".', { id: 'a' }],
  [
    [
      { kind: 'input-canceled', inputId: 'i', reason: 'expired' },
      { kind: 'input-received', inputId: 'i', providedBy: 'user', userId: 'u' },
    ],
    'repeated',
    'input-received',
    'inputId "i" is no longer open: canceled.',
    { id: 'i' },
  ],
  [
    [
      { kind: 'auth-failed', authId: 'a', reason: 'denied' },
      { kind: 'auth-completed', authId: 'a', userId: 'u' },
    ],
    'repeated',
    'auth-completed',
    'authId "a" is no longer open: failed.',
    { id: 'a' },
  ],
  [
    [file('a', 0, false), file('c', 2, false)],
    'gap',
    'file-write',
    'Expected chunk index 1, got 2.',
    { id: 'f', expected: 1, actual: 2 },
  ],
  [
    [file('a', 0, false), file('a', 1, false), file('a', 1, false)],
    'repeated',
    'file-write',
    'Expected chunk index 2, got 1.',
    { id: 'f', expected: 2, actual: 1 },
  ],
  [
    [file('a', 0, false), file('b', 0, false)],
    'abandoned-write',
    'file-write',
    'The write of artifact "f" was restarted before it was complete.',
    { id: 'f' },
  ],
  [
    [file('a', 0, false), status('failed')],
    'abandoned-write',
    'task-status',
    'The task ended before artifact "f" was complete.',
    { id: 'f' },
  ],
  [
    [file('?', 0, false, { encoding: 'base64' })],
    'bad-base64',
    'file-write',
    'Chunk 0 is not Base64.',
    { id: 'f' },
  ],
  [
    [file('a', 0, true, { digest: 'sha-256:00' })],
    'digest-mismatch',
    'file-write',
    'Expected digest "sha-256:00", got "sha-256:ca978112ca1bbdcafac231b39a23dc4d…".',
    {
      id: 'f',
      expected: 'sha-256:00',
      actual: 'sha-256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
    },
  ],
  [
    [record({}), file('a', 0, true)],
    'wrong-type',
    'file-write',
    'Expected artifact type "data", got "file".',
    { id: 'f', expected: 'data', actual: 'file' },
  ],
  [
    [record({}, { version: 2 }), record({}, { version: 2 })],
    'repeated',
    'data-write',
    'Expected version 3 or later, got 2.',
    { id: 'f', expected: 3, actual: 2 },
  ],
  [
    [record({}), record({}, { expectedVersion: 5 })],
    'version-conflict',
    'data-write',
    'The write needs version 5, but the current version is 1.',
    { id: 'f', expected: 5, actual: 1 },
  ],
  [
    [change(1, 2, { type: 'text-append', text: 'b' })],
    'unknown-artifact',
    'artifact-delta',
    'Artifact "f" has no complete version to change.',
    { id: 'f' },
  ],
  [
    [record({}), change(2, 3, { type: 'merge-patch', patch: {} })],
    'version-conflict',
    'artifact-delta',
    'The write needs version 2, but the current version is 1.',
    { id: 'f', expected: 2, actual: 1 },
  ],
  [
    [record({}), change(1, 1, { type: 'merge-patch', patch: {} })],
    'version-conflict',
    'artifact-delta',
    'Expected version 2 or later, got 1.',
    { id: 'f', expected: 2, actual: 1 },
  ],
  [
    [record({}), change(1, 2, { type: 'json-patch', patch: [{ op: 'remove', path: '/b' }] })],
    'patch-failed',
    'artifact-delta',
    'Patch operation 0 failed: no-such-place.',
    { id: 'f', actual: { code: 'no-such-place', operation: 0 } },
  ],
  [
    [record({}), change(1, 2, { type: 'json-patch', patch: [{ op: 'replace', path: '', value: 5 }] })],
    'patch-failed',
    'artifact-delta',
    'The patched value is not an object.',
    { id: 'f' },
  ],
  [
    [record({}), change(1, 2, { type: 'text-append', text: 'b' })],
    'wrong-type',
    'artifact-delta',
    'A change of type "text-append" does not apply to content of type "data".',
    { id: 'f', expected: 'data', actual: 'text-append' },
  ],
])('the diagnostic of %j is %s', (stream, code, kind, message, more) => {
  expect(fold(events(...stream)).diagnostics).toStrictEqual([
    { code, kind, taskId: 'task', message, ...more },
  ])
})

it('the diagnostic of a merge patch that fails names no operation', () => {
  let patch: object = {}
  for (let depth = 0; depth < 600; depth++) patch = { patch }
  const { diagnostics } = fold(events(record({}), change(1, 2, { type: 'merge-patch', patch })))
  expect(diagnostics).toStrictEqual([
    {
      code: 'patch-failed',
      message: 'The patch failed: too-deep.',
      kind: 'artifact-delta',
      taskId: 'task',
      id: 'f',
      actual: { code: 'too-deep' },
    },
  ])
})
