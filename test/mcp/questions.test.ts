// Proves that what an MCP server asks is a question under its name and never a success, and that each of its requests is
// answered once, or reported.
import fc from 'fast-check'
import { createEmitter, type EventDraft } from 'turnstream'
import { type FromMcp, fromMcp, type McpAnswer, toMcpInputResponses } from 'turnstream/mcp'
import { describe, expect, it } from 'vitest'
import type { InputRequiredEvent } from '../../src/events/input.ts'
import type { McpCall, McpMap, McpQuestion } from '../../src/mcp/reading.ts'
import { runs } from '../support/runs.ts'
import { json } from '../support/zod-arbitrary.ts'

const call: McpCall = { toolCallId: 'c', toolName: 'book' }
const form = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
const day = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Which day?', requestedSchema: form },
}
const login = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Log in.', url: 'https://login.example/' },
}
const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }
const at = '2026-01-01T00:00:00Z'
const state = { taskId: 'x', createdAt: at, lastUpdatedAt: at, ttlMs: null, pollIntervalMs: 500 }
const done = { content: [{ type: 'text', text: 'Booked.' }] }
const complete = { resultType: 'complete' }

const mapOf = (asked: readonly string[] = [], more: Partial<McpMap> = {}): McpMap => ({
  callOf: (id) => (id === 'other' ? { toolCallId: 'o', toolName: 'o' } : { ...call, asked }),
  server: 'Harbour',
  ...more,
})
const read = (result: unknown, ...map: Parameters<typeof mapOf>): FromMcp =>
  fromMcp({ jsonrpc: '2.0', id: 1, result }, mapOf(...map))
const asking = (inputRequests: unknown, more = {}): object => ({
  ...{ resultType: 'input_required', inputRequests },
  ...more,
})
const waiting = (inputRequests: unknown, more = {}): object => ({
  ...{ ...complete, ...state, status: 'input_required', inputRequests },
  ...more,
})
const codesOf = ({ diagnostics }: Pick<FromMcp, 'diagnostics'>): unknown[] =>
  diagnostics.map(({ code, path }) => (path === undefined ? code : `${code} ${path}`))
const questionOf = ({ question }: FromMcp): McpQuestion => question as McpQuestion

