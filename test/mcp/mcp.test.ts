// Proves that messages which the schemas of MCP accept become valid events or are reported, and that elicitations are
// accepted by those schemas.
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  GetTaskResultSchema,
  LoggingMessageNotificationSchema,
  ProgressNotificationSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/core'
import fc from 'fast-check'
import { createEmitter, type EventDraft } from 'turnstream'
import { fromMcp, toMcpElicitation } from 'turnstream/mcp'
import { describe, expect, it } from 'vitest'
import { eventSchemas } from '../../src/events/records/schemas.ts'
import type { McpMap } from '../../src/mcp/reading.ts'
import { runs } from '../support/runs.ts'
import { accepted, json } from '../support/zod-arbitrary.ts'

const call = { toolCallId: 'c', toolName: 't' }
const map: McpMap = {
  callOf: (id) => (id === 'lost' || id === undefined ? undefined : { ...call, progress: 0.5 }),
}
const done = { kind: 'tool-complete', ...call }
const at = '2026-01-01T00:00:00Z'
const task = { taskId: 'x', ttl: 1, createdAt: at, lastUpdatedAt: at }

const cases: readonly [
  schema: { parse(value: unknown): unknown },
  message: object,
  draft: object | string,
][] = [
  [
    ProgressNotificationSchema,
    { method: 'notifications/progress', params: { progressToken: 1, progress: 3, total: 4 } },
    { progress: 0.75 },
  ],
  [
    ProgressNotificationSchema,
    { method: 'notifications/progress', params: { progressToken: 1, progress: 9, total: 4 } },
    { progress: 1 },
  ],
  [
    ProgressNotificationSchema,
    { method: 'notifications/progress', params: { progressToken: 1, progress: 1, total: 4 } },
    { progress: 0.5 },
  ],
  [
    ProgressNotificationSchema,
    { method: 'notifications/progress', params: { progressToken: 1, progress: 3, message: 'Reading' } },
    { progress: 0.5, message: 'Reading', metadata: { step: '3' } },
  ],
  [
    ProgressNotificationSchema,
    { method: 'notifications/progress', params: { progressToken: 'lost', progress: 3 } },
    'dropped:notifications/progress',
  ],
  [
    LoggingMessageNotificationSchema,
    {
      method: 'notifications/message',
      params: {
        ...{ level: 'info', logger: 'db', data: { rows: 1 } },
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } },
      },
    },
    { kind: 'tool-progress', metadata: { stream: 'db', chunk: '{"rows":1}' } },
  ],
  [
    LoggingMessageNotificationSchema,
    { method: 'notifications/message', params: { level: 'info', logger: 'db', data: { rows: 1 } } },
    {
      ...{ kind: 'custom', name: 'mcp.log', data: { level: 'info', stream: 'db', data: { rows: 1 } } },
      metadata: { audience: ['operator'] },
    },
  ],
  [
    TaskStatusNotificationSchema,
    {
      method: 'notifications/tasks/status',
      params: { ...task, status: 'working', statusMessage: 'Half way' },
    },
    { metadata: { step: 'Half way' } },
  ],
  [
    TaskStatusNotificationSchema,
    { method: 'notifications/tasks/status', params: { ...task, status: 'input_required' } },
    { metadata: { step: 'input_required' } },
  ],
  [
    TaskStatusNotificationSchema,
    { method: 'notifications/tasks/status', params: { ...task, status: 'cancelled' } },
    { ...done, success: false },
  ],
  [
    TaskStatusNotificationSchema,
    { method: 'notifications/tasks/status', params: { ...task, status: 'completed' } },
    'dropped:notifications/tasks/status',
  ],
]

const results: readonly [result: object, draft: object][] = [
  [
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    { success: true, result: 'a\nb' },
  ],
  [
    { content: [], structuredContent: { n: 1 } },
    { success: true, result: { n: 1 } },
  ],
  [
    { content: [{ type: 'text', text: 'No.' }], isError: true },
    { success: false, error: 'No.' },
  ],
  // The text of an error beside an image.
  [
    {
      content: [
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
        { type: 'text', text: 'No.' },
      ],
      isError: true,
    },
    { success: false, error: 'No.' },
  ],
  // A result with a field of its own.
  [
    { content: [{ type: 'text', text: 'a' }], task: { id: 1 } },
    { success: true, result: 'a' },
  ],
]

it('puts a prefix before the ids of elicitations, so that connections do not share them', () => {
  const page = { mode: 'url', message: 'Sign in.', url: 'https://a.example' }
  const read = (idPrefix: string, params: object) =>
    fromMcp({ id: 0, method: 'elicitation/create', params }, { ...map, idPrefix }).drafts
  expect(read('a/', { message: 'Name?' })).toMatchObject([{ inputId: 'a/0', requireUser: true }])
  expect(read('b/', page)).toMatchObject([{ authId: 'b/0' }])
  expect(() => read(1 as never, page)).toThrow(/idPrefix/)
})

