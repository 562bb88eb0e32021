/** Proves what a task becomes as a run of an agent, and that the coverage table tells the truth. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  agentEventCoverage,
  agentEventVerifier,
  decodeAgentEvent,
  type ToAgentEventsOptions,
  toAgentEvents,
} from '../../../src/dialects/agent-event/index.ts'
import { type AnyEvent, type EventKind, eventKinds } from '../../../src/index.ts'
import { core, coreEvent, coreTask, samples } from './core-support.ts'
import { through } from './support.ts'

const tell = (events: readonly AnyEvent[], options: ToAgentEventsOptions = {}) =>
  through(toAgentEvents(options), events)

const start = (id: string, more: object = {}) =>
  core('tool-start', { toolCallId: id, toolName: 't', arguments: {}, ...more })
const complete = (id: string, more: object = { success: true }) =>
  core('tool-complete', { toolCallId: id, toolName: 't', success: true, ...more })
const status = (value: 'completed' | 'failed' | 'canceled' | 'working', more: object = {}) =>
  core('task-status', { status: value, ...more })
const stream = (content: string): AgentEvent => ({ type: 'stream', content })
const final: AgentEvent = { type: 'final' }

describe('agentEventCoverage', () => {
  test('names every kind', () => expect(Object.keys(agentEventCoverage)).toEqual([...eventKinds]))

  test.each(Object.entries(agentEventCoverage) as [EventKind, string][])('%s: %s', (kind, coverage) => {
    const machine = toAgentEvents()
    const { state } = machine.step(machine.initial, start('c'))
    const { out, diagnostics = [] } = machine.step(state, core(kind, samples[kind] as never))
    const codes = diagnostics.map(({ code }) => code)
    if (coverage === 'omitted') {
      expect(out).toEqual([])
      expect(codes).toEqual([`dropped:${kind}`])
    } else {
      expect(out.length).toBeGreaterThan(0)
      expect(codes.every((code) => code.startsWith('lossy:'))).toBe(true)
      expect(codes.length > 0 ? 'partial' : 'full').toBe(coverage)
    }
  })
})

describe('the end', () => {
  const said = core('content-delta', { delta: 'a', index: 0 })
  const answer = core('task-complete', { content: 'All.' })

  test.each<[string, AnyEvent[], AgentEvent[]]>([
    ['status, then result', [said, status('completed'), core('task-complete', {})], [stream('a'), final]],
    ['result, then status', [said, core('task-complete', {}), status('completed')], [stream('a'), final]],
    ['status alone', [said, status('completed')], [stream('a'), final]],
    ['result alone', [said, answer], [stream('a'), final]],
    ['a text only in the result', [answer, status('completed')], [stream('All.'), final]],
    ['a text only in the result, late', [status('completed'), answer], [stream('All.'), final]],
    ['no text at all', [status('completed'), core('task-complete', { content: '' })], [final]],
    ['no text and no result', [status('completed')], [final]],
    ['a failure', [status('failed', { message: 'No.' })], [{ type: 'error', error: 'No.' }]],
    [
      'a failure by its reason',
      [status('failed', { metadata: { reason: 'r' } })],
      [{ type: 'error', error: 'r' }],
    ],
    ['a cancellation', [status('canceled')], [{ type: 'error', error: 'The task is canceled.' }]],
    ['no end', [said], [stream('a')]],
  ])('%s', (_, events, out) => {
    expect(tell(events).out).toStrictEqual(out)
  })
  test('final is not held back once a text was told', () => {
    const machine = toAgentEvents()
    const { state } = machine.step(machine.initial, said)
    expect(machine.step(state, status('completed')).out).toEqual([final])
  })
  test('nothing follows it', () => {
    expect(tell([said, status('completed'), said, status('failed')])).toMatchObject({
      out: [stream('a'), final],
      codes: ['dropped:content-delta', 'dropped:task-status'],
    })
    expect(tell([status('failed'), status('completed')]).codes).toEqual([
      'lossy:error',
      'dropped:task-status',
    ])
  })
  test('a failure of this dialect loses nothing; one that says more does', () => {
    const error = { code: 'internal', message: 'No.', retry: 'terminal' }
    expect(tell([status('failed', { error })]).codes).toEqual([])
    expect(tell([status('failed', { error: { ...error, attempt: 2 } })]).codes).toEqual(['lossy:error'])
    expect(tell([status('canceled', { error })]).codes).toEqual(['lossy:status'])
  })
})

describe('text', () => {
  const delta = (text: string, index = 0) => core('content-delta', { delta: text, index })
  const whole = (content: string) => core('content-complete', { content })

  test('is not told twice', () => {
    expect(tell([delta('a'), delta('b', 1), whole('ab'), status('completed')])).toMatchObject({
      out: [stream('a'), stream('b'), final],
      codes: [],
    })
  })
  test('is told whole where there were no pieces', () => {
    expect(tell([whole('ab'), start('c'), complete('c'), whole('cd')])).toMatchObject({
      out: [stream('ab'), { type: 'tool_call' }, { type: 'tool_result' }, stream('cd')],
      codes: [],
    })
  })
  test('that goes on from another segment is reported', () => {
    expect(tell([delta('a'), whole('a'), delta('b')]).codes).toEqual(['lossy:segment'])
    expect(tell([delta('a'), whole('a'), whole('b')])).toMatchObject({
      out: [stream('a'), stream('b')],
      codes: ['lossy:segment'],
    })
    expect(tell([delta('a'), start('c'), delta('b', 1), whole('ab')])).toMatchObject({
      out: [stream('a'), { type: 'tool_call' }, stream('b')],
      codes: ['lossy:segment'],
    })
  })
})

describe('tools', () => {
  test.each<[object, object, string[]]>([
    [{ success: true, result: 'a' }, { output: 'a' }, []],
    [{ success: true }, { output: '' }, []],
    [{ success: true, result: { a: [1] } }, { output: '{"a":[1]}' }, ['lossy:result']],
    [{ success: true, result: null }, { output: 'null' }, ['lossy:result']],
    [{ success: true, result: 'a', error: 'b' }, { output: 'a' }, ['lossy:error']],
    [{ success: false, error: 'b' }, { output: 'b', isError: true }, []],
    [{ success: false }, { output: '', isError: true }, []],
    [{ success: false, result: 'a' }, { output: 'a', isError: true }, ['lossy:result']],
    [{ success: false, result: 'a', error: 'b' }, { output: 'b', isError: true }, ['lossy:result']],
  ])('%j becomes %j', (fields, output, codes) => {
    const found = tell([start('c'), complete('c', fields)])
    expect(found.out[1]).toStrictEqual({ type: 'tool_result', toolName: 't', ...output })
    expect(found.codes).toEqual(codes)
  })
  test.each<[object, unknown, string, string[]]>([
    [{ a: 1.5 }, ' {"a":1.50}', ' {"a":1.50}', []],
    [{ a: 1.5 }, undefined, '{"a":1.5}', []],
    [{ a: 'hidden' }, '{"a":"secret"}', '{"a":"hidden"}', ['lossy:metadata']],
    [{}, '{"a":"secret"}', '{}', ['lossy:metadata']],
    [{}, 'no json', 'no json', []],
    [{}, '[1]', '[1]', []],
    [{ a: 1 }, 'no json', '{"a":1}', ['lossy:metadata']],
    [{ a: 1 }, 7, '{"a":1}', ['lossy:metadata']],
  ])('arguments %o, kept as %j, are told as %j', (args, toolArgs, told, codes) => {
    const found = tell([
      start('c', { arguments: args, ...(toolArgs !== undefined && { metadata: { toolArgs } }) }),
    ])
    expect(found.out).toStrictEqual([{ type: 'tool_call', toolName: 't', toolArgs: told }])
    expect(found.codes).toEqual(codes)
  })
  test('what JSON cannot say is not told', () => {
    expect(tell([start('c', { arguments: { a: 1n } }), complete('c', { result: 1n })])).toMatchObject({
      out: [{ toolArgs: '{}' }, { output: '' }],
      codes: ['lossy:arguments', 'lossy:result'],
    })
  })
  test('progress is told with what it says, or with the data it came with', () => {
    const one = core('tool-progress', {
      toolCallId: 'c',
      progress: 0.5,
      message: 'm',
      metadata: { step: 's' },
    })
    const two = core('tool-progress', { toolCallId: 'c', progress: 0.5, metadata: { data: [1], step: 's' } })
    const found = tell([start('c'), one, two])
    expect(found.out.slice(1)).toStrictEqual([
      {
        type: 'tool_progress',
        toolName: 't',
        data: { subtype: 'tool_progress', progress: 0.5, message: 'm', metadata: { step: 's' } },
      },
      { type: 'tool_progress', toolName: 't', data: [1] },
    ])
    expect(found.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['lossy:progress', '/progress'],
      ['lossy:metadata', '/metadata/step'],
    ])
  })
  test('progress of an unknown call is left out', () => {
    expect(tell([core('tool-progress', { toolCallId: 'c', progress: 0 })]).codes).toEqual([
      'dropped:tool-progress',
    ])
  })
  test('ids are told when asked', () => {
    const events = [start('c'), core('tool-progress', { toolCallId: 'c', progress: 0 }), complete('c')]
    expect(
      tell(events, { toolCallIds: true }).out.map((event) => 'toolCallId' in event && event.toolCallId),
    ).toEqual(['c', 'c', 'c'])
    expect(tell(events).out.every((event) => !('toolCallId' in event))).toBe(true)
  })
  test('without ids it is reported where a receiver takes one call for another', () => {
    const events = [start('a'), start('b'), start('c'), complete('c'), complete('b'), complete('a')]
    const { diagnostics } = tell(events)
    expect(diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
      ['lossy:toolCallId', { assumed: 'a' }],
      ['lossy:toolCallId', { assumed: 'c' }],
    ])
    expect(tell(events, { toolCallIds: true }).diagnostics).toEqual([])
    expect(tell([start('a'), start('b'), complete('a'), complete('b')]).diagnostics).toEqual([])
  })
})

describe('which task', () => {
  const other = { ...core('content-delta', { delta: 'b', index: 0 }), taskId: 'other' }
  test('the first one, or the one that is named', () => {
    const own = core('content-delta', { delta: 'a', index: 0 })
    expect(tell([own, other])).toMatchObject({ out: [stream('a')], codes: ['dropped:content-delta'] })
    expect(tell([own, other], { taskId: 'other' })).toMatchObject({
      out: [stream('b')],
      codes: ['dropped:content-delta'],
    })
  })
  test('events without context are of the task', () => {
    const bare: AnyEvent = { kind: 'content-delta', delta: 'c', index: 1, timestamp: '2026-03-01T08:00:00Z' }
    expect(tell([bare, other, bare]).out).toEqual([stream('c'), stream('b'), stream('c')])
  })
})

test('what is no event, or of an unknown kind, is reported', () => {
  const later = { kind: 'later', timestamp: '2026-03-01T08:00:00Z' }
  expect(
    tell([later as never, 7 as never, core('content-delta', { delta: 7, index: 0 } as never)]),
  ).toMatchObject({
    out: [],
    codes: ['dropped:later', 'invalid-event', 'invalid-event'],
  })
})

describe('for every stream', () => {
  test('a legal task becomes a legal run', () => {
    fc.assert(
      fc.property(coreTask, (events) => {
        const { out } = through(agentEventVerifier(), tell(events, { toolCallIds: true }).out)
        expect(out).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
  test('whatever comes, valid events come out', () => {
    fc.assert(
      fc.property(fc.array(coreEvent), (events) => {
        for (const event of tell(events).out) expect(decodeAgentEvent(event).status).toBe('known')
      }),
    )
  })
})