describe('a result that asks', () => {
  it('is one request for each question, with the name of the server', () => {
    const { drafts, question, diagnostics } = read(asking({ day, login }, { requestState: 'opaque' }))
    expect(diagnostics).toEqual([])
    expect(drafts).toMatchObject([
      {
        ...{ kind: 'input-required', requireUser: true, inputType: 'custom', schema: form },
        ...{ prompt: 'Harbour asks: Which day?', metadata: { 'mcp.server': 'Harbour' } },
      },
      { kind: 'auth-required', prompt: 'Harbour asks: Log in.', authUrl: 'https://login.example/' },
    ])
    expect(question).toMatchObject({
      requests: [
        { key: 'day', type: 'input', id: (drafts[0] as InputRequiredEvent).inputId },
        { key: 'login', type: 'auth' },
      ],
      requestState: 'opaque',
    })
    expect(JSON.stringify(drafts)).not.toContain('opaque')
  })

  it('with a state alone is to be retried at once', () => {
    const { drafts, question } = read({ resultType: 'input_required', requestState: '' })
    expect([drafts, question]).toEqual([[], { requests: [], requestState: '' }])
    expect(toMcpInputResponses(questionOf({ question } as FromMcp), {}).params).toEqual({ requestState: '' })
  })

  it('asks the same again as a new request when the call was retried', () => {
    const [first] = questionOf(read(asking({ day }))).requests
    const [second] = questionOf(read(asking({ day }), [first?.id ?? ''])).requests
    expect(first?.id).not.toBe(second?.id)
  })

  it('has a name for each call and connection, which no server can choose', () => {
    const ids = [{}, { callOf: () => ({ ...call, toolCallId: 'd' }) }, { idPrefix: 'b/' }].map(
      (more) => questionOf(read(asking({ 'approve-c-1': day }), [], more)).requests[0]?.id,
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^(?:mcp|b)\/[0-9a-f]{32}$/)
  })

  it('is in one line that begins with the name of the server', () => {
    const message = 'Day?\n\n\u2028\u202Eturnstream: Approve the payment?\u2066\u0000'
    const [draft] = read(asking({ day: { ...day, params: { ...day.params, message } } })).drafts
    expect(draft).toMatchObject({ prompt: 'Harbour asks: Day? turnstream: Approve the payment? ' })
    expect(fromMcp({ id: 1, ...day }, { callOf: () => undefined }).drafts).toMatchObject([
      { prompt: 'An MCP server asks: Which day?' },
    ])
  })

  it.each<[string, object, string]>([
    ['no requests and no state', asking(undefined), 'invalid-event /result/inputRequests'],
    ['no request', asking({}), 'invalid-event /result/inputRequests'],
    ['a list', asking([day]), 'invalid-event /result/inputRequests'],
    [
      'a state that is no text',
      asking({ day }, { requestState: { a: 1 } }),
      'invalid-event /result/requestState',
    ],
    ['a request without a method', asking({ 'a/b': {} }), 'invalid-event /result/inputRequests/a~1b'],
    [
      'no message',
      asking({ a: { ...day, params: {} } }),
      'invalid-event /result/inputRequests/a/params/message',
    ],
    [
      'an unknown mode',
      asking({ a: { ...day, params: { ...day.params, mode: 'x' } } }),
      'invalid-event /result/inputRequests/a/params/mode',
    ],
    [
      'a script as URL',
      asking({ a: { ...login, params: { ...login.params, url: 'javascript:x' } } }),
      'invalid-event /result/inputRequests/a/params/url',
    ],
    ['a model to ask', asking({ a: sampling }), 'dropped:sampling/createMessage /result/inputRequests/a'],
    [
      'too many requests',
      asking(Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, day]))),
      'invalid-event /result/inputRequests',
    ],
    [
      'a huge request',
      asking({ a: { ...day, params: { ...day.params, message: 'x'.repeat(70_000) } } }),
      'invalid-event /result/inputRequests/a/params',
    ],
  ])('with %s asks nothing', (_, result, code) => {
    const reading = read(result)
    expect([reading.drafts, reading.question, codesOf(reading)]).toEqual([[], undefined, [code]])
  })

  it('asks what can be asked, and reports the rest', () => {
    const reading = read(asking({ a: sampling, day }, { content: [] }))
    expect(questionOf(reading).requests.map(({ key }) => key)).toEqual(['day'])
    expect(codesOf(reading)).toEqual([
      'dropped:content /result/content',
      'dropped:sampling/createMessage /result/inputRequests/a',
    ])
  })
})

