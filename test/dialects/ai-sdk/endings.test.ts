// The ends of texts and messages that differ from what was sent before them.
import { describe, expect, it } from 'vitest'
import { fromUiMessageStream, toUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { errorsOf, resultsOf } from '../../support/mapper-laws.ts'
import { readMessage } from './readers.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }

it('completes a message that ends without the output of a call that the page was to run', () => {
  const chunks = [
    { type: 'start', messageId: 't' },
    { type: 'tool-input-available', toolCallId: 'call', toolName: 'locate', input: {} },
    { type: 'finish', finishReason: 'tool-calls' },
    { type: 'start', messageId: 't' },
    { type: 'finish', finishReason: 'stop' },
  ]
  const steps = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
  const { out = [], diagnostics = [] } = steps[4] ?? {}
  const kinds = (out as ContextAnyEvent[]).map(({ kind }) => kind)
  expect(kinds).toEqual(['input-canceled', 'tool-complete', 'task-status', 'task-complete'])
  expect(diagnostics.map(({ code }) => code)).toEqual(['inferred:input-canceled', 'inferred:tool-complete'])
})

it.each([5, 6, 7] as const)(
  'leaves a call to the page that is to run it, through events, in version %i',
  (version) => {
    const chunks = [
      { type: 'start', messageId: 't' },
      { type: 'tool-input-available', toolCallId: 'call', toolName: 'locate', input: {} },
      { type: 'finish', finishReason: 'tool-calls' },
      { type: 'start', messageId: 't' },
      { type: 'tool-output-available', toolCallId: 'call', output: 'here' },
      { type: 'finish', finishReason: 'stop' },
    ]
    const events = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[]).flatMap(
      ({ out }) => out,
    )
    expect(errorsOf(events as ContextAnyEvent[])).toEqual([])
    const written = resultsOf(toUiMessageStream({ version }) as never, events as never[])
    const types = written.flatMap(({ out }) => (out as { type: string }[]).map(({ type }) => type))
    const [first, second] = [
      types.slice(0, types.indexOf('finish')),
      types.slice(types.indexOf('finish') + 1),
    ]
    expect(first.filter((type) => type.startsWith('tool-'))).toEqual(['tool-input-available'])
    expect(second.filter((type) => type.startsWith('tool-'))).toEqual(['tool-output-available'])
  },
)

it('starts a call whose input was streamed in part with the whole input', () => {
  const call = { toolCallId: 'call', toolName: 'pay' }
  const chunks = [
    { type: 'start', messageId: 't' },
    { type: 'tool-input-start', ...call },
    { type: 'tool-input-delta', toolCallId: 'call', inputTextDelta: '{"amount":1' },
    { type: 'tool-input-available', ...call, input: { amount: 1000 } },
    { type: 'tool-output-available', toolCallId: 'call', output: 'paid' },
    { type: 'finish' },
  ]
  const steps = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
  const events = steps.flatMap(({ out }) => out as ContextAnyEvent[])
  expect(errorsOf(events)).toEqual([])
  expect(events.filter(({ kind }) => kind.startsWith('tool-'))).toMatchObject([
    { kind: 'tool-arguments-delta', delta: '{"amount":1' },
    { kind: 'tool-arguments-delta', delta: '000}' },
    { kind: 'tool-start', arguments: { amount: 1000 } },
    { kind: 'tool-complete', result: 'paid' },
  ])
})

