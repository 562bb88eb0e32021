// Proves that the sample streams of the protocol's source document stay legal, readable and mappable.
import { type ContextAnyEvent, decodeEvent, run } from 'turnstream'
import { a2aVerifier, toA2a } from 'turnstream/a2a'
import { encodeEvent, sseDecoder } from 'turnstream/sse'
import { emptyView, foldEvent, taskOf, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { created, describeCases, status } from './cases.ts'

const context = { contextId: 'ctx-123', taskId: 'task-456' }
const at = (second: number): string => `2026-03-14T08:00:0${second}Z`

const call = { toolCallId: 'call-1', toolName: 'search' }

/** The streams of the document, with the fields that it leaves out. */
const samples: readonly [name: string, text: string, events: readonly ContextAnyEvent[]][] = [
  [
    'with a tool call',
    'Hello world',
    [
      { kind: 'task-created', ...context, initiator: 'user', timestamp: at(0) },
      { kind: 'task-status', ...context, status: 'working', timestamp: at(1) },
      { kind: 'tool-start', ...context, ...call, arguments: { query: 'tides' }, timestamp: at(2) },
      { kind: 'tool-progress', ...context, toolCallId: 'call-1', progress: 0.5, timestamp: at(3) },
      { kind: 'tool-complete', ...context, ...call, success: true, result: { hits: 1 }, timestamp: at(4) },
      { kind: 'content-delta', ...context, delta: 'Hello', index: 0, timestamp: at(5) },
      { kind: 'content-delta', ...context, delta: ' world', index: 1, timestamp: at(6) },
      { kind: 'task-complete', ...context, content: 'Hello world', timestamp: at(7) },
    ],
  ],
  [
    'in one delta',
    'Hello',
    [
      { kind: 'task-created', ...context, initiator: 'user', timestamp: at(0) },
      { kind: 'task-status', ...context, status: 'working', timestamp: at(1) },
      { kind: 'content-delta', ...context, delta: 'Hello', index: 0, timestamp: at(2) },
      { kind: 'task-complete', ...context, content: 'Hello', timestamp: at(3) },
    ],
  ],
  [
    'and a final status',
    'Hello',
    [
      { kind: 'task-created', ...context, initiator: 'user', timestamp: at(0) },
      { kind: 'content-delta', ...context, delta: 'Hello', index: 0, timestamp: at(1) },
      { kind: 'task-complete', ...context, content: 'Hello', timestamp: at(2) },
      { kind: 'task-status', ...context, status: 'completed', timestamp: at(3) },
    ],
  ],
]

describe.each(samples)('a streamed answer %s', (_, text, events) => {
  it.each(['strict', 'standard', 'lenient'] as const)('is legal in %s mode', (mode) => {
    const { push, end } = run(verifier({ mode }))
    const found = [...events.flatMap((event) => [...push(event)]), ...end()]
    const hasStatus = events.some((event) => event.kind === 'task-status' && event.status === 'completed')
    expect(found.map(({ rule, severity }) => [rule, severity])).toEqual(
      hasStatus || mode === 'lenient' ? [] : [['completed-status', 'warn']],
    )
  })

  it('is decoded from what was encoded', () => {
    const { push } = run(sseDecoder())
    const decoded = push(events.map((event) => encodeEvent(event, { viewer: 'all' })).join('')).map(
      ({ data }) => decodeEvent(JSON.parse(data)),
    )
    expect(decoded).toEqual(events.map((event) => ({ status: 'known', event })))
  })

  it('folds to one completed text', () => {
    const view = events.reduce(foldEvent, emptyView)
    const task = taskOf(view, context.taskId)
    expect(task?.status).toBe('completed')
    const texts = task?.parts.filter(({ type }) => type === 'text')
    expect(texts).toMatchObject([{ text }])
  })

  it.each(['0.3', '1.0'] as const)('maps to a valid stream of A2A %s', (version) => {
    const { push, end } = run(toA2a({ version }))
    const items = [...events.flatMap((event) => [...push(event)]), ...end()]
    const verified = run(a2aVerifier({ version, mode: 'strict' }))
    expect(items.flatMap((item) => verified.push(item))).toEqual([])
    const json = JSON.stringify(items)
    expect(json).toContain('Hello')
    expect(json).toMatch(/"(?:completed|TASK_STATE_COMPLETED)"/)
  })
})

const delta = { kind: 'content-delta', delta: 'Leave', index: 0 }

describeCases('a result that ends a text', {
  'reports a result with another text, once': {
    events: [created, delta, { kind: 'task-complete', content: 'Stay' }, status('completed')],
    rules: ['segment-open-at-success'],
  },
  'reports a result without text': {
    events: [created, delta, { kind: 'task-complete' }, status('completed')],
    rules: ['segment-open-at-success'],
  },
  'accepts the text of the last of several segments': {
    events: [
      created,
      { kind: 'content-delta', delta: 'First', index: 0 },
      { kind: 'content-complete', content: 'First' },
      delta,
      { kind: 'task-complete', content: 'Leave' },
      status('completed'),
    ],
    rules: [],
  },
  'reports an unfinished dataset': {
    events: [
      created,
      { kind: 'dataset-write', artifactId: 'a', rows: [], index: 0, complete: false },
      status('completed'),
    ],
    rules: ['write-open-at-success'],
  },
  'accepts an unfinished file of a task that fails': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'a', data: '', index: 0, complete: false },
      status('failed'),
    ],
    rules: [],
  },
})