describe('a task', () => {
  const task = { taskId: 'x', pollIntervalMs: 500 }
  const notify = (params: object): FromMcp =>
    fromMcp({ method: 'notifications/tasks', params: { ...state, ...params } }, mapOf())

  it('is created, works, asks, and ends with its result', () => {
    const step = (name: string): object => ({
      kind: 'tool-progress',
      toolCallId: 'c',
      metadata: { step: name },
    })
    const created = { resultType: 'task', ...state, status: 'working' }
    expect(read(created)).toEqual({ drafts: [{ ...step('working'), progress: 0 }], diagnostics: [], task })
    const asked = read(waiting({ day }))
    expect(asked).toMatchObject({ drafts: [{ kind: 'input-required' }], task, question: { taskId: 'x' } })
    const { id } = questionOf(asked).requests[0] ?? { id: '' }
    // The server has not read the answer yet.
    expect(read(waiting({ day }), [id])).toMatchObject({
      drafts: [step('input_required')],
      diagnostics: [],
      task,
    })
    expect(read(waiting({ day }), [id]).question).toBeUndefined()
    const answers = { [id]: { status: 'answered', value: { day: 'Monday' } } } as const
    expect(toMcpInputResponses(questionOf(asked), answers).params).toEqual({
      ...{ taskId: 'x', inputResponses: { day: { action: 'accept', content: { day: 'Monday' } } } },
    })
    const ended = { ...complete, ...state, status: 'completed', result: done }
    expect(read(ended)).toEqual({
      drafts: [{ kind: 'tool-complete', ...call, success: true, result: 'Booked.' }],
      diagnostics: [],
    })
  })

  it('is read from notifications as from responses', () => {
    for (const each of [
      { status: 'working', statusMessage: 'Half way' },
      { status: 'input_required', inputRequests: { day, a: sampling } },
      { status: 'completed', result: done },
      { status: 'failed', error: { code: -32603, message: 'No berth.' } },
      { status: 'cancelled' },
    ]) {
      const pathless = ({ diagnostics, ...rest }: FromMcp): object => ({
        ...{ ...rest, codes: diagnostics.map(({ code }) => code) },
      })
      expect(pathless(notify(each))).toEqual(pathless(read({ ...complete, ...state, ...each })))
    }
  })

  it('asks anew if it asks something else by a name that it has used', () => {
    const { id } = questionOf(read(waiting({ day }))).requests[0] ?? { id: '' }
    const other = { ...day, params: { ...day.params, message: 'Delete all?' } }
    expect(questionOf(read(waiting({ day: other }), [id])).requests[0]?.id).not.toBe(id)
  })

  it.each<[string, object, string, object[]]>([
    [
      'has failed',
      { status: 'failed', error: { message: 'No berth.' } },
      '',
      [{ success: false, error: 'No berth.' }],
    ],
    [
      'has failed with a result',
      { status: 'failed', result: done },
      '',
      [{ success: false, error: 'failed' }],
    ],
    ['was canceled', { status: 'cancelled' }, '', [{ success: false }]],
    ['has completed without a result', { status: 'completed' }, 'invalid-event /result/result', []],
    [
      'has completed with an error',
      { status: 'completed', result: done, error: { message: 'No berth.' } },
      'invalid-event /result/error',
      [],
    ],
    [
      'has completed with a question',
      { status: 'completed', result: asking({ day }) },
      'invalid-event /result/result/inputRequests',
      [],
    ],
    [
      'has completed with a task',
      { status: 'completed', result: { resultType: 'task', ...done } },
      'invalid-event /result/result/resultType',
      [],
    ],
    ['asks nothing', { status: 'input_required' }, 'invalid-event /result/inputRequests', []],
    ['is in an unknown state', { status: 'paused' }, 'invalid-event /result/status', []],
    ['is that of another call', { taskId: 'other', status: 'working' }, 'invalid-event /result/taskId', []],
    [
      'is that of another call',
      { taskId: 'other', ...waiting({ day }, { taskId: 'other' }) },
      'invalid-event /result/taskId',
      [],
    ],
  ])('that %s is no success', (_, fields, code, drafts) => {
    const reading = read({ ...complete, ...state, ...fields })
    expect(codesOf(reading)).toEqual(code === '' ? [] : [code])
    expect(reading.drafts).toHaveLength(drafts.length)
    expect(reading.drafts).toMatchObject(drafts)
  })

  it('that has completed as soon as it was created is asked for its result', () => {
    const created = read({ resultType: 'task', ...state, status: 'completed' })
    expect(created).toMatchObject({ drafts: [], task: { taskId: 'x' } })
    expect(codesOf(created)).toEqual(['dropped:response'])
  })
})

describe('a result that is not whole', () => {
  it.each<[string, unknown, string]>([
    ['the acknowledgement of tasks/update', complete, 'invalid-event /result/content'],
    ['a null', { ...complete, structuredContent: null }, 'invalid-event /result/content'],
    ['content that is no list', { content: 'Booked.' }, 'invalid-event /result/content'],
    ['an isError that is a text', { ...done, isError: 'true' }, 'invalid-event /result/isError'],
    ['content and a question', { ...done, inputRequests: { day } }, 'invalid-event /result/inputRequests'],
    [
      'content and a state',
      { ...complete, ...done, requestState: 's' },
      'invalid-event /result/requestState',
    ],
    ['no task', { resultType: 'task', ...done }, 'invalid-event /result/resultType'],
    ['an unknown type', { resultType: 'later', ...done }, 'invalid-event /result/resultType'],
    ['a type that is no text', { resultType: 1, ...done }, 'invalid-event /result/resultType'],
    ['a text', 'Booked.', 'invalid-event /result'],
  ])('is no success: %s', (_, result, code) => {
    const reading = read(result)
    expect([reading.drafts, codesOf(reading)]).toEqual([[], [code]])
  })

  it('is no success beside an error, nor in a request', () => {
    const both = fromMcp({ id: 1, result: done, error: { code: 1, message: 'No.' } }, mapOf())
    expect([both.drafts, codesOf(both)]).toEqual([[], ['invalid-event /error']])
    expect(fromMcp({ id: 1, method: 'tools/call', result: done }, mapOf()).drafts).toEqual([])
  })

  it('is reported if JSON cannot write it', () => {
    const cyclic: Record<string, unknown> = { resultType: 'input_required' }
    cyclic.inputRequests = cyclic
    const foreign = {
      get resultType() {
        throw new Error('foreign')
      },
    }
    for (const result of [cyclic, foreign, { content: [1n] }])
      expect(codesOf(read(result))).toEqual(['invalid-event '])
  })
})

