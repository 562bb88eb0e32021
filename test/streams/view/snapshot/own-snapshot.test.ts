// Tests streams that are as short as they can be: each is its own snapshot, event by event and field by field.
import { describe, expect, it } from 'vitest'
import { type ContextAnyEvent, decodeEvent } from '../../../../src/index.ts'
import { emptyView, foldEvents, snapshotEvents } from '../../../../src/streams/index.ts'
import { context, created, events, file, record } from '../support.ts'

const sub = { taskId: 'sub', parentTaskId: 'task' }
const createdSub = { kind: 'task-created', ...sub, initiator: 'agent' }
const status = (status: string, more: object = {}): object => ({ kind: 'task-status', status, ...more })
const labels = { thoughtType: 'reasoning', verbosity: 'normal' }
const thought = (thoughtId: string, index: number, more: object = {}): object => ({
  ...{ kind: 'thought-stream', thoughtId, ...labels, content: thoughtId, index },
  ...more,
})
const delta = (delta: string, index: number, more: object = {}): object => ({
  ...{ kind: 'content-delta', delta, index },
  ...more,
})
const whole = (content: string, more: object = {}): object => ({ kind: 'content-complete', content, ...more })
const call = { toolCallId: 'c', toolName: 't' }
const start = { kind: 'tool-start', ...call, arguments: { a: 1 } }
const end = { kind: 'tool-complete', ...call, success: true }
const progress = (more: object): object => ({
  kind: 'tool-progress',
  toolCallId: 'c',
  progress: 0.5,
  ...more,
})
const error = (more: object): object => ({
  kind: 'task-error',
  error: { code: 'e', message: 'm', retry: 'retrying', ...more },
})
const input = (inputId: string, more: object = {}): object => ({
  ...{ kind: 'input-required', inputId, inputType: 'custom', prompt: '?' },
  ...more,
})
const received = (inputId: string, more: object = {}): object => ({
  ...{ kind: 'input-received', inputId, providedBy: 'user', userId: 'u' },
  ...more,
})
const auth = (more: object = {}): object => ({
  kind: 'auth-required',
  authId: 'a',
  authType: 'api-key',
  prompt: '?',
  ...more,
})
const described = { name: 'n', description: 'd', metadata: { m: 1 } }
const digest = 'sha-256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'
const rows = (n: number, index: number, complete: boolean, more: object = {}): object => ({
  kind: 'dataset-write',
  artifactId: 'f',
  rows: Array.from({ length: n }, (_, n) => ({ n })),
  index,
  complete,
  ...more,
})
const hidden = { metadata: { audience: ['operator'] } }
const announced = { kind: 'subtask-created', subtaskId: 'sub', prompt: 'p' }