describe('an answer about a call that has ended', () => {
  const toolCall = { id: 'call', function: { name: 'pay', arguments: '{}' } }
  const asked = { inputId: 'q', inputType: 'tool-execution', prompt: 'Pay?', requireUser: true }
  const signIn = { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: 'Sign in.' }
  const signedIn = { kind: 'auth-completed', authId: 'a', userId: 'u' }

  it.each([
    ['is not waited for', [], false],
    ['is not waited for after a sign-in', [signIn, signedIn], false],
    ['is not waited for, but an open sign-in is', [signIn], true],
  ])('%s', (_, more, pauses) => {
    const events = [
      { ...place, kind: 'task-created', initiator: 'agent' },
      { ...place, kind: 'input-required', ...asked, metadata: { toolCall } },
      { ...place, kind: 'tool-start', toolCallId: 'call', toolName: 'pay', arguments: {} },
      { ...place, kind: 'tool-complete', toolCallId: 'call', toolName: 'pay', success: true },
      ...more.map((event) => ({ ...place, ...event })),
      { ...place, kind: 'task-status', status: 'waiting-input' },
    ] as ContextAnyEvent[]
    const { out = [], diagnostics } = resultsOf(toUiMessageStream() as never, events)[events.length - 1] ?? {}
    expect((out as { type: string }[]).some(({ type }) => type === 'finish')).toBe(pauses)
    if (!pauses)
      expect(diagnostics).toMatchObject([{ code: 'dropped:task-status', detail: { reason: 'after-end' } }])
  })
})

it('keeps the labels that the deltas of a thought have', () => {
  const chunks = [
    { type: 'start', messageId: 't' },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'x' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { turnstream: { thoughtType: 'planning' } } },
    { type: 'finish' },
  ]
  const steps = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
  expect(errorsOf(steps.flatMap(({ out }) => out as ContextAnyEvent[]))).toEqual([])
  expect(steps[3]?.out).toMatchObject([{ kind: 'thought-stream', thoughtType: 'reasoning' }])
  expect(steps[3]?.diagnostics).toMatchObject([{ code: 'lossy:thoughtType', detail: 'planning' }])
})

it.each([6, 7] as const)('continues a running call whose request is refused, in version %i', (version) => {
  const call = { toolCallId: 'call', toolName: 'run_code' }
  const toolCall = { id: 'call', function: { name: 'run_code', arguments: '{}' } }
  const asked = { inputId: 'q', inputType: 'tool-execution', prompt: 'Go on?', requireUser: true }
  const progress = { kind: 'tool-progress', toolCallId: 'call', progress: 0.5, message: 'Cleaning up' }
  const events = [
    { ...place, kind: 'task-created', initiator: 'agent' },
    { ...place, kind: 'tool-start', ...call, arguments: {} },
    { ...place, kind: 'input-required', ...asked, metadata: { toolCall } },
    {
      ...place,
      kind: 'input-received',
      inputId: 'q',
      providedBy: 'agent',
      agentId: 'a',
      outcome: 'declined',
    },
    { ...place, ...progress },
    { ...place, kind: 'tool-complete', ...call, success: true, result: 'half' },
  ]
  const chunks = resultsOf(toUiMessageStream({ version }) as never, events as never[]).flatMap(
    ({ out }) => out as never[],
  )
  const restored = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks).flatMap(
    ({ out }) => out as ContextAnyEvent[],
  )
  expect(restored.slice(2, 7)).toMatchObject([
    { kind: 'tool-start' },
    { kind: 'input-required' },
    { kind: 'input-received', outcome: 'declined' },
    progress,
    { kind: 'tool-complete', success: true, result: 'half' },
  ])
})

const delta = { kind: 'content-delta', delta: 'a' }
const thought = {
  kind: 'thought-delta',
  thoughtId: 'h',
  thoughtType: 'reasoning',
  verbosity: 'normal',
  delta: 'a',
}
const piece = { kind: 'tool-arguments-delta', toolCallId: 'k', toolName: 'n', delta: '[' }

it.each([delta, thought, piece])('sends a repeated $kind once', (event) => {
  const events = [
    { kind: 'task-created', initiator: 'user' },
    ...[0, 1, 1].map((index) => ({ ...event, index })),
  ]
  const steps = resultsOf(
    toUiMessageStream() as never,
    events.map((event) => ({ ...place, ...event })) as never[],
  )
  expect(steps[3]).toMatchObject({
    out: [],
    diagnostics: [{ code: `dropped:${event.kind}`, detail: { reason: 'repeated' } }],
  })
})

