// Proves that the forms in which Looopy servers and their documents write events are read without loss.

import fc from 'fast-check'
import { iterate, pipe, run } from 'turnstream'
import { fromLooopy } from 'turnstream/looopy'
import { sseDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/core/machine.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { jsonValue } from '../../support/json.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { errorsOf, leavesOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'

const timestamp = '2026-03-01T08:00:00.000Z'
const ids = { contextId: 'ctx-1', taskId: 'task-1' }
const thought = { kind: 'thought-stream', thoughtId: 't', verbosity: 'normal', content: '', index: 0 }

/** Reads events of a stream whose other events are missing, which is reported as `gap`. */
function read(
  inputs: readonly object[],
  options = {},
): { events: ContextAnyEvent[]; diagnostics: Diagnostic[] } {
  const { events, diagnostics } = readAll(inputs, options)
  return { events, diagnostics: diagnostics.filter(({ code }) => code !== 'gap') }
}

/** Reads a stream. */
function readAll(
  inputs: readonly object[],
  options = {},
): { events: ContextAnyEvent[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(fromLooopy({ showErrors: true, ...options }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  return { events: inputs.flatMap((input) => [...push(input)]).concat(end()), diagnostics }
}

/** The message of a Looopy server: kind and context are not in the data. */
function serverMessage({ kind, contextId, ...data }: ContextAnyEvent, n: number): object {
  return { id: `${contextId}-${n}`, event: kind, data: JSON.stringify(data) }
}

describe('fromLooopy', () => {
  it('reads what a server writes', async () => {
    const body = [
      `id: ctx-a-1\nevent: task-created\ndata: {"taskId":"t","initiator":"user","timestamp":"${timestamp}","metadata":{"historyLength":1}}\n\n`,
      ': heartbeat\n\n',
      `id: ctx-a-2\nevent: task-status\ndata: {"taskId":"t","status":"working","timestamp":"${timestamp}","metadata":{}}\n\n`,
      `id: ctx-a-4\nevent: tool-complete\ndata: {"taskId":"t","path":["tool:find"],"toolCallId":"c","toolName":"find","success":false,"result":null,"error":"boom","timestamp":"${timestamp}"}\n\n`,
      `id: ctx-a-5\nevent: llm-usage\ndata: {"taskId":"t","model":"m","total_tokens":9,"timestamp":"${timestamp}"}\n\n`,
    ]
    const events: ContextAnyEvent[] = []
    const chunks = body.map((text) => new TextEncoder().encode(text))
    for await (const event of iterate(pipe(sseDecoder(), fromLooopy()), chunks)) events.push(event)
    const context = { contextId: 'ctx-a', taskId: 't', timestamp }
    expect(events).toEqual([
      { kind: 'task-created', ...context, initiator: 'user', metadata: { historyLength: 1 } },
      { kind: 'task-status', ...context, status: 'working', metadata: {} },
      {
        kind: 'tool-complete',
        ...context,
        path: ['tool:find'],
        toolCallId: 'c',
        toolName: 'find',
        success: false,
        result: null,
        error: 'boom',
      },
      { kind: 'custom', ...context, name: 'looopy.llm-usage', data: { model: 'm', total_tokens: 9 } },
    ])
  })

  it('reads events as the first documents show them', () => {
    const { events, diagnostics } = read(
      [
        { kind: 'task-status', ...ids, status: { state: 'submitted' } },
        { kind: 'content-delta', ...ids, content: 'Let ' },
        { kind: 'thought-stream', ...ids, thought: 'verify', thought_type: 'analysis' },
        { kind: 'content-delta', ...ids, content: 'me' },
        { kind: 'content-complete', ...ids, content: 'Let me' },
        { kind: 'content-delta', ...ids, content: 'Next' },
        { kind: 'task-status', ...ids, status: { state: 'failed', error: 'The model is down.' } },
      ],
      { now: () => timestamp },
    )
    const context = { ...ids, timestamp }
    expect(events).toEqual([
      { kind: 'task-status', ...context, status: 'submitted' },
      { kind: 'content-delta', ...context, delta: 'Let ', index: 0 },
      {
        kind: 'thought-stream',
        ...context,
        content: 'verify',
        thoughtId: 'task-1:thought-1',
        thoughtType: 'reasoning',
        verbosity: 'normal',
        index: 0,
        metadata: { looopy: { thoughtType: 'analysis' } },
      },
      { kind: 'content-delta', ...context, delta: 'me', index: 1 },
      { kind: 'content-complete', ...context, content: 'Let me' },
      { kind: 'content-delta', ...context, delta: 'Next', index: 0 },
      {
        kind: 'task-status',
        ...context,
        status: 'failed',
        error: { code: 'internal', message: 'The model is down.', retry: 'terminal' },
        metadata: { looopy: { error: 'The model is down.' } },
      },
    ])
    expect(diagnostics.map(({ code }) => code)).toEqual(['inferred:timestamp'])
  })

  it.each<[form: string, input: object, expected: object]>([
    [
      'a call that the client runs',
      { kind: 'tool-call', toolCallId: 'c', toolName: 'n', arguments: {} },
      { kind: 'tool-start', toolCallId: 'c', toolName: 'n', arguments: {} },
    ],
    [
      'a call that needs an answer',
      {
        kind: 'tool-input-required',
        toolCallId: 'c',
        toolName: 'n',
        toolArguments: { a: 1 },
        inputId: 'i',
        inputType: 'data',
        prompt: 'p',
      },
      {
        kind: 'input-required',
        inputId: 'i',
        inputType: 'custom',
        prompt: 'p',
        metadata: { looopy: { toolCallId: 'c', toolName: 'n', toolArguments: { a: 1 }, inputType: 'data' } },
      },
    ],
    [
      'an answer by anyone',
      { kind: 'input-received', inputId: 'i', providedBy: 'any' },
      {
        kind: 'input-received',
        inputId: 'i',
        providedBy: 'user',
        metadata: { looopy: { providedBy: 'any' } },
      },
    ],
    [
      'an access token',
      { kind: 'auth-required', authId: 'a', authType: 'pat', prompt: 'p', infoUrl: 'https://example.com' },
      {
        kind: 'auth-required',
        authId: 'a',
        authType: 'custom',
        prompt: 'p',
        infoUrl: 'https://example.com',
        metadata: { looopy: { authType: 'pat' } },
      },
    ],
    [
      'an encoding in the metadata',
      {
        kind: 'file-write',
        artifactId: 'f',
        data: 'YQ==',
        index: 0,
        complete: true,
        metadata: { encoding: 'base64' },
      },
      {
        kind: 'file-write',
        artifactId: 'f',
        data: 'YQ==',
        index: 0,
        complete: true,
        encoding: 'base64',
        metadata: { encoding: 'base64' },
      },
    ],
    [
      'a model call without a model',
      { kind: 'internal:llm-call', iteration: 0, messageCount: 2, toolCount: 1 },
      { kind: 'internal:llm-call', iteration: 0, messageCount: 2, toolCount: 1, model: '' },
    ],
    [
      'a message of the conversation',
      { kind: 'internal:tool-message', message: { role: 'tool' } },
      {
        kind: 'custom',
        name: 'looopy.internal.tool-message',
        data: { message: { role: 'tool' } },
        metadata: { audience: ['operator'] },
      },
    ],
    [
      'another spelling',
      { kind: 'task-status', status: 'cancelled' },
      { kind: 'task-status', status: 'canceled', metadata: { looopy: { status: 'cancelled' } } },
    ],
    [
      'a status with a message',
      { kind: 'task-status', status: { state: 'working', message: 'm', more: 1 } },
      { kind: 'task-status', status: 'working', message: 'm', metadata: { looopy: { more: 1 } } },
    ],
    [
      'a status beside a message',
      { kind: 'task-status', status: { state: 'working' }, message: 'm' },
      { kind: 'task-status', status: 'working', message: 'm' },
    ],
    [
      'a call that needs an answer, without arguments',
      { kind: 'tool-input-required', toolCallId: 'c', inputId: 'i', inputType: 'data', prompt: 'p' },
      {
        kind: 'input-required',
        inputId: 'i',
        inputType: 'custom',
        prompt: 'p',
        metadata: { looopy: { toolCallId: 'c', inputType: 'data' } },
      },
    ],
    [
      'milliseconds',
      { kind: 'task-status', status: 'working', timestamp: Date.parse(timestamp) },
      { kind: 'task-status', status: 'working' },
    ],
    [
      'a name beside its other spelling, which is kept',
      { kind: 'task-status', status: 'working', context_id: 'ctx-2' },
      { kind: 'task-status', status: 'working', context_id: 'ctx-2' },
    ],
    [
      'a file in names in snake case',
      {
        type: 'file-write',
        task_id: 'task-1',
        taskId: null,
        artifactId: 'f',
        data: '',
        index: 0,
        complete: true,
      },
      { kind: 'file-write', artifactId: 'f', data: '', index: 0, complete: true },
    ],
    [
      'names in snake case',
      {
        type: 'task-status',
        context_id: 'ctx-1',
        task_id: 'task-1',
        contextId: null,
        taskId: null,
        status: 'working',
      },
      { kind: 'task-status', status: 'working' },
    ],
  ])('reads %s', (_, input, expected) => {
    const { events, diagnostics } = read([{ ...ids, timestamp, ...input }])
    expect(events).toStrictEqual([{ ...ids, timestamp, ...expected }])
    expect(diagnostics).toEqual([])
  })

  it.each<[field: string, other: string, value: string, event: object]>([
    ['status', 'cancelled', 'canceled', { kind: 'task-status' }],
    ['status', 'input-required', 'waiting-input', { kind: 'task-status' }],
    ['status', 'auth-required', 'waiting-auth', { kind: 'task-status' }],
    ['status', 'rejected', 'failed', { kind: 'task-status' }],
    ['thoughtType', 'analysis', 'reasoning', thought],
    ['thoughtType', 'thinking', 'reasoning', thought],
    ['thoughtType', 'debugging', 'reasoning', thought],
    ['thoughtType', 'strategizing', 'strategy', thought],
    ['inputType', 'data', 'custom', { kind: 'input-required', inputId: 'i', prompt: 'p' }],
    ['providedBy', 'any', 'user', { kind: 'input-received', inputId: 'i' }],
    ['authType', 'pat', 'custom', { kind: 'auth-required', authId: 'a', prompt: 'p' }],
  ])('reads the %s %s as %s', (field, other, value, event) => {
    const [stated, original] = [{ ...event, ...ids, timestamp }, { looopy: { [field]: other } }]
    const withMetadata = { ...stated, metadata: { more: 1 } }
    const { events, diagnostics } = read([stated, withMetadata].map((one) => ({ ...one, [field]: other })))
    expect(events).toStrictEqual([
      { ...stated, [field]: value, metadata: original },
      { ...stated, [field]: value, metadata: { more: 1, ...original } },
    ])
    expect(diagnostics).toEqual([])
  })

  it.each<[form: string, error: unknown]>([
    ['text', 'boom'],
    ['an object with a message', { message: 'boom' }],
    ['an object with every field', { code: 'timeout', message: 'boom', retry: 'retryable' }],
  ])('reads an error that is %s', (_, error) => {
    const complete = {
      code: 'internal',
      message: 'boom',
      retry: 'terminal',
      ...(typeof error === 'object' && error),
    }
    const failed = { kind: 'task-status', ...ids, status: 'failed', timestamp }
    const inputs = [
      { ...failed, error },
      { ...failed, status: { state: 'failed', error } },
      { kind: 'task-error', ...ids, error, timestamp },
    ]
    const { events, diagnostics } = read(inputs)
    expect(events).toStrictEqual([
      { ...failed, error: complete },
      { ...failed, error: complete, metadata: { looopy: { error } } },
      { kind: 'task-error', ...ids, error: complete, timestamp },
    ])
    expect(diagnostics).toEqual([])
  })

  it('reports what the input does not state, once', () => {
    const event = { kind: 'task-status', taskId: 't', status: 'working' }
    const { events, diagnostics } = read([event, event])
    expect(events[1]).toStrictEqual({ ...event, contextId: 't', timestamp: '1970-01-01T00:00:00.000Z' })
    expect(diagnostics).toEqual([
      {
        code: 'inferred:timestamp',
        message: 'An event states no timestamp; the time 0 is used instead.',
      },
      {
        code: 'inferred:contextId',
        message: 'No event states a contextId; the id of the task is used instead.',
      },
    ])
    expect(read([event], { now: () => timestamp }).diagnostics[0]?.message).toBe(
      'An event states no timestamp; the time of now() is used instead.',
    )
  })

  it('takes the kind in the data if the event type of the message differs, and reports it', () => {
    const data = JSON.stringify({ kind: 'internal:checkpoint', ...ids, iteration: 1, timestamp })
    const same = read([
      { event: 'checkpoint', data },
      { event: 'internal:checkpoint', data },
      { event: 'message', data },
      { event: '', data },
      { data },
    ])
    expect(same.events.map(({ kind }) => kind)).toEqual(Array(5).fill('internal:checkpoint'))
    expect(same.diagnostics).toEqual([])
    const other = read([{ event: 'task-status', data }])
    expect(other.events).toHaveLength(1)
    expect(other.diagnostics).toMatchObject([
      {
        code: 'inferred:kind',
        message:
          'Expected the event type "internal:checkpoint", as in the data of the message, got "task-status".',
      },
    ])
  })

  const created = { kind: 'task-created', initiator: 'user' }
  const call = { toolCallId: 'c', toolName: 'n' }
  const completed = { kind: 'task-complete' }
  const file = { kind: 'file-write', artifactId: 'f', data: '', complete: false }
  it.each<[why: string, inputs: object[], paths: string[]]>([
    ['nothing', [created, completed], []],
    [
      'a completed task with both of its events',
      [created, { kind: 'task-status', status: 'completed' }, completed],
      [],
    ],
    ['another end', [created, completed, completed], ['/kind']],
    ['a result after a failure', [created, { kind: 'task-status', status: 'failed' }, completed], ['/kind']],
    ['no beginning', [completed], ['/kind']],
    ['a second beginning', [created, created, completed], ['/kind']],
    ['no end', [created], ['']],
    [
      'an event after the end',
      [created, completed, { kind: 'content-delta', delta: 'a', index: 0 }],
      ['/kind'],
    ],
    [
      'a later delta',
      [
        created,
        { kind: 'content-delta', delta: 'a', index: 1 },
        { kind: 'content-complete', content: 'a' },
        completed,
      ],
      ['/index'],
    ],
    [
      'another text of the same length',
      [created, { kind: 'content-delta', delta: 'a' }, { kind: 'content-complete', content: 'b' }, completed],
      ['/content'],
    ],
    [
      'the same text',
      [
        created,
        { kind: 'content-delta', delta: 'a' },
        { kind: 'content-delta', delta: 'b' },
        { kind: 'content-complete', content: 'ab' },
        completed,
      ],
      [],
    ],
    ['a text without deltas', [created, { kind: 'content-complete', content: 'ab' }, completed], []],
    ['a text that is open', [created, { kind: 'content-delta', delta: 'a' }, completed], ['/kind']],
    [
      'a text that is the result',
      [created, { kind: 'content-delta', delta: 'a' }, { ...completed, content: 'a' }],
      [],
    ],
    ['a later thought', [created, { ...thought, index: 1 }, completed], ['/index']],
    ['a call that is open', [created, { kind: 'tool-start', ...call, arguments: {} }, completed], ['/kind']],
    [
      'a call that is open after a failure',
      [created, { kind: 'tool-start', ...call, arguments: {} }, { kind: 'task-status', status: 'failed' }],
      [],
    ],
    [
      'the end of no call',
      [created, { kind: 'tool-complete', ...call, success: true }, completed],
      ['/toolCallId'],
    ],
    [
      'progress of no call',
      [created, { kind: 'tool-progress', ...call, progress: 0 }, completed],
      ['/toolCallId'],
    ],
    [
      'no question',
      [created, { kind: 'input-received', inputId: 'i', providedBy: 'user' }, completed],
      ['/inputId'],
    ],
    [
      'no question that is withdrawn',
      [created, { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' }, completed],
      ['/inputId'],
    ],
    ['no request', [created, { kind: 'auth-completed', authId: 'a', userId: 'u' }, completed], ['/authId']],
    ['a file that is open', [created, { ...file, index: 0 }, completed], ['/kind']],
    ['a later chunk', [created, { ...file, index: 1, complete: true }, completed], ['/index']],
    [
      'a chunk that is missing',
      [created, { ...file, index: 0 }, { ...file, index: 2, complete: true }, completed],
      ['/index'],
    ],
    [
      'two files at once',
      [
        created,
        { ...file, index: 0 },
        { ...file, artifactId: 'g', index: 0 },
        { ...file, index: 1, complete: true },
        { ...file, artifactId: 'g', index: 1, complete: true },
        completed,
      ],
      [],
    ],
    [
      'merged chunks',
      [created, { ...file, index: 0, indexEnd: 2 }, { ...file, index: 3, complete: true }, completed],
      [],
    ],
    [
      'a chunk that is repeated',
      [created, { ...file, index: 0 }, { ...file, index: 0, complete: true }, completed],
      ['/index'],
    ],
    [
      'a subtask that is open',
      [created, { kind: 'subtask-created', subtaskId: 's', prompt: '' }, completed],
      ['/kind'],
    ],
    [
      'a subtask that ended',
      [
        created,
        { kind: 'subtask-created', subtaskId: 's', prompt: '' },
        { ...created, taskId: 's', parentTaskId: 'task-1' },
        { ...completed, taskId: 's', parentTaskId: 'task-1' },
        completed,
      ],
      [],
    ],
  ])('reports as a gap: %s', (_, inputs, paths) => {
    const { events, diagnostics } = readAll(inputs.map((input) => ({ ...ids, timestamp, ...input })))
    expect(events).toHaveLength(inputs.length)
    expect(diagnostics.map(({ code, path = '' }) => [code, path])).toEqual(paths.map((path) => ['gap', path]))
  })

  it.each<[expected: string, inputs: object[]]>([
    ['task-created as the first event in task "task-1", got task-complete', [completed]],
    ['no second task-created in task "task-1", got task-created', [created, created]],
    [
      'no open tool calls at its end in task "task-1", got 1',
      [created, { kind: 'tool-start', ...call, arguments: {} }, completed],
    ],
    ['index 0 in task "task-1", got 1', [created, { ...file, index: 1 }]],
    ['index 1 in task "task-1", got 0', [created, { ...file, index: 0 }, { ...file, index: 0 }]],
    [
      'the text of the deltas in task "task-1", got another one',
      [created, { kind: 'content-delta', delta: 'abc' }, { kind: 'content-complete', content: 'a' }],
    ],
    [
      'the id of an open tool call in task "task-1", got "c"',
      [created, { kind: 'tool-complete', ...call, success: true }],
    ],
    ['the end of task "task-1", got none', [created]],
  ])('states what is missing: %s', (expected, inputs) => {
    const { diagnostics } = readAll(inputs.map((input) => ({ ...ids, timestamp, ...input })))
    expect(diagnostics.map(({ message }) => message)).toContain(`Expected ${expected}.`)
  })

  it.each<[noun: string, open: (n: number) => object]>([
    ['tool call', (n) => ({ kind: 'tool-start', toolCallId: `${n}`, toolName: 'n', arguments: {} })],
    ['write', (n) => ({ ...file, artifactId: `${n}`, index: 0 })],
    ['subtask', (n) => ({ kind: 'subtask-created', subtaskId: `${n}`, prompt: 'p' })],
  ])('tracks 256 open items of a task: %ss', (noun, open) => {
    const items = Array.from({ length: 300 }, (_, n) => open(n))
    const { diagnostics } = readAll(
      [created, ...items, completed].map((input) => ({ ...ids, timestamp, ...input })),
    )
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `Expected no open ${noun}s at its end in task "task-1", got 256.`,
    ])
  })

  it('evicts tasks of many', () => {
    const inputs = Array.from({ length: 8193 }, (_, i) => ({
      ...completed,
      contextId: 'c',
      taskId: `t${i}`,
      timestamp,
    }))
    const { diagnostics } = read(inputs)
    expect(diagnostics).toMatchObject([
      { code: 'state-evicted', message: expect.stringMatching(/^More than 4096 /) },
    ])
  })

  it('names thoughts that have the same index by different ids', () => {
    const { thoughtId: _, ...unnamed } = thought
    const inputs = [0, 1, 0].map((index) => ({
      ...ids,
      timestamp,
      ...unnamed,
      thoughtType: 'reasoning',
      index,
    }))
    const { events } = read(inputs)
    expect(events.map((event) => 'thoughtId' in event && event.thoughtId)).toEqual([
      'task-1:thought-1',
      'task-1:thought-2',
      'task-1:thought-3',
    ])
  })

  it.each([
    [{ contextId: '' }, 'contextId'],
    [{ now: 7 }, 'now'],
  ])('throws for the options %j', (options, name) => {
    expect(() => fromLooopy(options as never)).toThrow(`"${name}" must be `)
  })

  it.each<[string, unknown, string]>([
    ['a number', 7, ''],
    ['null', null, ''],
    ['text that is not JSON', { data: '{' }, '/data'],
    ['a message that only looks like a file', { type: 'file-write', data: 'YQ==' }, '/data'],
    ['JSON that is not an object', { data: '[1]' }, '/data'],
    ['no kind', { ...ids, timestamp }, '/kind'],
    ['no task', { kind: 'task-status', contextId: 'c', status: 'working', timestamp }, '/taskId'],
    ['a wrong status', { kind: 'task-status', ...ids, status: { state: 7 }, timestamp }, '/status'],
    [
      'a wrong timestamp',
      { kind: 'task-status', ...ids, status: 'working', timestamp: 'soon' },
      '/timestamp',
    ],
    ['a time before 1970', { kind: 'task-status', ...ids, status: 'working', timestamp: -1 }, '/timestamp'],
  ])('reports %s as an invalid event', (_, input, path) => {
    const { events, diagnostics } = read([input as object])
    expect(events).toEqual([])
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'invalid-event',
      message: expect.stringMatching(/^Dropped an invalid event\. (?:\/\w+: )?(?:Expected|Missing:) /),
      path,
    })
  })
})

describe('the laws of fromLooopy', () => {
  const json = jsonValue()
  const kinds = [
    'task-status',
    'content-delta',
    'thought-stream',
    'tool-call',
    'tool-input-required',
    'x',
    'internal:y',
  ]
  const fields = fc.dictionary(
    fc.constantFrom(
      'status',
      'content',
      'thought',
      'error',
      'metadata',
      'index',
      'message',
      '__proto__',
      'more',
    ),
    json,
    { noNullPrototype: true },
  )
  // Values that are kept in the metadata, beside metadata of the sender's own.
  const renamed = fc.constantFrom(
    {},
    { status: 'cancelled' },
    { status: { state: 'working', progress: 3 } },
    { thought: 'plan', thought_type: 'analysis' },
  )
  const own = fc.constantFrom(
    {},
    { metadata: { looopy: 'own' } },
    { metadata: { looopy: 1, 'looopy#2': 2 } },
    { metadata: 'text' },
  )
  const someEvent: fc.Arbitrary<Record<string, unknown>> = fc
    .tuple(fc.constantFrom(...kinds), fields, renamed, own)
    .map(([kind, more, values, metadata]) => ({ ...more, ...values, ...metadata, kind, ...ids, timestamp }))

  it('a stream that a server writes is the stream that is read', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const { events: again, diagnostics } = readAll(events.map(serverMessage), {
          contextId: events[0]?.contextId,
        })
        expect(again).toEqual(events)
        expect(diagnostics).toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })

  /** The names that other implementations give to fields of any event, and of an event of a kind. */
  const otherNames: Record<string, Record<string, string>> = {
    '': { kind: 'type', contextId: 'context_id', taskId: 'task_id', parentTaskId: 'parent_task_id' },
    'content-delta': { delta: 'content', index: 'chunkIndex' },
    'content-complete': { finishReason: 'finish_reason' },
    'thought-stream': { content: 'thought', thoughtType: 'thought_type', thoughtId: 'thought_id' },
  }

  it('a stream in other names is the same stream', () => {
    fc.assert(
      fc.property(legalStreams(), fc.infiniteStream(fc.boolean()), (events, choices) => {
        const renamed = events.map((event) => {
          const names = { ...otherNames[''], ...otherNames[event.kind] }
          const entries = Object.entries(event).map(([name, value]) => [
            choices.next().value ? (names[name] ?? name) : name,
            value,
          ])
          return Object.fromEntries(entries) as object
        })
        expect(readAll(renamed)).toStrictEqual({ events, diagnostics: [] })
      }),
      { numRuns: runs(100) },
    )
  })

  it('a stream of texts and thoughts whose indexes are omitted is the same stream', () => {
    const streams = legalStreams({ focus: 'texts' })
      .filter((events) => events.every((event) => !('indexEnd' in event)))
      .map((events) => events.filter((event) => !('contentId' in event) && event.kind !== 'thought-delta'))
    fc.assert(
      fc.property(streams, fc.infiniteStream(fc.boolean()), (events, choices) => {
        const counted = ['content-delta', 'thought-stream']
        const inputs = events.map((event) => {
          if (!counted.includes(event.kind) || choices.next().value) return event
          const { index: _, ...rest } = event as ContextAnyEvent & { index?: number }
          return rest
        })
        expect(read(inputs)).toStrictEqual({ events, diagnostics: [] })
      }),
      { numRuns: runs(100) },
    )
  })

  // What servers of Looopy do not send: several texts at once, arguments in pieces, versions of artifacts.
  const isLater = (event: ContextAnyEvent): boolean =>
    /^(thought-delta|tool-arguments-delta)$/.test(event.kind) ||
    ['contentId', 'version', 'baseVersion', 'expectedVersion'].some((field) => field in event)
  /** Rules about what is stated twice, and about waiting. */
  const untracked = [
    'subtask-pair',
    'known-parent',
    'result-artifacts',
    'result-repeats-content',
    'waiting-for-something',
    'silent-while-waiting',
  ]

  it('a stream of which events are missing is legal, or the gap is reported', () => {
    const holes = fc.array(fc.nat(), { minLength: 1, maxLength: 3 })
    const streams = legalStreams().filter((events) => !events.some(isLater))
    fc.assert(
      fc.property(streams, holes, (events, at) => {
        const lost = new Set(at.map((n) => n % events.length))
        const received = events.filter((_, i) => !lost.has(i))
        const { events: again, diagnostics } = readAll(received)
        expect(again).toEqual(received)
        const rules = (errorsOf(again) as { rule: string }[]).map(({ rule }) => rule)
        const codes = new Set(diagnostics.map(({ code }) => code))
        if (rules.some((rule) => !untracked.includes(rule))) expect([rules, ...codes]).toEqual([rules, 'gap'])
      }),
      { numRuns: runs(300) },
    )
  })

  it('an event of any other kind is a custom event with its fields', () => {
    fc.assert(
      fc.property(fc.string(), fields, fc.boolean(), (name, data, isInternal) => {
        const kind = isInternal ? `internal:${name}.` : `.${name}`
        const inTask = { parentTaskId: 'parent', path: ['a'] }
        const { events, diagnostics } = read([{ ...data, ...ids, ...inTask, timestamp, kind }])
        expect(diagnostics).toEqual([])
        expect(events).toStrictEqual([
          {
            kind: 'custom',
            ...ids,
            ...inTask,
            timestamp,
            name: expect.stringMatching(/^looopy(\.[A-Za-z0-9_-]+)+$/),
            data,
            ...(isInternal && { metadata: { audience: ['operator'] } }),
          },
        ])
      }),
      { numRuns: runs(300) },
    )
  })

  it('every value of an event reaches the output, unless the event is reported as invalid', () => {
    fc.assert(
      fc.property(someEvent, (event) => {
        const { events, diagnostics } = read([event])
        if (events.length === 0) expect(diagnostics.map(({ code }) => code)).toContain('invalid-event')
        else {
          const values = new Set(leavesOf(events).map(({ value }) => JSON.stringify(value)))
          const { kind, ...rest } = event
          // An optional field that is null is read as absent, and empty metadata holds nothing.
          const lost = leavesOf(rest).filter(
            ({ path, value }) => value !== null && path !== '/metadata' && !values.has(JSON.stringify(value)),
          )
          expect(lost).toEqual([])
        }
      }),
      {
        numRuns: runs(500),
        examples: [
          [
            {
              kind: 'task-status',
              ...ids,
              timestamp,
              status: { state: 'working', progress: 3 },
              metadata: {},
            },
          ],
        ],
      },
    )
  })

  it('its state is plain JSON, and no JSON value throws', () => {
    const message = fc.record({
      data: fc.oneof(
        json.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      event: fc.string(),
    })
    expectMachineLaw(
      fromLooopy({ contextId: 'c' }),
      fc.oneof(someEvent, message, json as fc.Arbitrary<object>),
    )
  })
})
