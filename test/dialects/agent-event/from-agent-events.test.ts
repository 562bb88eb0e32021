// Proves the mapping of a run to a task, and that the task is legal.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FromAgentEventsOptions } from '../../../src/dialects/agent-event/from/options.ts'
import { type AgentEvent, fromAgentEvents } from '../../../src/dialects/agent-event/index.ts'
import { type ContextAnyEvent, decodeEvent } from '../../../src/index.ts'
import { jsonValue } from '../../support/json.ts'
import { runs } from '../../support/runs.ts'
import { legal } from './cases.ts'
import { anything, clockAndIds, legalStream, through } from './support.ts'

const read = (events: readonly unknown[], options: FromAgentEventsOptions = {}) =>
  through(fromAgentEvents({ ...clockAndIds, showErrors: true, ...options }), events as AgentEvent[])

/** The events without the fields that are the same in all of them. */
const bare = (events: readonly ContextAnyEvent[]): object[] =>
  events.map(({ contextId, taskId, timestamp, ...rest }) => {
    expect({ contextId, taskId, timestamp }).toEqual({
      contextId: 'ctx',
      taskId: 'task',
      timestamp: '2026-03-01T08:00:00Z',
    })
    return rest
  })

const opening = [
  { kind: 'task-created', initiator: 'user' },
  { kind: 'task-status', status: 'working' },
]
const closing = [{ kind: 'task-status', status: 'completed' }, { kind: 'task-complete' }]
const call = (more: object = {}) => ({ type: 'tool_call', toolName: 'a', toolArgs: '{}', ...more })
const progress = (more: object = {}) => ({ type: 'tool_progress', toolName: 'a', data: 1, ...more })
const result = (more: object = {}) => ({ type: 'tool_result', toolName: 'a', output: '', ...more })
const final = { type: 'final' }

describe('a run', () => {
  test('with a tool becomes a task, event by event', () => {
    const { out, codes } = read(legal[0]?.events ?? [])
    const shell = { toolCallId: 'task:call-1' }
    const thought = { kind: 'thought-stream', thoughtType: 'reasoning', verbosity: 'normal' }
    expect(bare(out)).toStrictEqual([
      ...opening,
      { ...thought, thoughtId: 'task:thought-1', content: 'The folder has to be listed first.', index: 0 },
      {
        kind: 'tool-start',
        ...shell,
        toolName: 'run_shell',
        arguments: { command: 'ls docs' },
        metadata: { toolArgs: '{ "command": "ls docs" }' },
      },
      ...['guide.md\n', 'index.md\n'].map((content) => ({
        kind: 'tool-progress',
        ...shell,
        progress: 0,
        metadata: { data: { subtype: 'stdout_chunk', content } },
      })),
      {
        kind: 'tool-complete',
        ...shell,
        toolName: 'run_shell',
        success: true,
        result: '{"stdout":"guide.md\\nindex.md\\n","stderr":""}',
      },
      { ...thought, thoughtId: 'task:thought-2', content: 'Two pages. Now the answer.', index: 1 },
      { kind: 'content-delta', delta: 'The `docs`', index: 0 },
      { kind: 'content-delta', delta: ' folder holds', index: 1 },
      { kind: 'content-delta', delta: ' `guide.md` and `index.md`.', index: 2 },
      { kind: 'content-complete', content: 'The `docs` folder holds `guide.md` and `index.md`.' },
      ...closing,
    ])
    expect(codes).toEqual([])
  })

  test('that fails becomes a failed task with complete content', () => {
    const { out } = read([
      { type: 'stream', content: 'a' },
      { type: 'error', error: 'No.' },
    ])
    expect(bare(out)).toStrictEqual([
      ...opening,
      { kind: 'content-delta', delta: 'a', index: 0 },
      { kind: 'content-complete', content: 'a' },
      {
        kind: 'task-status',
        status: 'failed',
        error: { code: 'internal', message: 'No.', retry: 'terminal' },
      },
    ])
  })

  test('a time before that of an earlier event is reported, and the earlier one is used', () => {
    const { out, codes } = read([
      { type: 'start', at: 2 },
      { type: 'thought', content: 'a', at: 1 },
      { type: 'final', at: 3 },
    ])
    const times = out.map(({ kind, timestamp }) => [kind, Date.parse(timestamp)])
    expect(times).toContainEqual(['thought-stream', 2])
    expect(times.at(-1)).toEqual(['task-complete', 3])
    expect(codes).toEqual(['lossy:at'])
  })

  test('without events yields nothing', () => {
    expect(read([])).toMatchObject({ out: [], diagnostics: [] })
  })

  test('that is cut off is reported, and fails', () => {
    const { out, codes } = read([{ type: 'stream', content: 'a' }, call()])
    const message = 'The stream ended without final or error.'
    expect(bare(out).slice(5)).toStrictEqual([
      {
        kind: 'tool-complete',
        toolCallId: 'task:call-1',
        toolName: 'a',
        success: false,
        error: 'No result at the end of the stream.',
      },
      { kind: 'task-status', status: 'failed', error: { code: 'internal', message, retry: 'terminal' } },
    ])
    expect(codes).toEqual(['gap', 'inferred:tool_result'])
  })

  test('starts a segment after a tool call', () => {
    const { out } = read([
      { type: 'stream', content: 'a' },
      call(),
      { type: 'stream', content: 'b' },
      result(),
      final,
    ])
    expect(bare(out).slice(2, 4)).toEqual([
      { kind: 'content-delta', delta: 'a', index: 0 },
      { kind: 'content-complete', content: 'a' },
    ])
    expect(bare(out)[5]).toEqual({ kind: 'content-delta', delta: 'b', index: 0 })
  })

  test('keeps 16 Mi code units in a segment by default', () => {
    const texts = ['a'.repeat(16 * 1024 * 1024 - 1), 'b', 'c']
    const { out } = read([...texts.map((content) => ({ type: 'stream', content })), final])
    const lengths = out.flatMap((event) => (event.kind === 'content-complete' ? [event.content.length] : []))
    expect(lengths).toEqual([16 * 1024 * 1024, 1])
  })

  test('starts a segment when one is full', () => {
    const texts = ['ab', 'c', 'defgh', 'i']
    const { out } = read([...texts.map((content) => ({ type: 'stream', content })), final], {
      maxContentLength: 3,
    })
    const whole = out.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))
    expect(whole).toEqual(['abc', 'defgh', 'i'])
  })
})