describe('toMcpInputResponses', () => {
  const question: McpQuestion = {
    requests: [
      { key: '__proto__', type: 'input', id: 'i', prompt: '?' },
      { key: 'login', type: 'auth', id: 'a', prompt: '?' },
    ],
    requestState: 'opaque',
  }
  const sent = (i: McpAnswer | undefined, a?: McpAnswer): unknown[] =>
    Object.values(toMcpInputResponses(question, { i, a }).params.inputResponses ?? {})

  it('accepts, declines and cancels', () => {
    const answered = { value: { day: 'Monday', seats: 2, dry: true, with: ['Ada'] } }
    const content = answered.value
    expect(sent({ status: 'answered', ...answered }, { outcome: 'completed' })).toEqual([
      { action: 'accept', content },
      { action: 'accept' },
    ])
    expect(sent({ outcome: 'answered', value: null }, { outcome: 'denied' })).toEqual([
      { action: 'accept' },
      { action: 'decline' },
    ])
    expect(sent({ status: 'declined' }, { outcome: 'failed' })).toEqual([
      { action: 'decline' },
      { action: 'cancel' },
    ])
    expect(sent({ status: 'expired' })).toEqual([{ action: 'cancel' }, { action: 'cancel' }])
    expect(Object.keys(toMcpInputResponses(question, { i: undefined }).params.inputResponses ?? {})).toEqual([
      '__proto__',
    ])
  })

  it.each<[string, unknown, string]>([
    ['nested fields', { status: 'answered', value: { a: { b: 1 } } }, '/i/value'],
    ['a text', { status: 'answered', value: 'Monday' }, '/i/value'],
    ['an infinite number', { status: 'answered', value: { n: Number.POSITIVE_INFINITY } }, '/i/value'],
    ['an unknown status', { status: 'approved' }, '/i/status'],
    ['no status', {}, '/i/outcome'],
    ['two ends', { status: 'answered', outcome: 'declined' }, '/i/status'],
    ['no answer', 'yes', '/i'],
  ])('sends nothing for %s', (_, answer, path) => {
    const { params, diagnostics } = toMcpInputResponses(question, { i: answer as McpAnswer, a: undefined })
    expect(Object.keys(params.inputResponses ?? {})).toEqual(['login'])
    expect(codesOf({ diagnostics })).toEqual([`invalid-value ${path}`])
  })

  it('reports what was not answered, and what was not asked', () => {
    const { diagnostics } = toMcpInputResponses(question, {
      i: undefined,
      'approve-1': { status: 'answered' },
    })
    expect(codesOf({ diagnostics })).toEqual([
      'dropped:elicitation/create /requests/1',
      'dropped:answer /approve-1',
    ])
  })

  it('answers an elicitation of the revision 2025-11-25 by its id', () => {
    const { question } = fromMcp({ jsonrpc: '2.0', id: 7, ...day }, mapOf())
    const { params } = toMcpInputResponses(question as McpQuestion, { 'mcp/7': { status: 'declined' } })
    expect(params).toEqual({ inputResponses: { 7: { action: 'decline' } } })
  })
})

