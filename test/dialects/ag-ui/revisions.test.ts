// Texts that are replaced and model responses that begin again: a page shows the final text, and readers get it back.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import type { TextPart } from '../../../src/dialects/a2a/wire/model.ts'
import {
  type AgUiEvent,
  type AgUiMessage,
  agUiMessages,
  agUiVerifier,
} from '../../../src/dialects/ag-ui/index.ts'
import type { AgUiViolation } from '../../../src/dialects/ag-ui/verify/context.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { errorsOf, resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { orderErrorsOf, pageOf, schemaErrorsOf } from './peers.ts'
import { closing, outputsOf, reader, writer } from './support.ts'

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }
const event = (kind: string, fields: object = {}) => ({ kind, ...context, ...fields }) as ContextAnyEvent
const delta = (text: string, index: number, more: object = {}) =>
  event('content-delta', { delta: text, index, ...more })
const whole = (content: string, more: object = {}) => event('content-complete', { content, ...more })
const replace = (content: string, more: object = {}) => event('content-replace', { content, ...more })
const created = event('task-created', { initiator: 'user' })
const completed = event('task-status', { status: 'completed' })
const call = { toolCallId: 'k', toolName: 'look' }
const start = (more: object = {}) => event('tool-start', { ...call, arguments: {}, ...more })
const result = event('tool-complete', { ...call, success: true, result: 1 })
const [first, second] = [{ iteration: 0 }, { iteration: 1 }]

/** The texts of a page, of the agent and of reasoning. */
function textsOf(messages: readonly AgUiMessage[]): unknown[] {
  return messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'tool' || !content ? [] : [content],
  )
}

function viewTexts(events: readonly ContextAnyEvent[]): string[] {
  const { parts = [] } = foldEvents(emptyView, events).tasks[0] ?? {}
  return parts.flatMap((part) => (part.type === 'text' || part.type === 'thought' ? part.text || [] : []))
}

describe.each<
  [name: string, events: readonly ContextAnyEvent[], kinds: readonly string[], texts: readonly string[]]
>([
  ['an open text', [delta('a', 0), replace('b'), delta('c', 1), whole('bc')], ['content-replace'], ['bc']],
  [
    'a complete text',
    [delta('a', 0), whole('a'), replace('b'), delta('c', 1), whole('bc')],
    ['content-replace'],
    ['bc'],
  ],
  [
    'the text before a call',
    [whole('a'), start(), result, replace('b'), whole('b')],
    ['content-replace'],
    ['b'],
  ],
  ['a text that is retracted', [delta('a', 0), replace(''), whole('')], ['content-replace'], []],
  [
    'a text that is retracted and goes on',
    [delta('a', 0), replace(''), delta('b', 1), whole('b')],
    ['content-replace'],
    ['b'],
  ],
  ['a text of which nothing came', [delta('', 0), replace('b'), whole('b')], [], ['b']],
  [
    'a model response',
    [
      whole('a', first),
      start(first),
      result,
      event('thought-delta', { thoughtId: 'h', delta: 'hm', index: 0, ...second }),
      delta('b', 0, second),
      event('tool-arguments-delta', { ...call, toolCallId: 'l', delta: '{', index: 0, ...second }),
      event('iteration-reset', second),
      event('thought-stream', {
        thoughtId: 'h',
        content: 'so',
        thoughtType: 'reasoning',
        verbosity: 'normal',
        index: 0,
        ...second,
      }),
      whole('c', second),
    ],
    ['iteration-reset'],
    ['a', 'so', 'c'],
  ],
  [
    'a model response of two texts',
    [
      whole('a', first),
      start(first),
      result,
      ...['b', 'c'].map((contentId) => whole(contentId, { contentId, ...second })),
      event('iteration-reset', second),
      ...['d', 'e'].map((contentId) => whole(contentId, { contentId, ...second })),
    ],
    ['iteration-reset'],
    ['a', 'd', 'e'],
  ],
])('%s', (_, events, kinds, texts) => {
  const all = [created, ...events, completed]
  const user: AgUiMessage = { id: 'u', role: 'user', content: 'Hi.' }
  const written = outputsOf(writer({ messages: [user] }), all)

  it('is what a page shows in the end, beside the messages that it had', async () => {
    const { messages, errors } = await pageOf(written, [user])
    expect(errors).toEqual([])
    expect([...schemaErrorsOf(written), ...orderErrorsOf(written)]).toEqual([])
    expect(textsOf(messages)).toEqual(texts)
    expect(messages[0]).toEqual(user)
    expect(textsOf(agUiMessages(foldEvents(emptyView, all)))).toEqual(texts)
  })

  it('is read as a revision', () => {
    const back = outputsOf(closing(), written)
    expect(errorsOf(back)).toEqual([])
    expect(back.map(({ kind }) => kind).filter((kind) => /replace|reset/.test(kind))).toEqual(kinds)
    expect(viewTexts(back)).toEqual(texts)
  })
})