describe('tools', () => {
  test('isError true is a failure, false is a success', () => {
    const { out } = read([
      call(),
      result({ output: 'No.', isError: true }),
      call(),
      result({ isError: false }),
      final,
    ])
    expect(bare(out).filter((event) => 'success' in event)).toStrictEqual([
      { kind: 'tool-complete', toolCallId: 'task:call-1', toolName: 'a', success: false, error: 'No.' },
      { kind: 'tool-complete', toolCallId: 'task:call-2', toolName: 'a', success: true, result: '' },
    ])
  })
  test('results belong to the call with their id, or to the newest open call of their tool', () => {
    const ids = (events: readonly object[]) =>
      read(events).out.flatMap((event) =>
        event.kind === 'tool-complete' && event.success ? [event.toolCallId] : [],
      )
    expect(ids([call(), call({ toolName: 'b' }), call(), result(), result()])).toEqual([
      'task:call-3',
      'task:call-1',
    ])
    // A tool that throws sends no result.
    expect(ids([call(), call(), result()])).toEqual(['task:call-2'])
    expect(
      ids([call({ toolCallId: 'x' }), call({ toolCallId: 'y' }), result({ toolCallId: 'y' }), result()]),
    ).toEqual(['y', 'x'])
  })
  test.each([
    ['{"a":', {}, ['lossy:toolArgs']],
    ['[1]', {}, ['lossy:toolArgs']],
    ['', {}, ['lossy:toolArgs']],
    [' {"a" : 1.50} ', { a: 1.5 }, []],
    ['{"__proto__":1}', JSON.parse('{"__proto__":1}'), []],
  ])('arguments %j are parsed, and their text is kept', (toolArgs, args, codes) => {
    const found = read([call({ toolArgs }), result(), final])
    expect(bare(found.out)[2]).toStrictEqual({
      kind: 'tool-start',
      toolCallId: 'task:call-1',
      toolName: 'a',
      arguments: args,
      metadata: { toolArgs },
    })
    expect(found.codes).toEqual(codes)
  })
  test('arguments nested too deep are not parsed; brackets in strings do not count', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(read([call({ toolArgs: nested(100_000) }), result(), final]).codes).toEqual(['lossy:toolArgs'])
    expect(read([call({ toolArgs: nested(999) }), result(), final]).codes).toEqual([])
    const text = JSON.stringify({ a: `\\"${'['.repeat(5000)}`, b: Array.from({ length: 5000 }, () => []) })
    const { out, codes } = read([call({ toolArgs: text }), result(), final])
    expect(codes).toEqual([])
    expect(out[2]).toHaveProperty('arguments', JSON.parse(text))
  })
  test('any data is kept unchanged', () => {
    fc.assert(
      fc.property(jsonValue(), (data) => {
        const { out, codes } = read([call(), progress({ data }), result(), final])
        expect(bare(out)[3]).toStrictEqual({
          kind: 'tool-progress',
          toolCallId: 'task:call-1',
          progress: 0,
          metadata: { data },
        })
        expect(codes).toEqual([])
      }),
    )
  })
  test('missing data becomes null', () => {
    expect(bare(read([call(), { type: 'tool_progress', toolName: 'a' }]).out)[3]).toHaveProperty('metadata', {
      data: null,
    })
  })
  test('readProgress interprets data; progress never falls', () => {
    const readProgress: FromAgentEventsOptions['readProgress'] = ({ data }) =>
      typeof data === 'number' ? { progress: data } : { stream: 'stdout', chunk: String(data), message: 'm' }
    const inputs = [0.5, 'x', 0.25, 7, Number.NaN, 0.75].map((data) => progress({ data }))
    const { out } = read([call(), ...inputs], { readProgress })
    const events = out.flatMap((event) => (event.kind === 'tool-progress' ? [event] : []))
    expect(events.map((event) => event.progress)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.75])
    expect(events[1]).toMatchObject({ message: 'm', metadata: { data: 'x', stream: 'stdout', chunk: 'x' } })
  })
  test('evicts the oldest of too many open calls, and reports it', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, i) => call({ toolCallId: `${i}`, toolName: `${i % 3}` }))
    const first = result({ toolCallId: '0', toolName: '0' })
    expect(read([...calls(1024), first, final]).codes).toEqual(['inferred:tool_result'])
    const { codes, out } = read([...calls(2100), first, final])
    expect(codes).toEqual(['state-evicted', 'dropped:tool_result', 'inferred:tool_result'])
    expect(out.filter(({ kind }) => kind === 'tool-complete').length).toBeGreaterThanOrEqual(1024)
  })
  test('calls without a result fail at the end of the run', () => {
    const ends = [final, { type: 'error', error: 'No.' }, { type: 'cancelled', reason: 'Stop.' }]
    for (const end of ends) {
      const { out, diagnostics } = read([call(), call({ toolCallId: 'x', toolName: 'b' }), end])
      expect(out.filter(({ kind }) => kind === 'tool-complete')).toMatchObject([
        { toolCallId: 'task:call-1', toolName: 'a', success: false, error: `No result at ${end.type}.` },
        { toolCallId: 'x', toolName: 'b', success: false },
      ])
      expect(diagnostics).toMatchObject([
        { code: 'inferred:tool_result', detail: { toolCallIds: ['task:call-1', 'x'] } },
      ])
    }
  })
  test('a result without a call yields a call', () => {
    const { out, codes } = read([result({ toolCallId: 'x', output: 'ok' }), final])
    expect(bare(out).slice(2, 4)).toStrictEqual([
      { kind: 'tool-start', toolCallId: 'x', toolName: 'a', arguments: {} },
      { kind: 'tool-complete', toolCallId: 'x', toolName: 'a', success: true, result: 'ok' },
    ])
    expect(codes).toEqual(['inferred:tool_call'])
  })
  test('a repeated result with an id is dropped', () => {
    const { diagnostics } = read([
      call({ toolCallId: 'x' }),
      result({ toolCallId: 'x' }),
      result({ toolCallId: 'x' }),
      final,
    ])
    expect(diagnostics).toMatchObject([
      { code: 'dropped:tool_result', detail: { reason: 'repeated', toolCallId: 'x' } },
    ])
  })
  test('ids of calls are unique, whatever the run states', () => {
    const ids = (events: readonly object[]) =>
      read(events).out.flatMap((event) => (event.kind === 'tool-start' ? [event.toolCallId] : []))
    const again = [call({ toolCallId: 'x' }), result({ toolCallId: 'x' })]
    expect(ids([...again, ...again, final])).toEqual(['x', 'task:call-2'])
    expect(ids([call({ toolCallId: 'task:call-2' }), call(), final])).toEqual(['task:call-2', 'task:call-2+'])
  })
})

