// Proves what a hostile MCP server cannot do: end a call by anything but its response or its task, succeed with half a result,
// disguise the text of a question, or make its host poll without a pause.
import fc from 'fast-check'
import { type FromMcp, fromMcp, toMcpInputResponses } from 'turnstream/mcp'
import { describe, expect, it } from 'vitest'
import type { McpCall, McpMap } from '../../src/mcp/reading.ts'
import { runs } from '../support/runs.ts'
import { json } from '../support/zod-arbitrary.ts'

const call: McpCall = { toolCallId: 'c', toolName: 'book' }
const map: McpMap = { callOf: () => call, server: 'Harbour' }
const done = { content: [{ type: 'text', text: 'Booked.' }] }
const codesOf = ({ diagnostics }: FromMcp): string[] =>
  diagnostics.map(({ code, path }) => (path === undefined ? code : `${code} ${path}`))
const endOf = ({ drafts }: FromMcp) =>
  drafts.find((draft): draft is typeof draft & { kind: 'tool-complete' } => draft.kind === 'tool-complete')

describe('the end of a call', () => {
  const id = fc.oneof(fc.nat(3), fc.constantFrom('0', 'x', 'token', null, undefined))
  const ids = { requestId: id, progressToken: id, taskId: id, status: fc.constantFrom('failed', 'cancelled') }
  const related = fc.record({ 'io.modelcontextprotocol/related-task': fc.record({ taskId: id }) })
  const params = fc.record({ ...ids, _meta: related, result: fc.constant(done) }, { requiredKeys: [] })
  const method = fc.constantFrom(
    ...[
      'notifications/cancelled',
      'notifications/tasks',
      'notifications/tasks/status',
      'notifications/progress',
    ],
    ...['notifications/message', 'notifications/elicitation/complete', 'response', 'tools/call', '', 5, null],
  )
  const message = fc.record(
    { id, method, params, result: fc.constant(done), error: fc.constant({ code: 1, message: 'No.' }) },
    { requiredKeys: [] },
  )

  it('is its response or its task, and no other message of the server', () => {
    const callOf: McpMap['callOf'] = (name) =>
      name === undefined ? undefined : { toolCallId: `call of ${typeof name} ${name}`, toolName: 'book' }
    fc.assert(
      fc.property(message, (value) => {
        const end = endOf(fromMcp(value, { callOf }))
        if (end === undefined) return
        const isResponse = (value.method ?? null) === null
        const isTask = String(value.method).startsWith('notifications/tasks')
        expect(isResponse || isTask).toBe(true)
        const own = isResponse ? value.id : value.params?.taskId
        expect(end.toolCallId).toBe(`call of ${typeof own} ${own}`)
      }),
      {
        numRuns: runs(500),
        examples: [
          [{ method: 'notifications/cancelled', params: { requestId: 1 } }],
          [{ id: 1, result: done, params: { progressToken: 2 } }],
          [{ id: 1, method: 'response', result: done }],
        ],
      },
    )
  })

  it('is not that the server cancels what it has asked', () => {
    const ask = { id: 1, method: 'elicitation/create', params: { message: 'Which day?' } }
    const cancel = (requestId?: unknown): FromMcp =>
      fromMcp({ method: 'notifications/cancelled', params: { requestId, reason: 'Late.' } }, map)
    expect(cancel(1)).toEqual({ drafts: [], diagnostics: [], canceled: 'mcp/1' })
    expect(cancel(1).canceled).toBe(fromMcp(ask, map).question?.requests[0]?.id)
    for (const broken of [undefined, '', {}, 'x'.repeat(1025)])
      expect(codesOf(cancel(broken))).toEqual(['invalid-event /params/requestId'])
  })
})

