// What Google ADK sends over A2A, by default and with its extension, and what the posted request adds.

import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { fromA2a } from 'turnstream/a2a'
import { emptyView, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import type { FromA2aOptions } from '../../../src/dialects/a2a/from/from-a2a.ts'
import { runs } from '../../support/runs.ts'

const ids = { taskId: 't', contextId: 'c' }
const status = (state: string, parts?: readonly object[], event?: string, more: object = {}): object => ({
  statusUpdate: {
    ...ids,
    status: {
      state: `TASK_STATE_${state}`,
      ...(parts && {
        message: { messageId: `m${count++}`, role: 'ROLE_AGENT', parts, ...more },
      }),
    },
    metadata: { adk_app_name: 'app', adk_session_id: 'c', ...(event && { adk_event_id: event }) },
  },
})
let count = 0
const text = (value: string): object => ({ text: value })
const thought = (value: string): object => ({ text: value, metadata: { adk_thought: true } })
const call = (id: string, more: object = {}): object => ({
  data: { id, name: 'weather', args: { place: id } },
  metadata: { adk_type: 'function_call', ...more },
})
const result = (id: string): object => ({
  data: { id, name: 'weather', response: { sun: true } },
  metadata: { adk_type: 'function_response' },
})
const artifact = (event: string, parts: readonly object[], append: boolean, more: object = {}): object => ({
  artifactUpdate: {
    ...ids,
    artifact: { artifactId: 'a', parts, metadata: { adk_event_id: event } },
    ...(append && { append }),
    ...more,
  },
})
const created = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } }
const request = { message: { messageId: 'p', role: 'ROLE_USER', parts: [{ text: 'Weather?' }] } }

function read(items: readonly object[], options: FromA2aOptions = { request }) {
  const codes: string[] = []
  const { push, end } = run(fromA2a({ now: () => 0, ...options }), {
    onDiagnostic: ({ code }) => codes.push(code),
  })
  const events = [...items.flatMap((item) => push(item)), ...end()]
  const check = run(verifier({ mode: 'strict' }))
  const errors = events.flatMap((event) => check.push(event)).filter(({ severity }) => severity === 'error')
  expect(errors).toEqual([])
  return { events, codes, task: foldEvents(emptyView, events).tasks[0] }
}

const ofKind = (events: readonly ContextAnyEvent[], kind: string): ContextAnyEvent[] =>
  events.filter((event) => event.kind === kind)

describe('status messages of ADK', () => {
  it('are text, calls and results, each once', () => {
    const { task, codes, events } = read([
      created,
      status('WORKING'),
      status('WORKING', [text('Looking. ')], 'e1'),
      status('WORKING', [text('Looking. '), call('k1'), call('k2')], 'e1'),
      status('WORKING', [result('k1'), result('k2')], 'e2'),
      status('WORKING', [text('All ')], 'e3'),
      status('WORKING', [text('done.')], 'e3'),
      status('WORKING', [text('All done.')], 'e3'),
      artifact('e3', [text('All done.')], false, { lastChunk: true }),
      status('COMPLETED', undefined, 'e3'),
    ])
    expect(task).toMatchObject({ status: 'completed', input: 'Weather?' })
    expect(task?.parts).toMatchObject([
      { type: 'text', text: 'Looking. ' },
      { type: 'tool', toolName: 'weather', arguments: { place: 'k1' }, result: { sun: true } },
      { type: 'tool', toolCallId: 'k2' },
      { type: 'text', text: 'All done.' },
    ])
    expect(ofKind(events, 'content-delta')).toHaveLength(3)
    expect(codes).toEqual([])
  })

  it('ask for the result of a call that runs long, and go on with it', () => {
    const waiting = [text('Looking.'), call('k', { adk_is_long_running: true })]
    const items = [
      created,
      status('WORKING', waiting, 'e1'),
      status('INPUT_REQUIRED', waiting, 'e1'),
      status('WORKING', [text('Done.')], 'e2'),
      status('COMPLETED'),
    ]
    const { task, events } = read(items)
    expect(ofKind(events, 'input-required')).toMatchObject([
      { inputId: 'k', inputType: 'tool-execution', metadata: { toolCall: { id: 'k' }, provider: 'client' } },
    ])
    expect(task?.parts).toMatchObject([
      { text: 'Looking.' },
      { type: 'tool', status: 'succeeded' },
      { type: 'input', status: 'answered' },
      { text: 'Done.' },
    ])
  })

  it('ask whether a call may run', () => {
    const original = { id: 'k', name: 'pay', args: { amount: 3 } }
    const confirmation = {
      data: {
        id: 'q',
        name: 'adk_request_confirmation',
        args: { originalFunctionCall: original, toolConfirmation: { hint: 'Pay 3?' } },
      },
      metadata: { adk_type: 'function_call', adk_is_long_running: true },
    }
    const { events } = read([created, status('INPUT_REQUIRED', [confirmation], 'e1')])
    expect(ofKind(events, 'tool-start')).toEqual([])
    expect(ofKind(events, 'input-required')).toMatchObject([
      {
        ...{ inputId: 'q', inputType: 'confirmation', prompt: 'Pay 3?' },
        metadata: { toolCall: { id: 'k', function: { name: 'pay', arguments: '{"amount":3}' } } },
      },
    ])
  })

  it('show no text of an exception to users', () => {
    const { events } = read([
      created,
      status('WORKING', [text('Half ')], 'e1'),
      status('WORKING', [text('boom secret')], 'e2', { metadata: { adk_error_code: 'RuntimeError' } }),
      status('FAILED', [text('boom secret')]),
    ])
    expect(events.at(-1)).toMatchObject({
      message: 'The agent failed.',
      error: { message: 'The agent failed.', details: { message: 'boom secret' } },
    })
    expect(JSON.stringify(ofKind(events, 'content-complete'))).not.toContain('boom')
  })

  it('report a result without its call', () => {
    expect(read([created, status('WORKING', [result('gone')], 'e1')]).codes).toContain(
      'dropped:function_response',
    )
  })
})