describe('invalid input', () => {
  test.each<[string, unknown[], string[], number]>([
    ['a value that is not an event', [7, final], ['invalid-event'], 4],
    ['an invalid field', [{ type: 'stream', content: 7 }, final], ['invalid-event'], 4],
    ['an unknown type', [{ type: 'heartbeat' }, final], ['dropped:heartbeat'], 4],
    ['progress without a call', [progress(), final], ['dropped:tool_progress'], 4],
    ['a result without a call', [result({ toolCallId: 'x' }), final], ['inferred:tool_call'], 6],
    [
      'an event after the end',
      [final, { type: 'stream', content: 'a' }, final],
      ['dropped:stream', 'dropped:final'],
      4,
    ],
    ['a call without a result', [call(), final], ['inferred:tool_result'], 6],
    [
      'a duplicate id',
      [call({ toolCallId: 'x' }), call({ toolCallId: 'x' }), result(), result(), final],
      ['inferred:toolCallId'],
      8,
    ],
    [
      'an event of another run',
      [
        { ...final, runId: 'r' },
        { type: 'start', runId: 's' },
      ],
      ['dropped:start'],
      4,
    ],
    ['arguments of another type', [call({ toolArgs: [1] }), result(), final], ['lossy:toolArgs'], 6],
  ])('%s is reported', (_, events, codes, length) => {
    const found = read(events)
    expect(found.codes).toEqual(codes)
    expect(found.out).toHaveLength(length)
  })
  test('an invalid event is reported with a path and its issues', () => {
    expect(read([{ type: 'stream', content: 7 }]).diagnostics).toMatchObject([
      { code: 'invalid-event', path: '/content', detail: [{ code: 'invalid-type', path: '/content' }] },
    ])
  })
  test.each<[string, unknown[], object]>([
    ['a heartbeat', [{ type: 'start' }, { type: 'heartbeat' }], { reason: 'no-equivalent' }],
    ['a control message before the run', [{ type: 'connected' }], { reason: 'no-open-task' }],
    [
      'an event of another run',
      [
        { ...final, runId: 'r' },
        { ...final, runId: 's' },
      ],
      { reason: 'other-task' },
    ],
    ['an event after the end', [final, final], { reason: 'after-end' }],
    ['progress without a call', [progress()], { reason: 'not-started', toolName: 'a' }],
    [
      'progress of another call',
      [call({ toolCallId: 'y' }), progress({ toolCallId: 'x' })],
      { reason: 'not-started', toolName: 'a', toolCallId: 'x' },
    ],
  ])('%s is dropped with a reason', (_, events, detail) => {
    const dropped = read(events).diagnostics.filter(({ code }) => code.startsWith('dropped:'))
    expect(dropped.map((diagnostic) => diagnostic.detail)).toEqual([detail])
  })
  test.each([
    ['before the run', []],
    ['after its end', [final]],
  ])('the code of what is dropped %s has 64 characters of its type', (_, before) => {
    const { codes } = read([...before, { type: 'x'.repeat(70) }])
    expect(codes).toEqual([`dropped:${'x'.repeat(64)}`])
  })
  test('unknown fields are carried by the first event of their input', () => {
    const { out, codes } = read([{ ...final, usage: 1, metadata: { a: 2 } }])
    expect(out[0]).toHaveProperty('metadata.langvis', { usage: 1, metadata: { a: 2 } })
    expect(out.slice(1).every((event) => !('metadata' in event))).toBe(true)
    expect(codes).toEqual([])
  })
})

