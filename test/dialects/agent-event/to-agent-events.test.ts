// Proves the mapping of a task to a run, and that the coverage table is right.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  agentEventCoverage,
  agentEventVerifier,
  decodeAgentEvent,
  toAgentEvents,
} from '../../../src/dialects/agent-event/index.ts'
import type { ToAgentEventsOptions } from '../../../src/dialects/agent-event/to/to-agent-events.ts'
import { type AnyEvent, type EventKind, eventKinds, run } from '../../../src/index.ts'
import { runs } from '../../support/runs.ts'
import { core, coreEvent, coreTask, samples } from './core-support.ts'
import { through } from './support.ts'

/** Maps events. A task that is open at the end stays open: the stream goes on. */
function map(events: readonly AnyEvent[], options: ToAgentEventsOptions = {}) {
  const mapped = through(toAgentEvents(options), events)
  if (mapped.codes.at(-1) !== 'gap') return mapped
  return {
    ...mapped,
    out: mapped.out.slice(0, -1),
    codes: mapped.codes.slice(0, -1),
    diagnostics: mapped.diagnostics.slice(0, -1),
  }
}

const start = (id: string, more: object = {}) =>
  core('tool-start', { toolCallId: id, toolName: 't', arguments: {}, ...more })
const complete = (id: string, more: object = { success: true }) =>
  core('tool-complete', { toolCallId: id, toolName: 't', success: true, ...more })
const status = (value: 'completed' | 'failed' | 'canceled' | 'working', more: object = {}) =>
  core('task-status', { status: value, ...more })
const stream = (content: string): AgentEvent => ({ type: 'stream', content })
const final: AgentEvent = { type: 'final' }

describe('agentEventCoverage', () => {
  test('has every kind', () => expect(Object.keys(agentEventCoverage).sort()).toEqual([...eventKinds].sort()))

  test.each(Object.entries(agentEventCoverage) as [EventKind, string][])('%s: %s', (kind, coverage) => {
    const machine = toAgentEvents()
    const needsCall = kind === 'tool-progress' || kind === 'tool-complete'
    const { state } = needsCall ? machine.step(machine.initial, start('c')) : { state: machine.initial }
    const { out, diagnostics = [] } = machine.step(state, core(kind, samples[kind] as never))
    const codes = diagnostics.map(({ code }) => code)
    if (coverage === 'omitted') {
      expect(out).toEqual([])
      expect(codes).toEqual([`dropped:${kind}`])
    } else {
      expect(out.length).toBeGreaterThan(0)
      expect(codes.every((code) => code.startsWith('lossy:'))).toBe(true)
      if (coverage === 'full') expect(codes).toEqual([])
    }
  })
})

describe('the end', () => {
  const text = core('content-delta', { delta: 'a', index: 0 })
  const answer = core('task-complete', { content: 'All.' })

  test.each<[string, AnyEvent[], AgentEvent[]]>([
    ['status, then result', [text, status('completed'), core('task-complete', {})], [stream('a'), final]],
    ['status alone', [text, status('completed')], [stream('a'), final]],
    ['result alone', [text, answer], [stream('a'), final]],
    ['a text only in the result', [answer], [stream('All.'), final]],
    ['a text only in the result, late', [status('completed'), answer], [stream('All.'), final]],
    ['no text at all', [status('completed'), core('task-complete', { content: '' })], [final]],
    ['no text and no result', [status('completed')], [final]],
    ['a failure', [status('failed', { message: 'No.' })], [{ type: 'error', error: 'No.' }]],
    [
      'a failure by its reason',
      [status('failed', { metadata: { reason: 'r' } })],
      [{ type: 'error', error: 'r' }],
    ],
    ['a cancellation', [status('canceled')], [{ type: 'error', error: 'The task was canceled.' }]],
    ['no end', [text], [stream('a')]],
  ])('%s', (_, events, out) => {
    const mapped = map(events)
    expect(mapped.out).toStrictEqual(out)
    expect(mapped.codes.filter((code) => code.startsWith('dropped'))).toEqual([])
  })
  test.each<[string, AnyEvent[]]>([
    ['a text', [text]],
    ['a call without a result', [start('c')]],
    ['nothing that is sent', [status('working')]],
  ])('of a stream that ends after %s is an error', (_, events) => {
    const { out, codes } = through(toAgentEvents(), events)
    expect(out.slice(map(events).out.length)).toEqual([
      { type: 'error', error: 'The stream ended before the task did.' },
    ])
    expect(codes.filter((code) => code === 'gap')).toHaveLength(1)
  })
  test('of a stream is the only one', () => {
    const { push, end } = run(toAgentEvents())
    push(text)
    expect([end().length, end().length, push(status('completed')).length]).toEqual([1, 0, 0])
    expect(through(toAgentEvents(), []).out).toEqual([])
  })
  test('a text that the result repeats is no loss', () => {
    const repeated = core('content-complete', { content: 'All.' })
    expect(map([repeated, answer])).toMatchObject({ out: [stream('All.'), final], codes: [] })
    expect(map([text, answer]).codes).toEqual(['lossy:content'])
  })
  test('waits for the result', () => {
    const { push } = run(toAgentEvents())
    expect([text, status('completed'), core('task-complete', {})].map((event) => [...push(event)])).toEqual([
      [stream('a')],
      [],
      [final],
    ])
  })
  test('drops events after it', () => {
    expect(map([text, status('completed'), text, status('failed')])).toMatchObject({
      out: [stream('a'), final],
      codes: ['dropped:content-delta', 'dropped:task-status'],
    })
    expect(map([text, core('task-complete', {}), status('completed')]).codes).toEqual(['dropped:task-status'])
    expect(map([status('failed'), status('completed')]).codes).toEqual(['dropped:task-status'])
  })
  test('an error with only a message loses nothing; one with more fields does', () => {
    const error = { code: 'internal', message: 'No.', retry: 'terminal' }
    expect(map([status('failed', { error })]).codes).toEqual([])
    expect(map([status('failed', { error: { ...error, attempt: 2 } })]).codes).toEqual(['lossy:error'])
    expect(map([status('canceled', { error })]).codes).toEqual(['lossy:status'])
  })
})