// The second pair has one hash in many languages; the third one differs inside a surrogate pair.
describe.each([
  ['a', 'XYZ'],
  ['Aa', 'BB'],
  ['ab', 'a😀'],
])('the text %s that is %s at the end', (sent, content) => {
  const write = (version: 6 | 7, ...before: object[]) => {
    const text = [
      { ...delta, delta: sent, index: 0 },
      { kind: 'content-complete', content },
    ]
    const events = [{ kind: 'task-created', initiator: 'user' }, ...before, ...text]
    const steps = resultsOf(
      toUiMessageStream({ version }) as never,
      events.map((event) => ({ ...place, ...event })) as never[],
    )
    return steps[events.length - 1]
  }

  it('is sent again in version 7, with its step', () => {
    const { out, diagnostics } = write(7) ?? {}
    expect(out).toMatchObject([
      { type: 'reset-step' },
      { type: 'text-start' },
      { type: 'text-delta', delta: content },
      { type: 'text-end' },
    ])
    expect(diagnostics).toEqual([])
  })

  it.each([
    ['in version 6', 6, []],
    ['in a step with data', 7, [{ kind: 'custom', name: 'a.b', data: 1 }]],
  ] as const)('stays as it was sent %s', (_, version, before) => {
    const { out, diagnostics } = write(version, ...before) ?? {}
    expect(out).toEqual([{ type: 'text-end', id: 'text:0' }])
    expect(diagnostics).toMatchObject([{ code: 'lossy:content' }])
  })
})

it('sends the thoughts of a step again with one that differs at the end', () => {
  const events = [
    { kind: 'task-created', initiator: 'user' },
    { ...thought, thoughtId: 'g', index: 0 },
    { ...thought, index: 0 },
    { ...thought, kind: 'thought-stream', content: 'b', index: 0 },
  ].map((event) => ({ ...place, ...event }))
  const { out } = resultsOf(toUiMessageStream() as never, events as never[])[3] ?? {}
  expect(out).toMatchObject([
    { type: 'reset-step' },
    { type: 'reasoning-start', id: 'g' },
    { type: 'reasoning-delta', id: 'g', delta: 'a' },
    { type: 'reasoning-start', id: 'h' },
    { type: 'reasoning-delta', id: 'h', delta: 'b' },
    { type: 'reasoning-end', id: 'h' },
  ])
})

it('does not begin a step again that has a text of another response', () => {
  const events = [
    { kind: 'task-created', initiator: 'user' },
    { ...delta, index: 0, contentId: 'a' },
    { ...delta, index: 0, contentId: 'b', iteration: 0 },
    { kind: 'iteration-reset', iteration: 0 },
    { ...delta, index: 1, contentId: 'a' },
  ].map((event) => ({ ...place, ...event }))
  const steps = resultsOf(toUiMessageStream() as never, events as never[])
  expect(steps[3]).toMatchObject({
    out: [{ type: 'text-end', id: 'b' }],
    diagnostics: [{ code: 'dropped:iteration-reset', detail: { reason: 'no-equivalent' } }],
  })
  expect(steps[4]?.out).toEqual([{ type: 'text-delta', id: 'a', delta: 'a' }])
})

it('keeps the calls that are open, however many have ended', () => {
  const call = (i: number) => ({ ...place, toolCallId: `k${i}`, toolName: 'n' })
  const ids = Array.from({ length: 2000 }, (_, i) => i)
  const events = [
    { ...place, kind: 'task-created', initiator: 'user' },
    ...ids.map((i) => ({ ...call(i), kind: 'tool-start', arguments: {} })),
    ...ids.map((i) => ({ ...call(i), kind: 'tool-complete', success: true })),
  ]
  const steps = resultsOf(toUiMessageStream() as never, events as never[])
  const codes = steps.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
  expect(codes.filter((code) => !code.startsWith('lossy:'))).toEqual(['gap'])
})

it.each([6, 7] as const)('ends an input that is cut off with its task, in version %i', async (version) => {
  const events = [
    { kind: 'task-created', initiator: 'user' },
    { ...piece, index: 0 },
    { kind: 'task-complete' },
  ].map((event) => ({ ...place, ...event }))
  const steps = resultsOf(toUiMessageStream({ version }) as never, events as never[])
  const { message, errors } = await readMessage(
    version,
    steps.flatMap(({ out }) => out as never[]),
  )
  expect(errors).toEqual([])
  expect(message?.parts[1]).toMatchObject({ toolCallId: 'k', state: 'output-error', input: '[' })
})