describe('ids and times', () => {
  test('come from the host', () => {
    let ids = 0
    let time = 0
    const options = { newId: () => `id-${++ids}`, now: () => ++time }
    const { out, codes } = through(fromAgentEvents(options), [{ type: 'thought', content: 'a' }])
    expect(out.slice(0, 3)).toMatchObject([
      { contextId: 'id-1', taskId: 'id-2', timestamp: '1970-01-01T00:00:00.001Z' },
      { contextId: 'id-1', taskId: 'id-2', timestamp: '1970-01-01T00:00:00.002Z' },
      { thoughtId: 'id-3', timestamp: '1970-01-01T00:00:00.003Z' },
    ])
    expect(codes).toEqual(['gap'])
  })
  test('are inferred without a host, which is reported', () => {
    const { out, codes } = through(fromAgentEvents(), [{ type: 'final' }])
    expect(out[0]).toMatchObject({
      contextId: 'context-1',
      taskId: expect.stringMatching(/^[-0-9a-f]{36}$/),
      timestamp: '1970-01-01T00:00:00.000Z',
    })
    expect(codes).toEqual(['inferred:contextId', 'inferred:taskId', 'inferred:timestamp'])
  })
  test('a subtask has its parentTaskId and path', () => {
    const { out } = read([final], { parentTaskId: 'p', path: ['root', 'me'] })
    expect(out[0]).toMatchObject({ initiator: 'agent', parentTaskId: 'p', path: ['root', 'me'] })
    expect(read([final], { parentTaskId: 'p', initiator: 'user' }).out[0]).toMatchObject({
      initiator: 'user',
    })
  })
  test.each([
    { contextId: '' },
    { taskId: '' },
    { path: [''] },
    { maxContentLength: 0 },
    { maxContentLength: 1.5 },
  ])('throws for %j', (options) => expect(() => fromAgentEvents(options)).toThrow(TypeError))
})