describe('text', () => {
  const delta = (text: string, index = 0) => core('content-delta', { delta: text, index })
  const whole = (content: string) => core('content-complete', { content })

  test('is sent once', () => {
    expect(map([delta('a'), delta('b', 1), whole('ab'), status('completed')])).toMatchObject({
      out: [stream('a'), stream('b'), final],
      codes: [],
    })
  })
  test('is sent whole if it was not streamed', () => {
    expect(map([whole('ab'), start('c'), complete('c'), whole('cd')])).toMatchObject({
      out: [stream('ab'), { type: 'tool_call' }, { type: 'tool_result' }, stream('cd')],
      codes: [],
    })
  })
  test('that continues another segment is reported', () => {
    expect(map([delta('a'), whole('a'), delta('b'), whole('b')]).codes).toEqual(['lossy:content'])
    expect(map([delta('a'), start('c'), delta('b', 1), whole('ab')])).toMatchObject({
      out: [stream('a'), { type: 'tool_call' }, stream('b')],
      codes: ['lossy:content'],
    })
    expect(map([delta('a'), whole('a'), whole('b')])).toMatchObject({
      out: [stream('a'), stream('b')],
      codes: ['lossy:content'],
    })
  })
  test('beside an open one is sent once it is complete', () => {
    const other = { contentId: 'o' }
    const beside = core('content-delta', { delta: 'x', index: 0, ...other })
    expect(
      map([delta('a'), beside, core('content-complete', { content: 'x', ...other }), delta('b', 1)]),
    ).toMatchObject({
      out: [stream('a'), stream('x'), stream('b')],
      codes: ['lossy:contentId', 'lossy:content', 'lossy:contentId', 'lossy:content'],
    })
  })
})