describe('artifacts of ADK, with its extension', () => {
  it('are thoughts and texts', () => {
    const { task, codes } = read([
      created,
      artifact('e', [thought('Let me ')], false),
      artifact('e', [thought('think.')], true),
      artifact('e', [text('Hello ')], true),
      artifact('e', [text('wörld')], true),
      artifact('e', [thought('Let me think.'), text('Hello wörld')], false, { lastChunk: true }),
      status('COMPLETED'),
    ])
    expect(task?.parts).toMatchObject([
      { type: 'thought', text: 'Let me think.' },
      { type: 'text', text: 'Hello wörld' },
    ])
    expect(codes).toEqual([])
  })

  it('are the text of their pieces, whatever these repeat', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(pieces, (each) => {
        const whole = each.join('')
        const items = [...each, whole].map((piece) => status('WORKING', [text(piece)], 'e'))
        const { task } = read([created, ...items, status('COMPLETED')])
        expect(task?.parts).toMatchObject([{ type: 'text', text: whole }])
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('an error of JSON-RPC', () => {
  const failure = { jsonrpc: '2.0', id: '1', error: { code: -32602, message: 'secret' } }

  it('is a task that has failed', () => {
    const { task, events } = read([failure])
    expect(task).toMatchObject({ status: 'failed', input: 'Weather?' })
    expect(events.at(-1)).toMatchObject({ error: { code: 'jsonrpc-32602', details: { message: 'secret' } } })
    expect(read([failure], {}).task).toMatchObject({ taskId: 'request', status: 'failed' })
  })

  it('does not end a task that has begun', () => {
    const { events, codes } = read([created, failure])
    expect(events.at(-1)).toMatchObject({ kind: 'task-error', error: { code: 'jsonrpc-32602' } })
    expect(codes).toEqual(['gap'])
  })

  it('after the end of its task is dropped', () => {
    const { events, codes } = read([created, status('COMPLETED'), failure])
    expect([ofKind(events, 'task-error'), codes]).toEqual([[], ['dropped:error']])
  })
})

describe('a request', () => {
  const asks = status('INPUT_REQUIRED', [text('Sure?')])
  const answer = (data: object): FromA2aOptions => ({
    request: {
      params: { message: { messageId: 'n', role: 'ROLE_USER', taskId: 't', parts: [{ data }] } },
    },
  })

  it.each([
    ['approves', { approved: true }, undefined],
    ['declines', { approved: false }, 'declined'],
    ['declines as ADK does', { id: 'q', name: 'x', response: { confirmed: false } }, 'declined'],
  ])('that %s answers the task', (_, data, outcome) => {
    const { events, codes } = read([created, asks, status('WORKING'), status('COMPLETED')], answer(data))
    const [received] = ofKind(events, 'input-received') as { outcome?: string }[]
    expect(received?.outcome).toBe(outcome)
    expect(codes).toEqual([])
  })

  it('is the input of a task that begins without its history', () => {
    expect(read([status('WORKING'), status('COMPLETED')]).task?.input).toBe('Weather?')
  })

  const own = [
    created,
    status('WORKING', [text('Sun.')]),
    artifact('e', [text('1')], false),
    status('COMPLETED'),
  ]
  const posted = { ...request.message, ...ids }
  const stated = ['contextId', 'taskId'] as const

  it.each<[states: string, message: object, names: readonly string[]]>([
    ['context and task', posted, stated],
    ['task', { ...posted, contextId: undefined }, stated],
    ['context', { ...posted, taskId: undefined }, ['contextId']],
    ['neither, and the task has a context', request.message, []],
  ])('that states %s leaves out what is of others, wherever it comes', (_, message, names) => {
    const options: FromA2aOptions = { request: { message }, contextId: 'here' }
    const plain = read(own, options)
    const other = (field: string, item: object): object =>
      JSON.parse(JSON.stringify(item), (key, value) =>
        key === field || (field === 'taskId' && key === 'id' && value === 't') ? 'other' : value,
      )
    fc.assert(
      fc.property(
        fc.nat(own.length - 1),
        fc.constantFrom(...own),
        fc.constantFrom(...(names.length > 0 ? names : ['contextId'])),
        (at, item, field) => {
          // What the request does not state, the first item does.
          fc.pre(
            at > 0 || Object.entries(message).some(([name, value]) => name === field && value !== undefined),
          )
          const mixed = read([...own.slice(0, at), other(field, item), ...own.slice(at)], options)
          expect(mixed.events).toEqual(plain.events)
          expect(mixed.codes).toEqual([...plain.codes, 'lossy:request'])
        },
      ),
      { numRuns: runs(100) },
    )
  })

  it('takes the context that the agent gives, or states nowhere', () => {
    const withoutContext = own.map((item): object =>
      JSON.parse(JSON.stringify(item).replaceAll(',"contextId":"c"', '')),
    )
    const message = { ...posted, taskId: undefined }
    for (const items of [own, withoutContext]) {
      expect(read(items).codes).toEqual([])
      expect(read(items, { request: { message } }).codes).toEqual([])
    }
  })

  it('must have a message', () => {
    expect(() => fromA2a({ request: {} })).toThrow('"request" must be')
  })
})

describe('an error while the task works', () => {
  const failing = (value?: string): object =>
    status('WORKING', value === undefined ? [] : [text(value)], 'e2', {
      metadata: { adk_error_code: 'SAFETY' },
    })
  const errorsOf = (items: readonly object[]): unknown[] =>
    read([created, status('WORKING'), ...items]).events.flatMap((event) =>
      event.kind === 'task-error' || (event.kind === 'task-status' && event.error) ? [event.error] : [],
    )

  it.each([
    ['that the failure repeats', [failing('boom'), status('FAILED', [text('boom')])], ['boom']],
    ['whose text only the failure has', [failing(), status('FAILED', [text('boom')])], ['boom']],
    ['of another text', [failing('blocked'), status('FAILED', [text('boom')])], ['blocked', 'boom']],
    ['of a task that completes', [failing('blocked'), status('COMPLETED')], ['blocked']],
    ['without a text', [failing(), status('COMPLETED')], ['SAFETY']],
    ['of a task that goes on', [failing('a'), status('WORKING', [text('b')], 'e3'), failing('c')], ['a']],
  ])('is reported once, to operators: one %s', (_, items, texts) => {
    const stated = errorsOf(items).map((error) => (error as { details: { message: string } }).details.message)
    expect(stated).toEqual(texts)
  })

  it('is part of the report of a stream that ends there', () => {
    const details: unknown[] = []
    const { push, end } = run(fromA2a({ now: () => 0 }), {
      onDiagnostic: ({ detail }) => details.push(detail),
    })
    for (const item of [created, failing('blocked')]) push(item)
    expect([...end(), details]).toEqual([[{ taskId: 't', error: { code: 'SAFETY', message: 'blocked' } }]])
  })
})