it('keeps the iterations of texts, thoughts and calls there and back', () => {
  const iterations = (events: readonly ContextAnyEvent[]): Map<string, number | undefined> =>
    new Map(
      foldEvents(emptyView, events).tasks.flatMap(({ taskId, parts }) =>
        parts.flatMap((part): [string, number | undefined][] => {
          if (part.type === 'tool') return [[`${taskId} ${part.toolCallId}`, part.iteration]]
          if (part.type === 'thought')
            return part.text === '' ? [] : [[`${taskId} ${part.thoughtId}`, part.iteration]]
          return part.type === 'text' && part.text !== ''
            ? [[`${taskId} text ${(part as TextPart).text}`, part.iteration]]
            : []
        }),
      ),
    )
  fc.assert(
    fc.property(legalStreams({ internal: false, revisions: true, maxChoices: 20 }), (events) => {
      const results = resultsOf(writer(), events)
      const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
      // What is open at an interrupt goes on in another run.
      const written = results.flatMap(({ out }) => out)
      fc.pre(!codes.includes('lossy:iteration'))
      fc.pre(written.filter(({ type }) => type === 'RUN_STARTED').length === 1)
      const back = iterations(outputsOf(closing(), written))
      const given = iterations(events)
      for (const [key, iteration] of back)
        if (given.has(key)) expect([key, iteration]).toEqual([key, given.get(key)])
    }),
    { numRuns: runs(300) },
  )
})

const run = { threadId: 'c', runId: 't' }
const message = (messageId: string, text: string): AgUiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
  { type: 'TEXT_MESSAGE_END', messageId },
]
const assistant = (id: string, content: string): AgUiMessage => ({ id, role: 'assistant', content })

describe('a snapshot of another server', () => {
  const read = (...messages: AgUiMessage[]) => {
    const events: AgUiEvent[] = [
      { type: 'RUN_STARTED', ...run },
      ...message('m', 'one'),
      ...message('n', 'two'),
      { type: 'MESSAGES_SNAPSHOT', messages },
      { type: 'RUN_FINISHED', ...run },
    ]
    const results = resultsOf(reader(), events)
    const codes = results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
    const all = results.flatMap(({ out }) => out)
    expect(errorsOf(all)).toEqual([])
    return { texts: viewTexts(all), reported: codes.includes('dropped:MESSAGES_SNAPSHOT') }
  }

  it.each<[string, AgUiMessage[], string[], boolean]>([
    ['says what was streamed', [assistant('m', 'one'), assistant('n', 'two')], ['one', 'two'], false],
    ['corrects a text', [assistant('m', 'ONE'), assistant('n', 'two')], ['ONE', 'two'], false],
    ['leaves a text out', [assistant('n', 'two')], ['two'], false],
    ['leaves everything out', [], [], false],
    ['has other ids', [assistant('x', 'one'), assistant('y', 'two')], ['one', 'two'], false],
    [
      'has more',
      [assistant('m', 'one'), assistant('n', 'two'), assistant('x', '3')],
      ['one', 'two', '3'],
      false,
    ],
    [
      'has messages of the user',
      [{ id: 'u', role: 'user', content: 'Hi.' }, assistant('m', 'one'), assistant('n', 'two')],
      ['one', 'two'],
      true,
    ],
  ])('that %s', (_, messages, texts, reported) => {
    expect(read(...messages)).toEqual({ texts, reported })
  })
})