/** Checks the rules every task must follow. */
function expectLegalTask(events: readonly ContextAnyEvent[]): void {
  const open = new Map<string, string>()
  const seen = new Set<string>()
  let index = 0
  let text = ''
  let thoughts = 0
  const ends: string[] = []
  for (const [i, event] of events.entries()) {
    expect(event.kind === 'task-created').toBe(i === 0)
    if (ends.length > 0) expect(event.kind).toBe('task-complete')
    if (event.kind === 'task-status' && ['completed', 'failed'].includes(event.status))
      ends.push(event.status)
    if (event.kind === 'task-complete') expect([ends, i]).toEqual([['completed'], events.length - 1])
    if (event.kind === 'content-delta') {
      expect(event.index).toBe(index++)
      text += event.delta
    }
    if (event.kind === 'content-complete') {
      expect(event.content).toBe(text)
      index = 0
      text = ''
    }
    if (event.kind === 'thought-stream') expect(event.index).toBe(thoughts++)
    if (event.kind === 'tool-start') {
      expect(seen).not.toContain(event.toolCallId)
      seen.add(event.toolCallId)
      open.set(event.toolCallId, event.toolName)
    }
    if (event.kind === 'tool-progress') expect([...open.keys()]).toContain(event.toolCallId)
    if (event.kind === 'tool-complete') {
      expect(open.get(event.toolCallId)).toBe(event.toolName)
      open.delete(event.toolCallId)
    }
  }
  expect(text).toBe('')
  expect(ends).toHaveLength(1)
  expect(open.size).toBe(0)
}

describe('for every stream', () => {
  test.each([true, false])('a legal run becomes a legal task (ids: %s)', (withIds) => {
    fc.assert(
      fc.property(legalStream(withIds), fc.constantFrom(3, 1000), (events, maxContentLength) => {
        const { out, codes } = read(events, { maxContentLength })
        expectLegalTask(out)
        expect(codes.filter((code) => !['lossy:toolArgs', 'inferred:tool_result'].includes(code))).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })
  test('arbitrary input yields only valid events', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 12 }), (events) => {
        for (const event of read(events).out) expect(decodeEvent(event).status).toBe('known')
      }),
      { numRuns: runs(500) },
    )
  })
})