it('reports log data that is too deep', () => {
  const data = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown
  const message = { method: 'notifications/message', params: { level: 'info', data, progressToken: 1 } }
  expect(fromMcp(message, map)).toMatchObject({ drafts: [], diagnostics: [{ code: 'invalid-event' }] })
})

describe('fromMcp', () => {
  it.each(cases)('%# maps %j', (schema, message, expected) => {
    schema.parse(message)
    const { drafts, diagnostics } = fromMcp(message, map)
    if (typeof expected === 'string')
      expect([drafts, diagnostics.map(({ code }) => code)]).toEqual([[], [expected]])
    else expect([drafts, diagnostics]).toMatchObject([[expected], []])
  })

  it.each(results)('maps the result %j', (result, draft) => {
    CallToolResultSchema.parse(result)
    expect(fromMcp({ jsonrpc: '2.0', id: 1, result }, map).drafts).toMatchObject([{ ...done, ...draft }])
  })

  it.each([
    ['working', undefined, { kind: 'tool-progress', metadata: { step: 'working' } }],
    ['input_required', 'Which port?', { kind: 'tool-progress', metadata: { step: 'Which port?' } }],
    ['completed', undefined, undefined],
    ['failed', 'No signal.', { ...done, success: false, error: 'No signal.' }],
  ])('does not take the status of a task for its result: %s', (status, statusMessage, draft) => {
    const state = { ...task, status, ...(statusMessage !== undefined && { statusMessage }) }
    CreateTaskResultSchema.parse({ task: state })
    GetTaskResultSchema.parse(state)
    for (const result of [{ task: state }, state]) {
      const { drafts, diagnostics } = fromMcp({ jsonrpc: '2.0', id: 1, result }, map)
      expect(drafts).toMatchObject(draft === undefined ? [] : [draft])
      expect(diagnostics.map(({ code }) => code)).toEqual(draft === undefined ? ['dropped:response'] : [])
    }
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://login.example/',
    'login',
    7,
  ])('reports an elicitation with the URL %j, which is not safe to open', (url) => {
    const params = { mode: 'url', message: 'Log in.', url, elicitationId: 'e' }
    expect(fromMcp({ method: 'elicitation/create', id: 1, params }, map)).toMatchObject({
      drafts: [],
      diagnostics: [{ code: 'invalid-event', path: '/params/url' }],
    })
  })

  it('maps an error', () => {
    const drafts = [{ ...done, success: false, error: 'Unknown tool.' }]
    expect(fromMcp({ id: 1, error: { code: -32602, message: 'Unknown tool.' } }, map)).toEqual({
      drafts,
      diagnostics: [],
    })
  })

  it('gives drafts that can be emitted, or reports, and never throws', () => {
    const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
    const method = fc.constantFrom(
      ...cases.map(([, message]) => (message as { method: string }).method),
      'elicitation/create',
      'x',
    )
    // JSON has numbers that a double reads as infinite.
    const amount = fc.oneof(fc.double(), fc.constant(Number('1e999')))
    const text = fc.oneof(fc.string(), json)
    const message = fc.record(
      {
        method,
        id: fc.oneof(fc.nat(9), json),
        params: fc.oneof(
          json,
          fc.record(
            {
              progress: fc.oneof(amount, json),
              total: fc.oneof(amount, json),
              status: fc.constantFrom(
                'working',
                'input_required',
                'completed',
                'failed',
                'cancelled',
                'x',
                1,
              ),
              mode: fc.constantFrom('form', 'url', 'x', 1),
              ...{ message: text, statusMessage: text, reason: text, logger: text, url: text },
              ...{ data: json, requestedSchema: json },
            },
            { requiredKeys: [] },
          ),
        ),
        result: fc.oneof(
          json,
          fc.record(
            { content: json, structuredContent: json, isError: fc.oneof(fc.boolean(), json) },
            { requiredKeys: [] },
          ),
        ),
        error: json,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(json, message), (value) => {
        const { drafts, diagnostics } = fromMcp(value, map)
        for (const draft of drafts) emit(draft as EventDraft & { kind: 'tool-complete' })
        expect(drafts.length + diagnostics.length).toBe(1)
      }),
      {
        numRuns: runs(300),
        examples: [
          [{ method: 'notifications/progress', params: { progress: Infinity, total: Infinity } }],
          [{ id: 1, result: { content: ['a', { type: 'text', text: 'b' }] } }],
        ],
      },
    )
  })
})