const streams: Record<string, readonly object[]> = {
  'a task with input and metadata': [
    { ...created, path: ['x'], metadata: { input: { q: 1 }, agentId: 'x' } },
  ],
  'a task with input only': [{ ...created, metadata: { input: 'Hi' } }],
  'a task without input': [{ ...created, metadata: { agentId: 'x' } }],
  'a status with details': [created, status('working', { message: 'm', metadata: { m: 1 } })],
  'a failure with details': [
    created,
    status('failed', { message: 'm', error: { code: 'e', message: 'm', retry: 'terminal' } }),
  ],
  'a task joined late': [status('working')],
  'a status after an error that is retried': [created, error({}), status('working')],
  'a status after the final error of a tool': [
    created,
    error({ retry: 'terminal', scope: 'tool', toolCallId: 'c' }),
    status('working'),
  ],
  'a status before the final error of a task': [created, status('working'), error({ retry: 'terminal' })],
  'a status before the last error of a task': [
    created,
    whole('x'),
    status('working'),
    error({ retry: 'exhausted', scope: 'task' }),
    error({ retry: 'terminal' }),
  ],
  'a result with all fields': [
    created,
    whole('x'),
    {
      kind: 'task-complete',
      content: 'x',
      artifacts: ['f'],
      metadata: { duration: 5, usage: [{ inputTokens: 1 }] },
    },
  ],
  'a result with metadata': [created, { kind: 'task-complete', metadata: { duration: 5 } }],
  'a result with usage': [created, { kind: 'task-complete', metadata: { usage: [] } }],
  'a result and a status': [created, { kind: 'task-complete' }, status('completed', { message: 'm' })],
  'a subtask': [
    created,
    { ...announced, agentId: 'x' },
    createdSub,
    { ...status('completed'), ...sub },
    status('completed'),
  ],
  'a subtask that was only announced': [created, announced],
  'a whole text with all fields': [
    created,
    whole('x', { contentId: 'a', finishReason: 'stop', metadata: { usage: [] } }),
  ],
  'texts open together': [
    created,
    delta('a', 0),
    delta('b', 0, { contentId: 'b', indexEnd: 2 }),
    delta('c', 1),
    whole('ac', { finishReason: 'stop' }),
    whole('end', { contentId: 'b2' }),
  ],
  'a text with a gap': [created, delta('', 0), start, delta('b', 5)],
  'thoughts in order': [created, thought('x', 0, { metadata: { confidence: 1 } }), thought('y', 1)],
  'thoughts that were completed in another order': [
    created,
    { kind: 'thought-delta', thoughtId: 'y', ...labels, delta: 'y', index: 0 },
    thought('x', 0),
    thought('y', 1),
    { kind: 'thought-delta', thoughtId: 'z', delta: 'z', index: 0 },
  ],
  'three thoughts in reverse': [
    created,
    { kind: 'thought-delta', thoughtId: 'z', ...labels, delta: 'z', index: 0 },
    { kind: 'thought-delta', thoughtId: 'y', ...labels, delta: 'y', index: 0 },
    thought('x', 0),
    thought('y', 1),
    thought('z', 2),
  ],
  'arguments being written': [
    created,
    { kind: 'tool-arguments-delta', ...call, delta: '{"a":', index: 0, indexEnd: 4 },
  ],
  'arguments that were cut off': [
    created,
    { kind: 'tool-arguments-delta', ...call, delta: '{"a":', index: 0 },
    { ...end, success: false, error: 'max_tokens', metadata: { provider: 'p' } },
  ],
  'a call with metadata of its start': [created, { ...start, metadata: { provider: 'p' } }, end],
  'a call with metadata of its end': [
    created,
    start,
    { ...end, result: { r: 1 }, metadata: { duration: 1, cached: true, retries: 2 } },
  ],
  'a call with metadata of both': [
    created,
    { ...start, metadata: { provider: 'p' } },
    { ...end, metadata: { duration: 1, cached: true, retries: 2 } },
  ],
  'a running call with metadata like that of an end': [
    created,
    { ...start, metadata: { duration: 1, x: 1 } },
  ],
  'the output of a call': [
    created,
    start,
    progress({ metadata: { stream: 'stdout', chunk: 'a' } }),
    progress({ metadata: { stream: 'stderr', chunk: 'b' } }),
    progress({ message: 'm', metadata: { step: 'one', chunk: 'c' } }),
  ],
  'progress without output': [created, start, progress({})],
  'progress with a message and metadata': [created, progress({ message: 'm', metadata: { step: 'one' } })],
  'a call that ends after its last error': [
    created,
    start,
    error({ toolCallId: 'c' }),
    error({ toolCallId: 'other' }),
    error({ toolCallId: 'c' }),
    { ...end, success: false, error: 'no' },
    whole('x'),
  ],
  'a call that begins after an error': [created, error({ toolCallId: 'c' }), start, end, error({})],
  'an input with all fields': [
    created,
    input('i', { metadata: { urgency: 'high' }, requireUser: false }),
    received('i', { outcome: 'declined', metadata: { duration: 1 } }),
  ],
  'an input answered by an agent': [
    created,
    input('i'),
    { kind: 'input-received', inputId: 'i', providedBy: 'agent', agentId: 'x' },
  ],
  'an input that expired': [created, input('i'), { kind: 'input-canceled', inputId: 'i', reason: 'expired' }],
  'answers without requests': [
    created,
    received('i'),
    { kind: 'input-canceled', inputId: 'k', reason: 'task-ended' },
    { kind: 'auth-completed', authId: 'a', userId: 'u' },
  ],
  'an answer while the task waits': [created, input('i'), input('k'), status('waiting-input'), received('i')],
  'an answer while the task waits for another one': [
    created,
    input('i'),
    auth(),
    status('waiting-auth'),
    received('i'),
  ],
  'an answer without a request while the task waits': [
    created,
    received('i'),
    input('k'),
    status('waiting-input'),
  ],
  'an answer while the task works': [created, input('i'), received('i'), status('working')],
  'an input that ended with its task': [created, input('i'), status('failed')],
  'an authentication with all fields': [
    created,
    auth({ metadata: { urgency: 'high' } }),
    { kind: 'auth-completed', authId: 'a', userId: 'u', metadata: { expiresIn: 1 } },
  ],
  'an authentication that failed': [
    created,
    auth(),
    { kind: 'auth-failed', authId: 'a', reason: 'denied', message: 'm' },
  ],
  'an authentication that failed without a message': [
    created,
    auth(),
    { kind: 'auth-failed', authId: 'a', reason: 'expired' },
  ],
  'an open authentication': [created, auth()],
  'custom events': [
    created,
    { kind: 'custom', name: 'a.b', data: [1], customId: 'x', metadata: { m: 1 } },
    { kind: 'custom', name: 'a.b', data: null },
  ],
  'a file with all fields': [
    created,
    file('a', 0, true, { version: 3, digest, mimeType: 'text/markdown', ...described }),
  ],
  bytes: [created, file('YQ==', 0, true, { version: 1, encoding: 'base64' })],
  'a record with all fields': [created, record({ a: 1 }, { version: 3, ...described })],
  'rows with all fields': [
    created,
    rows(2, 0, true, { version: 1, schema: { type: 'object' }, ...described }),
  ],
  'a file being written': [created, file('a', 0, false, { indexEnd: 4, version: 7, ...described })],
  'rows being written after rows': [
    created,
    rows(2, 0, true, { version: 1 }),
    rows(1, 0, false, { indexEnd: 2 }),
  ],
  'a write whose task ended': [
    created,
    file('a', 0, true, { version: 1 }),
    file('', 0, false),
    status('failed'),
  ],
  'rows whose task ended': [created, rows(1, 0, true, { version: 1 }), rows(0, 0, false), status('failed')],
  'a write with a missing chunk': [created, file('a', 0, false, described), file('', 4, false)],
  'a write with one missing chunk': [created, file('a', 0, false), file('', 2, false)],
  'a write whose second chunk is not Base64': [
    created,
    file('YWJj', 0, false, { encoding: 'base64' }),
    file('?', 1, false, { encoding: 'base64' }),
  ],
  'a write without its first chunk': [created, file('', 1, false, described)],
  'a write with a chunk that is not Base64': [
    created,
    file('YWJj', 0, false, { encoding: 'base64', indexEnd: 2 }),
    file('?', 3, false, { encoding: 'base64' }),
  ],
  'a write whose first chunk is not Base64': [created, file('?', 0, false, { encoding: 'base64' })],
  'versions of a file by two tasks': [
    created,
    file('', 0, true, { version: 4, ...described }),
    createdSub,
    file('b', 0, true, { version: 5, ...sub }),
  ],
  'versions of a record by two tasks': [
    created,
    record({}, { version: 1 }),
    createdSub,
    record({ b: 1 }, { version: 2, ...sub }),
  ],
  'a file that another task goes on with': [
    created,
    file('', 0, false),
    createdSub,
    file('b', 1, false, { indexEnd: 3, ...sub }),
  ],
  'a file that another task completes': [
    created,
    file('', 0, false),
    createdSub,
    file('b', 1, true, { version: 1, ...sub }),
  ],
  'labels of items': [
    created,
    { ...start, ...hidden },
    { ...end, metadata: { audience: ['operator'], duration: 1 } },
    delta('x', 0, hidden),
    file('x', 0, true, { version: 1, ...hidden }),
  ],
  'a file of which only the rest is for operators': [
    created,
    file('', 0, false),
    createdSub,
    file('b', 1, false, { ...sub, name: 'n', ...hidden }),
  ],
}

describe('a snapshot', () => {
  it.each(Object.entries(streams))('is the stream itself for %s', (_, list) => {
    const stream = events(...list)
    for (const event of stream) expect(decodeEvent(event)).toEqual({ status: 'known', event })
    const snapshot = snapshotEvents(foldEvents(emptyView, stream))
    expect(snapshot).toEqual(stream)
  })

  it('is the stream itself if each event is later than those before', () => {
    const at = (n: number): object => ({ timestamp: `2026-01-01T00:00:0${n}Z` })
    const stream: ContextAnyEvent[] = events(
      created,
      ...[whole('x'), start, input('i')].map((event, n) => ({ ...event, ...at(n + 1) })),
      { ...status('waiting-input'), ...at(5) },
    )
    expect(snapshotEvents(foldEvents(emptyView, stream))).toEqual(stream)
    expect(context.timestamp < '2026-01-01T00:00:01Z').toBe(true)
  })
})