describe('a result', () => {
  const items: readonly (readonly [item: object, required: readonly string[]])[] = [
    [{ type: 'text', text: 'a' }, ['text']],
    [{ type: 'image', data: 'AA==', mimeType: 'image/png' }, ['data', 'mimeType']],
    [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }, ['data', 'mimeType']],
    [{ type: 'resource_link', uri: 'file:///a', name: 'a' }, ['uri', 'name']],
    [{ type: 'resource', resource: { uri: 'file:///a', text: 'a' } }, ['resource']],
    [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AA==' } }, ['resource']],
  ]
  const whole = fc.constantFrom(...items)
  const noText = json.filter((value) => typeof value !== 'string')
  /** An item with one field that no schema has. */
  const broken = fc.oneof(
    noText.filter((value) => typeof (value as { type?: unknown } | null)?.type !== 'string'),
    fc
      .tuple(whole, fc.nat(), noText)
      .map(([[item, required], at, value]) => ({ ...item, [required[at % required.length] ?? '']: value })),
    fc
      .tuple(whole, fc.constantFrom('__proto__', 'tool_use', '', 5, null))
      .map(([[item], type]) => ({ ...item, type })),
    fc
      .constantFrom({ uri: 1, text: 'a' }, { uri: 'a' }, { text: 'a' }, { uri: 'a', text: 1 })
      .map((resource) => ({
        ...{ type: 'resource', resource },
      })),
  )

  it('is a success only if each item of its content is one of MCP', () => {
    fc.assert(
      fc.property(
        fc.array(whole),
        fc.array(
          fc.oneof(
            whole.map(([item]) => item),
            broken,
          ),
        ),
        broken,
        (good, mixed, bad) => {
          const content = good.map(([item]) => item)
          expect(endOf(fromMcp({ id: 1, result: { content } }, map))).toMatchObject({ success: true })
          const at = good.length
          for (const more of [{}, { isError: true }, { structuredContent: {} }]) {
            const reading = fromMcp({ id: 1, result: { ...more, content: [...content, bad, ...mixed] } }, map)
            expect(reading.drafts).toEqual([])
            expect(codesOf(reading)).toEqual([`invalid-event /result/content/${at}`])
          }
        },
      ),
      {
        numRuns: runs(300),
        examples: [
          [[], [], null],
          [[], [], {}],
          [[], [], { type: 'text', text: 5 }],
        ],
      },
    )
  })

  it('of 2025-11-25 has fields as its structured content, of 2026-07-28 any value', () => {
    expect(codesOf(fromMcp({ id: 1, result: { structuredContent: 5 } }, map))).toEqual([
      'invalid-event /result/structuredContent',
    ])
    const later = { resultType: 'complete', content: [], structuredContent: 5 }
    expect(endOf(fromMcp({ id: 1, result: later }, map))).toMatchObject({ success: true, result: 5 })
  })

  it('of no text item is no text', () => {
    const content = [{ type: 'image', data: 'AA==', mimeType: 'image/png', text: 'a' }]
    expect(endOf(fromMcp({ id: 1, result: { content } }, map))).toMatchObject({ result: content })
  })
})