describe('tools', () => {
  test.each([false, true])('have a result before the end, with ids: %s', (toolCallIds) => {
    const events = [start('a'), start('b'), complete('a'), status('completed'), core('task-complete', {})]
    const { out, codes } = through(toAgentEvents({ toolCallIds }), events)
    expect(out.map(({ type }) => type)).toEqual([
      ...['tool_call', 'tool_call', 'tool_result'],
      ...['tool_result', 'final'],
    ])
    expect(out.at(-2)).toMatchObject({ isError: true, ...(toolCallIds && { toolCallId: 'b' }) })
    expect(codes.at(-1)).toBe('gap')
  })

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
    const found = map([start('c'), complete('c', fields)])
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
  ])('arguments %o with the original text %j are sent as %j', (args, toolArgs, expected, codes) => {
    const found = map([
      start('c', { arguments: args, ...(toolArgs !== undefined && { metadata: { toolArgs } }) }),
    ])
    expect(found.out).toStrictEqual([{ type: 'tool_call', toolName: 't', toolArgs: expected }])
    expect(found.codes).toEqual(codes)
  })
  test('values that are not JSON are dropped', () => {
    expect(map([start('c', { arguments: { a: 1n } }), complete('c', { result: 1n })])).toMatchObject({
      out: [{ toolArgs: '{}' }, { output: '' }],
      codes: ['lossy:arguments', 'lossy:result'],
    })
  })
  test('progress is sent as its fields, or as its original data', () => {
    const one = core('tool-progress', {
      toolCallId: 'c',
      progress: 0.5,
      message: 'm',
      metadata: { step: 's' },
    })
    const two = core('tool-progress', { toolCallId: 'c', progress: 0.5, metadata: { data: [1], step: 's' } })
    const three = core('tool-progress', {
      toolCallId: 'c',
      progress: 0.7,
      message: 'm',
      metadata: { data: [2] },
    })
    const found = map([start('c'), one, two, three])
    expect(found.out.slice(1, 3)).toStrictEqual([
      {
        type: 'tool_progress',
        toolName: 't',
        data: { subtype: 'tool_progress', progress: 0.5, message: 'm', metadata: { step: 's' } },
      },
      { type: 'tool_progress', toolName: 't', data: [1] },
    ])
    expect(found.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['lossy:metadata', '/metadata/step'],
      ['lossy:progress', '/progress'],
      ['lossy:message', '/message'],
    ])
  })
  test('progress of an unknown call is dropped', () => {
    expect(map([core('tool-progress', { toolCallId: 'c', progress: 0 })]).codes).toEqual([
      'dropped:tool-progress',
    ])
  })
  test('ids are sent with the option toolCallIds', () => {
    const events = [start('c'), core('tool-progress', { toolCallId: 'c', progress: 0 }), complete('c')]
    expect(
      map(events, { toolCallIds: true }).out.map((event) => 'toolCallId' in event && event.toolCallId),
    ).toEqual(['c', 'c', 'c'])
    expect(map(events).out.every((event) => !('toolCallId' in event))).toBe(true)
  })
  test('without ids, reports where a receiver matches another call', () => {
    const events = [start('a'), start('b'), start('c'), complete('a'), complete('b'), complete('c')]
    const { diagnostics } = map(events)
    expect(diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
      ['lossy:toolCallId', { assumed: 'c' }],
      ['lossy:toolCallId', { assumed: 'a' }],
    ])
    expect(map(events, { toolCallIds: true }).diagnostics).toEqual([])
    expect(map([start('a'), start('b'), complete('b'), complete('a')]).diagnostics).toEqual([])
  })
})

describe('the task', () => {
  const other = { ...core('content-delta', { delta: 'b', index: 0 }), taskId: 'other' }
  test('is the first one, or that of the option taskId', () => {
    const own = core('content-delta', { delta: 'a', index: 0 })
    expect(map([own, other])).toMatchObject({ out: [stream('a')], codes: ['dropped:content-delta'] })
    expect(map([own, other], { taskId: 'other' })).toMatchObject({
      out: [stream('b')],
      codes: ['dropped:content-delta'],
    })
  })
})

test('invalid events and unknown kinds are reported', () => {
  const later = { ...core('task-error', samples['task-error']), kind: 'later' }
  expect(
    map([later as never, 7 as never, core('content-delta', { delta: 7, index: 0 } as never)]),
  ).toMatchObject({
    out: [],
    codes: ['dropped:later', 'invalid-event', 'invalid-event'],
  })
})

test.each<[string, AnyEvent[], ToAgentEventsOptions, object]>([
  ['no-equivalent', [core('task-created', { initiator: 'user' })], {}, {}],
  ['no-equivalent', [status('working')], {}, {}],
  ['unknown-kind', [{ ...core('task-error', samples['task-error']), kind: 'later' } as never], {}, {}],
  ['not-started', [core('tool-progress', { toolCallId: 'c', progress: 0 })], {}, {}],
  ['other-task', [start('c')], { taskId: 'x' }, {}],
  ['after-end', [core('task-complete', {}), start('c')], {}, {}],
  ['audience', [core('internal:checkpoint', { iteration: 0 })], {}, {}],
])('a dropped event has the reason %s', (reason, events, options, more) => {
  const dropped = map(events, options).diagnostics.filter(({ code }) => code.startsWith('dropped:'))
  expect(dropped.map(({ detail }) => detail)).toEqual([{ reason, ...more }])
})

test('a text of a model response that begins again follows what was sent', () => {
  const part = (delta: string) => core('content-delta', { delta, index: 0, iteration: 1 })
  const whole = core('content-complete', { content: 'xyz', iteration: 1 })
  const events = [part('ab'), core('iteration-reset', { iteration: 1 }), part('xy'), whole]
  const { out, codes } = map(events)
  expect(out).toEqual([stream('ab'), stream('xy'), stream('z')])
  expect(codes.filter((code) => code === 'dropped:iteration-reset')).toHaveLength(1)
})

describe('for every stream', () => {
  test('a legal task becomes a legal run', () => {
    fc.assert(
      fc.property(coreTask, (events) => {
        const { out } = through(agentEventVerifier(), map(events, { toolCallIds: true }).out)
        expect(out).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })
  test('arbitrary input yields only valid events', () => {
    fc.assert(
      fc.property(fc.array(coreEvent), (events) => {
        for (const event of map(events).out) expect(decodeAgentEvent(event).status).toBe('known')
      }),
    )
  })
})