it('reports what is not shown of a subtask', () => {
  const sub = { ...place, taskId: 's', parentTaskId: 't' }
  const usage = [{ model: 'm', inputTokens: 5 }]
  const events = [
    { ...place, kind: 'task-created', initiator: 'user' },
    { ...sub, kind: 'task-created', initiator: 'agent', metadata: { model: 'm' } },
    { ...sub, kind: 'task-status', status: 'working', message: 'Starting' },
    { ...sub, kind: 'content-complete', content: 'x', metadata: { usage } },
    { ...sub, kind: 'task-complete', metadata: { usage } },
  ]
  const steps = resultsOf(toUiMessageStream() as never, events as never[])
  const codes = steps.slice(1, 5).map(({ diagnostics }) => diagnostics.map(({ code }) => code))
  expect(codes).toEqual([['lossy:metadata'], ['lossy:message'], ['lossy:metadata'], ['lossy:metadata']])
})

it('does not claim that a call runs alone while another runs', () => {
  const providerMetadata = { turnstream: { metadata: { concurrent: false } } }
  const chunks = [
    { type: 'start', messageId: 't' },
    { type: 'tool-input-available', toolCallId: 'a', toolName: 'n', input: {} },
    { type: 'tool-input-available', toolCallId: 'b', toolName: 'n', input: {}, providerMetadata },
    { type: 'tool-output-available', toolCallId: 'a', output: 1 },
    { type: 'tool-output-available', toolCallId: 'b', output: 2 },
    { type: 'finish' },
  ]
  const steps = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
  expect(errorsOf(steps.flatMap(({ out }) => out as ContextAnyEvent[]))).toEqual([])
  expect(steps[3]?.diagnostics).toMatchObject([{ code: 'lossy:providerMetadata' }])
})

it('discards what a step that begins again has begun, but no call that has started', () => {
  const inputOf = (toolCallId: string) => ({
    ...{ type: 'tool-input-available', toolCallId, toolName: 'look', input: {} },
  })
  const chunks = [
    { type: 'start', messageId: 't' },
    { type: 'start-step' },
    { type: 'text-start', id: 'a' },
    { type: 'text-delta', id: 'a', delta: 'I look.' },
    { type: 'text-end', id: 'a' },
    inputOf('first'),
    { type: 'finish-step' },
    { type: 'start-step' },
    { type: 'text-start', id: 'b' },
    { type: 'text-delta', id: 'b', delta: 'Bad draft' },
    inputOf('second'),
    { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'second' },
    inputOf('third'),
    { type: 'reset-step' },
    { type: 'text-start', id: 'b' },
    { type: 'text-delta', id: 'b', delta: 'Six.' },
    { type: 'text-end', id: 'b' },
    { type: 'finish' },
  ]
  const steps = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
  const events = steps.flatMap(({ out }) => out as ContextAnyEvent[])
  expect(errorsOf(events)).toEqual([])
  expect(steps[13]?.out).toMatchObject([
    { kind: 'input-canceled', inputId: 'q', reason: 'withdrawn' },
    { kind: 'iteration-reset', iteration: 1 },
  ])
  const { parts = [] } = foldEvents(emptyView, events).tasks[0] ?? {}
  expect(parts.map((part) => (part.type === 'text' ? part.text : part.type))).toEqual([
    ...['I look.', 'tool', 'input', 'tool', 'Six.'],
  ])
})

it.each(['abort', 'error', 'finish'])('does not work again as a message that waits ends with %s', (type) => {
  const chunks = [
    { type: 'start', messageId: 't' },
    { type: 'tool-input-available', toolCallId: 'call', toolName: 'pay', input: {} },
    { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'call' },
    { type: 'finish' },
    { type, ...(type === 'error' && { errorText: 'Torn.' }) },
  ]
  const steps = resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
  const statuses = steps.map(({ out }) =>
    (out as ContextAnyEvent[]).flatMap((event) => (event.kind === 'task-status' ? event.status : [])),
  )
  expect(statuses[3]).toEqual(['waiting-input'])
  expect(statuses[4]).not.toContain('working')
})