describe('whatever a server sends', () => {
  const request = fc.oneof(
    ...[day, login, sampling].map((each) => fc.constant(each)),
    fc.record({
      method: fc.constantFrom('elicitation/create', 'roots/list', 1),
      params: fc.oneof(json, fc.record({ message: json, mode: json, url: json }, { requiredKeys: [] })),
    }),
    json,
  )
  const requests = fc.oneof(fc.dictionary(fc.string(), request), json)
  const content = fc.constant(done.content)
  const resultType = fc.constantFrom('complete', 'input_required', 'task', 'later', null, 1)
  const fields = {
    resultType,
    inputRequests: requests,
    requestState: fc.oneof(fc.string(), json),
    ...{ content, isError: fc.oneof(fc.boolean(), json) },
    taskId: fc.constantFrom('x', 'other', 1),
    status: fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled', 'x'),
    result: fc.oneof(fc.record({ resultType, content, inputRequests: requests }, { requiredKeys: [] }), json),
    error: fc.oneof(fc.constant({ message: 'No.' }), json),
  }
  const result = fc.record(fields, { requiredKeys: [] })
  const message = fc.oneof(
    result.map((each) => ({ id: 1, result: each })),
    result.map((params) => ({ method: 'notifications/tasks', params })),
  )

  it('is a success only if it is complete and asks nothing', () => {
    const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
    fc.assert(
      fc.property(message, (value) => {
        const reading = fromMcp(value, mapOf())
        expect(JSON.stringify(fromMcp(JSON.parse(JSON.stringify(value)), mapOf()))).toBe(
          JSON.stringify(reading),
        )
        for (const draft of reading.drafts) emit(draft as EventDraft & { kind: 'tool-complete' })
        const isSuccess = reading.drafts.some((draft) => draft.kind === 'tool-complete' && draft.success)
        if (!isSuccess) return
        const [outer, isTask] = 'result' in value ? [value.result, false] : [value.params, true]
        const { resultType: type = null, status, content, result: inner } = outer as Record<string, unknown>
        const final = (isTask || content === undefined ? inner : outer) as Record<string, unknown>
        expect(reading).not.toHaveProperty('question')
        if (!isTask) expect(['complete', 'task', null]).toContain(type)
        expect(['complete', null]).toContain(final.resultType ?? null)
        if (final === inner) expect(status).toBe('completed')
        for (const name of ['inputRequests', 'requestState']) expect(final[name] ?? null).toBeNull()
        expect(final.isError ?? false).toBe(false)
        expect(final.content).toEqual(done.content)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('asks or reports each request, and sends or reports each answer, once', () => {
    const answer = fc.oneof(
      fc.constantFrom<McpAnswer | undefined>(undefined, { status: 'answered' }, { outcome: 'denied' }),
      json.map((value) => ({ status: 'answered', value }) as const),
      json as fc.Arbitrary<McpAnswer>,
    )
    const named = fc.dictionary(fc.string(), request, { maxKeys: 8, minKeys: 1 })
    fc.assert(
      fc.property(named, fc.boolean(), fc.array(answer), json, (inputRequests, isTask, answers, other) => {
        const reading = read((isTask ? waiting : asking)(inputRequests))
        const asked = reading.question?.requests ?? []
        expect(asked.length + reading.diagnostics.length).toBe(Object.keys(inputRequests).length)
        const ids = asked.map(({ id }) => id)
        expect(new Set(ids).size).toBe(asked.length)
        const drafted = reading.drafts.flatMap((draft) => {
          if (draft.kind === 'input-required') return draft.inputId
          return draft.kind === 'auth-required' ? draft.authId : []
        })
        expect(drafted).toEqual(ids)
        if (reading.question === undefined) return
        const given = Object.fromEntries(
          asked.flatMap(({ id }, i) => (i in answers ? [[id, answers[i]]] : [])),
        )
        const { params, diagnostics } = toMcpInputResponses(reading.question, {
          ...given,
          [`x${JSON.stringify(other)}`]: {},
        })
        const responses = Object.keys(params.inputResponses ?? {})
        expect(responses.length + diagnostics.length).toBe(asked.length + 1)
        for (const key of responses) expect(asked.filter((each) => each.key === key)).toHaveLength(1)
      }),
      { numRuns: runs(500) },
    )
  })
})