describe('a call that needs pages to be opened', () => {
  const page = { mode: 'url', message: 'Log in.', url: 'https://harbour.example/login', elicitationId: 'e1' }
  const refused = (elicitations: unknown, asked: readonly string[] = []): FromMcp => {
    const error = { code: -32042, message: 'Log in first.', data: { elicitations } }
    return fromMcp({ id: 1, error }, { ...map, callOf: () => ({ ...call, asked }) })
  }

  it('has not ended: it asks, and is sent again', () => {
    const { drafts, question, diagnostics } = refused([page, { ...page, elicitationId: 'e2' }])
    expect(diagnostics).toEqual([])
    expect(drafts).toMatchObject([
      { kind: 'auth-required', prompt: 'Harbour asks: Log in.', authUrl: page.url },
      { kind: 'auth-required' },
    ])
    expect(question?.requests).toMatchObject([
      { type: 'auth', elicitationId: 'e1' },
      { type: 'auth', elicitationId: 'e2' },
    ])
    const [first, second] = question?.requests ?? []
    expect(first?.id).not.toBe(second?.id)
    expect(refused([page], [`${first?.id}`]).question?.requests[0]?.id).not.toBe(first?.id)
    if (question === undefined) throw new Error('Expected a question, got none.')
    const answers = {
      [`${first?.id}`]: { outcome: 'completed' },
      [`${second?.id}`]: { outcome: 'denied' },
    } as const
    expect(toMcpInputResponses(question, answers)).toEqual({ params: {}, diagnostics: [] })
  })

  it('is told when the user has completed one', () => {
    const read = (params: object): FromMcp =>
      fromMcp({ method: 'notifications/elicitation/complete', params }, map)
    expect(read({ elicitationId: 'e1' })).toEqual({ drafts: [], diagnostics: [], completed: 'e1' })
    expect(codesOf(read({}))).toEqual(['invalid-event /params/elicitationId'])
  })

  it.each<[string, unknown, string]>([
    ['no list', undefined, ''],
    ['none', [], ''],
    ['a form', [{ mode: 'form', message: 'Name?' }], '/0/url'],
    ['a script', [{ ...page, url: 'javascript:x' }], '/0/url'],
    ['no page', [null], '/0/message'],
    ['too many', Array.from({ length: 33 }, () => page), ''],
  ])('has failed if it names %s', (_, elicitations, path) => {
    const reading = refused(elicitations)
    expect(reading.drafts).toMatchObject([{ kind: 'tool-complete', success: false, error: 'Log in first.' }])
    expect(codesOf(reading)).toEqual([`invalid-event /error/data/elicitations${path}`])
    expect(reading.question).toBeUndefined()
  })
})

describe('the text of a question', () => {
  const hidden = ['\u200b', '\u200f', '\u061c', '\u202e', '\u2066', '\ufeff', '\u00ad', '\u{e0041}', '\ufe0f']
  const breaks = ['\n', '\r', '\u2028', '\u0085', '\u0000', '\t']
  const piece = fc.oneof(fc.constantFrom(...hidden, ...breaks), fc.string({ unit: 'binary' }))
  const text = fc.array(piece).map((pieces) => pieces.join(''))
  const plain = (value: unknown): void => {
    expect(value).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]/u)
  }

  it('is one line of characters that are seen, in its form too', () => {
    fc.assert(
      fc.property(text, (message) => {
        const shown = { title: message, description: message }
        const requestedSchema = {
          ...{ type: 'object', ...shown },
          properties: {
            title: { type: 'string', ...shown, oneOf: [{ const: message, title: message }] },
            day: { type: 'string', enum: [message], enumNames: [message, 1] },
          },
        }
        const params = { message, requestedSchema }
        const [draft] = fromMcp({ id: 1, method: 'elicitation/create', params }, map).drafts
        if (draft?.kind !== 'input-required') throw new Error('Expected an input-required.')
        plain(draft.prompt)
        const { title, description, properties } = draft.schema as typeof requestedSchema
        const { title: field, day } = properties
        for (const each of [title, description, field.title, field.description, field.oneOf[0]?.title])
          plain(each)
        plain(day.enumNames[0])
        // What is answered is what the server expects.
        expect([day.enum, field.oneOf[0]?.const]).toEqual([[message], message])
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('the pause of a task', () => {
  it('is one that a timer can wait, and no hot loop', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true }), json), (pollIntervalMs) => {
        const result = { resultType: 'task', taskId: 'x', status: 'working', pollIntervalMs }
        const { pollIntervalMs: pause } = fromMcp({ id: 1, result }, map).task ?? {}
        if (!Number.isFinite(pollIntervalMs)) expect(pause).toBeUndefined()
        else expect(pause).toBe(Math.min(3_600_000, Math.max(100, pollIntervalMs as number)))
      }),
      { numRuns: runs(200), examples: [[0], [1e300], [-1], [500]] },
    )
  })
})