it.each([
  [6, 'answered', 'tool-output-error'],
  [7, 'answered', 'tool-output-error'],
  [6, 'declined', 'tool-output-denied'],
  [7, 'declined', 'tool-output-denied'],
] as const)(
  'shows a call that fails, in version %i, after its request was %s, as %s',
  (version, outcome, type) => {
    const call = { toolCallId: 'call', toolName: 'pay' }
    const toolCall = { id: 'call', function: { name: 'pay', arguments: '{}' } }
    const asked = { inputId: 'q', inputType: 'tool-execution', prompt: 'Pay?', requireUser: true }
    const events = [
      { ...place, kind: 'task-created', initiator: 'agent' },
      { ...place, kind: 'tool-start', ...call, arguments: {} },
      { ...place, kind: 'input-required', ...asked, metadata: { toolCall } },
      { ...place, kind: 'input-received', inputId: 'q', providedBy: 'user', userId: 'u', outcome },
      { ...place, kind: 'tool-complete', ...call, success: false, error: 'No.' },
    ] as ContextAnyEvent[]
    const { out = [] } = resultsOf(toUiMessageStream({ version }) as never, events)[4] ?? {}
    expect((out as { type: string }[]).map(({ type }) => type)).toEqual([type])
  },
)

it('adds nothing as the stream ends while its message waits, even if a text is open', () => {
  const events = [
    { ...place, kind: 'task-created', initiator: 'agent' },
    { ...place, kind: 'content-delta', delta: 'a', index: 0 },
    { ...place, kind: 'input-required', inputId: 'q', inputType: 'confirmation', prompt: 'Go?' },
    { ...place, kind: 'task-status', status: 'waiting-input' },
  ] as ContextAnyEvent[]
  const steps = resultsOf(toUiMessageStream() as never, events)
  expect(steps[3]?.out).toMatchObject([{ type: 'finish' }])
  expect(steps[4]).toEqual({ out: [], diagnostics: [] })
})

it.each([
  [6, { type: 'data-input', id: 'q', data: { inputId: 'q', status: 'answered' }, transient: true }],
  [7, { type: 'tool-approval-response', approvalId: 'q', approved: true }],
] as const)('answers a request about a call, in version %i', (version, answer) => {
  const toolCall = { id: 'call', function: { name: 'pay', arguments: '{}' } }
  const events = [
    { ...place, kind: 'task-created', initiator: 'agent' },
    {
      ...{ ...place, kind: 'input-required', inputId: 'q', inputType: 'tool-execution', prompt: 'Pay?' },
      metadata: { toolCall },
    },
    { ...place, kind: 'input-received', inputId: 'q', providedBy: 'user', userId: 'u' },
  ] as ContextAnyEvent[]
  const { out } = resultsOf(toUiMessageStream({ version }) as never, events)[2] ?? {}
  expect(out).toEqual([answer])
})

describe('a result', () => {
  const created = { ...place, kind: 'task-created', initiator: 'user' }
  const delta = { ...place, kind: 'content-delta', delta: 'Hel', index: 0 }
  const whole = { ...place, kind: 'content-complete', content: 'Hello' }
  const result = { ...place, kind: 'task-complete', content: 'Hello' }

  it.each<[name: string, events: readonly object[], texts: readonly string[], codes: readonly string[]]>([
    ['is the text if there is none', [result], ['Hello'], []],
    ['is the whole of an open text', [delta, result], ['Hel', 'lo'], []],
    ['is not sent again', [whole, result], ['Hello'], []],
    ['that differs is reported', [whole, { ...result, content: 'Bye' }], ['Hello'], ['lossy:content']],
  ])('%s', (_, events, texts, codes) => {
    const steps = resultsOf(toUiMessageStream() as never, [created, ...events] as never[])
    const chunks = steps.flatMap(({ out }) => out as { type: string; delta?: string }[])
    expect(chunks.flatMap(({ type, delta: text }) => (type === 'text-delta' ? text : []))).toEqual(texts)
    const reported = steps.slice(1).flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
    expect(reported.filter((code) => code !== 'lossy:timestamp' && code !== 'lossy:contextId')).toEqual(codes)
  })
})