describe('toMcpElicitation', () => {
  it('gives requests that the schema of MCP accepts, which come back as the same question', () => {
    fc.assert(
      fc.property(accepted(eventSchemas['input-required']), (event) => {
        const request = toMcpElicitation(event as never)
        ElicitRequestSchema.parse(request)
        const { drafts } = fromMcp({ ...request, id: 'i' }, { ...map, server: 'Tides' })
        expect(drafts).toMatchObject([
          { kind: 'input-required', inputId: 'mcp/i', prompt: expect.stringMatching(/^Tides asks: /) },
        ])
      }),
      { numRuns: runs(200) },
    )
  })

  it.each<[event: object, schema: object]>([
    [
      { inputType: 'selection', options: ['a', 'b'] },
      { properties: { value: { type: 'string', enum: ['a', 'b'] } } },
    ],
    [{ inputType: 'custom', schema: null, options: null }, { properties: { value: { type: 'string' } } }],
    [{ inputType: 'confirmation' }, { properties: { value: { type: 'boolean' } } }],
    [
      { inputType: 'custom', schema: { type: 'integer', minimum: 1 } },
      { properties: { value: { type: 'integer' } } },
    ],
    [
      {
        inputType: 'custom',
        schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      },
      { properties: { n: { type: 'number' } }, required: ['n'] },
    ],
  ])('%j is a form', (event, schema) => {
    const request = { kind: 'input-required', inputId: 'i', prompt: '?', timestamp: at, ...event }
    const elicitation = toMcpElicitation(request as never)
    ElicitRequestSchema.parse(elicitation)
    expect(elicitation.params).toMatchObject({ mode: 'form', requestedSchema: schema })
  })

  it('refuses a schema whose answer no form has, unless it is that of other arguments', () => {
    const leaf = fc.constantFrom<object>(
      ...[{ type: 'string', maxLength: 5 }, { type: 'integer' }, { type: 'boolean' }],
      ...[
        { type: 'string', enum: ['a'] },
        { type: 'number', minimum: 1 },
      ],
    )
    const nested = fc.constantFrom<object>(
      { type: 'object', properties: { street: { type: 'string' } } },
      ...[{ type: 'array', items: { type: 'string' } }, { type: 'object' }, { anyOf: [{ type: 'object' }] }],
    )
    const schemas = fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.string(), fc.oneof(leaf, nested), { maxKeys: 4 }),
      required: fc.constantFrom<unknown>(['a'], [1, 'a'], undefined),
    })
    fc.assert(
      fc.property(fc.oneof(schemas, nested, leaf), (schema) => {
        const request = { kind: 'input-required', inputId: 'i', prompt: '?', inputType: 'custom', schema }
        const { properties } = schema as { properties?: Record<string, { type?: string }> }
        const isFlat = ({ type = '' }: { type?: string }): boolean => !['object', 'array', ''].includes(type)
        const isForm = properties !== undefined && Object.values(properties).every(isFlat)
        const hasAnyType = !('type' in schema)
        if (isForm || isFlat(schema as object) || hasAnyType)
          ElicitRequestSchema.parse(toMcpElicitation(request as never))
        else expect(() => toMcpElicitation(request as never)).toThrow(/"event.schema".*form/)
        const toolCall = { id: 'c', function: { name: 'pay', arguments: '{}' } }
        const approval = { ...request, inputType: 'tool-execution', metadata: { toolCall } }
        ElicitRequestSchema.parse(toMcpElicitation(approval as never))
      }),
      { numRuns: runs(300) },
    )
  })

  it('an authentication is a page to open, and back', () => {
    const event = {
      kind: 'auth-required',
      authId: 'a',
      authType: 'oauth2',
      prompt: 'Log in.',
      authUrl: 'https://login.example/',
      timestamp: at,
    } as const
    const request = toMcpElicitation(event)
    ElicitRequestSchema.parse(request)
    const { timestamp: _, ...draft } = event
    expect(fromMcp({ ...request, id: 'a' }, map).drafts).toEqual([
      { ...draft, authId: 'mcp/a', prompt: 'An MCP server asks: Log in.' },
    ])
    for (const authUrl of [undefined, 'javascript:alert(1)']) {
      expect(() => toMcpElicitation({ ...event, authUrl } as never)).toThrow(TypeError)
    }
  })
})

it('takes no result of an unknown type for a success', () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    result: { resultType: 'later', content: [], requestState: 'state' },
  }
  expect(fromMcp(message, map)).toMatchObject({ drafts: [], diagnostics: [{ code: 'invalid-event' }] })
  for (const result of [
    { resultType: null, content: [] },
    { resultType: 'input_required', isError: true, requestState: 'state' },
  ]) {
    const read = fromMcp({ ...message, result }, map)
    expect(read).toMatchObject({ drafts: [], diagnostics: [{ code: 'invalid-event' }] })
  }
  const complete = { ...message, result: { resultType: 'complete', content: [] } }
  expect(fromMcp(complete, map).drafts).toMatchObject([{ success: true }])
})