it('a snapshot of what was not streamed keeps what its messages state', () => {
  const called = { name: 'look', arguments: '{}' }
  const toolCalls = [
    { id: 'k', type: 'function', function: called, metadata: { of: 'call' }, encryptedValue: 'v' },
  ]
  const messages = [
    { role: 'activity', id: 'a', activityType: 'map', content: {}, metadata: { by: 'activity' } },
    { role: 'assistant', id: 'b', name: 'planner', metadata: { by: 'planner' }, toolCalls },
    { role: 'tool', id: 'r', toolCallId: 'k', content: 'ok', metadata: { by: 'tool' }, encryptedValue: 'w' },
  ]
  const inputs = [
    { type: 'RUN_STARTED', threadId: 'c', runId: 't' },
    { type: 'MESSAGES_SNAPSHOT', messages },
  ] as AgUiEvent[]
  const results = resultsOf(reader(), inputs)
  expect(results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual(['gap'])
  expect(results.flatMap(({ out }) => out).map(({ kind, ...rest }) => [kind, Object(rest).metadata])).toEqual(
    [
      ['task-created', undefined],
      ['task-status', undefined],
      ['data-write', { by: 'activity' }],
      ['tool-arguments-delta', undefined],
      ['tool-start', { by: 'planner', name: 'planner', of: 'call', signature: 'v', parentMessageId: 'b' }],
      ['tool-complete', { by: 'tool', signature: 'w', messageId: 'r' }],
    ],
  )
})

it('reports a revision if there is too much to send again, and shows the new text', async () => {
  const long = 'x'.repeat(1 << 20)
  const all = [created, delta(`${long}x`, 0), replace('b'), whole('b'), completed]
  const results = resultsOf(writer(), all)
  expect(results[2]?.diagnostics.map(({ code }) => code)).toEqual(['lossy:content'])
  expect((await pageOf(results.flatMap(({ out }) => out))).messages.map(({ content }) => content)).toEqual([
    `${long}x`,
    'b',
  ])
  const many = Array.from({ length: 1025 }, (_, i) => whole('x', { contentId: `${i}`, ...first }))
  const steps = resultsOf(writer(), [created, ...many, event('iteration-reset', first), ...many, completed])
  expect(steps[many.length + 1]?.diagnostics).toMatchObject([
    { code: 'dropped:iteration-reset', detail: { reason: 'too-many' } },
  ])
  // Clients keep the texts before: the new ones have ids of their own.
  const verifier = agUiVerifier({ mode: 'strict' }) as Machine<unknown, AgUiEvent, AgUiViolation>
  const written = steps.flatMap(({ out }) => out)
  expect(outputsOf(verifier, written)).toEqual([])
})

it('says once that a client loses its other messages without the option', () => {
  const all = [created, delta('a', 0), replace('b'), replace('c'), replace('d'), whole('d'), completed]
  const codes = resultsOf(writer(), all).map(({ diagnostics }) => diagnostics.map(({ code }) => code))
  expect(codes).toEqual(all.concat(completed).map((_, i) => (i === 2 ? ['inferred:messages'] : [])))
})

it('keeps a text that is replaced by one that is too long to be sent again', () => {
  const all = [created, delta('a', 0), replace('x'.repeat(1 << 20)), completed]
  const [, , replaced] = resultsOf(writer(), all)
  expect(replaced?.diagnostics.map(({ code }) => code)).toEqual(['lossy:content'])
  expect(replaced?.out.map(({ type }) => type)).not.toContain('MESSAGES_SNAPSHOT')
})

it('many small revisions of a long text send a bounded amount', () => {
  const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  const replaced = { kind: 'content-replace', contentId: 'x', ...context } as const
  const events: ContextAnyEvent[] = [
    { kind: 'task-created', initiator: 'user', ...context },
    { kind: 'content-complete', content: 'a'.repeat(1_000_000), ...context },
    { kind: 'content-complete', contentId: 'x', content: 'old', ...context },
    ...Array.from({ length: 40 }, (_, i) => ({ ...replaced, content: `new ${i}` })),
  ]
  const snapshots = resultsOf(writer({ messages: [] }), events)
    .flatMap(({ out }) => out)
    .filter(({ type }) => type === 'MESSAGES_SNAPSHOT')
  expect(snapshots).toHaveLength(17)
})

it('keeps a call that starts after its approval, when its model response is reset', () => {
  const toolCall = { id: 'k', function: { name: 'look', arguments: '{}' } }
  const events = [
    created,
    delta('a', 0, first),
    event('tool-arguments-delta', { ...call, delta: '{}', index: 0, ...first }),
    event('input-required', {
      inputId: 'i',
      inputType: 'tool-execution',
      prompt: '?',
      metadata: { toolCall },
    }),
    event('task-status', { status: 'waiting-input' }),
    event('input-received', { inputId: 'i', providedBy: 'user', userId: 'u' }),
    event('task-status', { status: 'working' }),
    start(first),
    event('iteration-reset', first),
  ]
  const snapshots = outputsOf(writer(), events).filter(({ type }) => type === 'MESSAGES_SNAPSHOT')
  expect(JSON.stringify(snapshots.at(-1))).toMatch(/"toolCalls":\[{"id":"k"/)
  expect(JSON.stringify(snapshots.at(-1))).not.toContain('"content":"a"')
})
