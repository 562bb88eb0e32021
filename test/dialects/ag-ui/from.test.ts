// What the reader makes of answers, of messages without text, and of encrypted values.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgUiEvent } from '../../../src/dialects/ag-ui/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { damaged } from '../../support/damaged-streams.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { agUiStreams } from './streams.ts'
import { outputsOf, reader } from './support.ts'

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' } as const
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' } as const

describe('the answer to an interrupt', () => {
  it.each([
    ['is declined', { status: 'cancelled' }, 'declined'],
    [
      'is declined with an approval of false',
      { status: 'resolved', payload: { approved: false } },
      'declined',
    ],
    ['is an approval', { status: 'resolved', payload: { approved: true } }, undefined],
    ['is any other', { status: 'resolved', payload: 'Yes' }, undefined],
  ])('%s', (_, answer, outcome) => {
    const interrupts = [{ id: 'i', reason: 'approval_required' }]
    const input = { threadId: 't', runId: 'r2', messages: [], tools: [], context: [] }
    const events = [
      started,
      { ...finished, outcome: { type: 'interrupt', interrupts } },
      { ...started, runId: 'r2', input: { ...input, resume: [{ interruptId: 'i', ...answer }] } },
    ] as AgUiEvent[]
    const [received] = outputsOf(reader(), events).filter(({ kind }) => kind === 'input-received')
    expect((received as { outcome?: string }).outcome).toBe(outcome)
  })
})

describe('a call that an interrupt asks about', () => {
  const call = [
    { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'pay' },
    { type: 'TOOL_CALL_END', toolCallId: 'k' },
  ]
  const asks = { type: 'interrupt', interrupts: [{ id: 'i', reason: 'approval', toolCallId: 'k' }] }
  const input = { threadId: 't', runId: 'r2', messages: [], tools: [], context: [] }

  it.each([
    ['that is answered has succeeded if no result follows', [{ interruptId: 'i', status: 'resolved' }], true],
    ['that is not answered has succeeded too: its run went on', [], true],
  ])('%s', (_, resume, success) => {
    const events = [
      started,
      ...call,
      { ...finished, outcome: asks },
      { ...started, runId: 'r2', input: { ...input, resume } },
      { ...finished, runId: 'r2' },
    ] as AgUiEvent[]
    const [end] = outputsOf(reader(), events).filter(({ kind }) => kind === 'tool-complete')
    expect(end).toMatchObject({ toolCallId: 'k', success })
  })
})

describe('the start of a subagent', () => {
  const subagent = { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'analyst' }

  /** What the events before its first status have. */
  function startOf(more: object): object[] {
    const events = [started, { ...subagent, ...more }] as AgUiEvent[]
    return outputsOf(reader(), events)
      .filter(({ kind, taskId }) => kind === 'subtask-created' || (kind === 'task-created' && taskId === 's'))
      .map(({ contextId, taskId, timestamp, ...rest }) => rest)
  }

  it.each([
    [
      'without a description',
      {},
      { subtaskId: 's', prompt: '', agentId: 'analyst' },
      { metadata: { agentId: 'analyst' } },
    ],
    [
      'with all fields',
      { description: 'Look', parentToolCallId: 'k', parentMessageId: 'm' },
      { subtaskId: 's', prompt: 'Look', agentId: 'analyst' },
      { metadata: { agentId: 'analyst', input: 'Look', parentToolCallId: 'k', parentMessageId: 'm' } },
    ],
    [
      'whose metadata has the agent and the input',
      { description: 'Look', metadata: { agentId: 'x', input: 'y' } },
      { subtaskId: 's', prompt: 'Look', agentId: 'analyst' },
      { metadata: { agentId: 'x', input: 'y' } },
    ],
    ['without a name', { name: '' }, { subtaskId: 's', prompt: '' }, {}],
  ])('%s', (_, more, announced, created) => {
    expect(startOf(more)).toStrictEqual([
      { kind: 'subtask-created', ...announced },
      { kind: 'task-created', initiator: 'agent', parentTaskId: 'r', ...created },
    ])
  })
})

/** The codes of the diagnostics, and the events that are no events of tasks. */
function readOf(events: readonly object[]) {
  const results = resultsOf(reader(), [started, ...events, finished] as AgUiEvent[])
  return {
    codes: results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)),
    read: results.flatMap(({ out }) => out).filter(({ kind }) => !kind.startsWith('task-')),
  }
}

describe('a message without text', () => {
  it('loses nothing', () => {
    const message = { messageId: 'm' }
    const ofText = [
      { type: 'TEXT_MESSAGE_START', ...message },
      { type: 'TEXT_MESSAGE_END', ...message },
    ]
    const ofReasoning = [
      { type: 'REASONING_START', ...message },
      { type: 'REASONING_MESSAGE_START', ...message, role: 'reasoning' },
      { type: 'REASONING_MESSAGE_END', ...message },
      { type: 'REASONING_END', ...message },
    ]
    for (const events of [ofText, ofReasoning]) expect(readOf(events)).toEqual({ codes: [], read: [] })
  })

  it('is reported once with its metadata', () => {
    const message = { messageId: 'm' }
    const events = [
      { type: 'TEXT_MESSAGE_START', ...message, metadata: { key: 1 } },
      { type: 'TEXT_MESSAGE_END', ...message },
    ]
    expect(readOf(events)).toEqual({ codes: ['dropped:TEXT_MESSAGE_END'], read: [] })
  })
})

/** A message or a call as its start, its pieces and its end, and as chunks. */
function spelled(
  kind: 'TEXT_MESSAGE' | 'REASONING_MESSAGE' | 'TOOL_CALL',
  nth: number,
  deltas: readonly string[],
) {
  const isCall = kind === 'TOOL_CALL'
  const id = isCall ? { toolCallId: `k${nth}` } : { messageId: `m${nth}` }
  const role = kind === 'REASONING_MESSAGE' ? { role: 'reasoning' } : {}
  const named = isCall ? { toolCallName: 'pay' } : {}
  const piece = isCall ? 'TOOL_CALL_ARGS' : `${kind}_CONTENT`
  const [first, ...rest] = deltas
  return {
    whole: [
      { type: `${kind}_START`, ...id, ...role, ...named },
      ...deltas.map((delta) => ({ type: piece, ...id, delta })),
      { type: `${kind}_END`, ...id },
    ],
    chunks: [
      { type: `${kind}_CHUNK`, ...id, ...named, delta: first },
      ...rest.map((delta) => ({ type: `${kind}_CHUNK`, delta })),
    ],
  }
}

it('reads chunks as it reads starts, pieces and ends', () => {
  const text = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 })
  const message = fc.oneof(
    text.map((deltas) => ['TEXT_MESSAGE', deltas] as const),
    text.map((deltas) => ['REASONING_MESSAGE', deltas] as const),
    fc.constantFrom(['{"n":1}'], ['{"n"', ':1}']).map((deltas) => ['TOOL_CALL', deltas] as const),
  )
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
      const forms = messages.map(([kind, deltas], nth) => spelled(kind, nth, deltas))
      const { read } = readOf(forms.flatMap(({ chunks }) => chunks))
      expect(read).toEqual(readOf(forms.flatMap(({ whole }) => whole)).read)
    }),
    { numRuns: runs(200) },
  )
})

it.each([
  ['without an encrypted value has no id of its span', [], { key: 1 }],
  [
    'has the id of the span that its encrypted value names',
    [{ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'span', encryptedValue: 'E' }],
    { key: 1, signature: 'E', reasoningId: 'span' },
  ],
])('a thought %s', (_, value, metadata) => {
  const { read } = readOf([
    { type: 'REASONING_START', messageId: 'span', metadata: { key: 1 } },
    ...value,
    { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
    { type: 'REASONING_MESSAGE_END', messageId: 'm' },
    { type: 'REASONING_END', messageId: 'span' },
  ])
  expect((read.at(-1) as { metadata?: object }).metadata).toStrictEqual(metadata)
})

it('reads each text with content as an event, or reports it', () => {
  fc.assert(
    fc.property(damaged(agUiStreams), (events) => {
      const written = new Set<unknown>()
      for (const [i, { out, diagnostics }] of resultsOf(reader(), events).entries()) {
        const { type, messageId, delta } = (events[i] ?? {}) as Record<string, unknown>
        if (delta) written.add(messageId)
        if (type !== 'TEXT_MESSAGE_END' || !written.has(messageId)) continue
        const isRead = out.some(({ kind }) => kind === 'content-complete')
        expect(isRead || diagnostics.some(({ code }) => code.startsWith('dropped:'))).toBe(true)
      }
    }),
    { numRuns: runs(200) },
  )
})

describe('an encrypted value', () => {
  const call = { toolCallId: 'k' }
  const value = { type: 'REASONING_ENCRYPTED_VALUE', encryptedValue: 'E', metadata: { key: 2 } }
  const start = { type: 'TOOL_CALL_START', ...call, toolCallName: 'n' }

  it('of reasoning keeps its metadata', () => {
    const { read } = readOf([
      { type: 'REASONING_START', messageId: 'm' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
      { type: 'REASONING_MESSAGE_END', messageId: 'm' },
      { ...value, subtype: 'message', entityId: 'm' },
      { type: 'REASONING_END', messageId: 'm' },
    ])
    expect(read.at(-1)).toMatchObject({ kind: 'thought-stream', metadata: { signature: 'E', key: 2 } })
  })

  it('of a call keeps its metadata', () => {
    const { read } = readOf([
      start,
      { ...value, subtype: 'tool-call', entityId: 'k' },
      { type: 'TOOL_CALL_END', ...call },
      { type: 'TOOL_CALL_RESULT', ...call, messageId: 'k:result', content: '1' },
    ])
    expect(read.find(({ kind }) => kind === 'tool-start')).toMatchObject({
      metadata: { signature: 'E', key: 2 },
    })
  })

  it('of a call that has started is reported as late', () => {
    const results = resultsOf(reader(), [
      started,
      start,
      { type: 'TOOL_CALL_END', ...call },
      { ...value, subtype: 'tool-call', entityId: 'k' },
    ] as AgUiEvent[])
    expect(results[3]?.diagnostics).toMatchObject([
      { code: 'dropped:REASONING_ENCRYPTED_VALUE', detail: { reason: 'after-end' } },
    ])
  })
})

it('reads an event of another system for operators only', () => {
  const { read } = readOf([{ type: 'RAW', event: { secret: 1 }, source: 'x' }])
  expect(read).toMatchObject([
    { kind: 'custom', data: { event: { secret: 1 }, source: 'x' }, metadata: { audience: ['operator'] } },
  ])
})

it.each([
  [[1], [{ op: 'add', path: '/1', value: 2 }], [1, 2]],
  [[1, 2], [{ op: 'move', from: '/0', path: '/1' }], [2, 1]],
  ['on', [{ op: 'replace', path: '', value: ['off'] }], ['off']],
])('applies changes to the state %j, which is no object', (snapshot, delta, value) => {
  const events = [
    started,
    { type: 'STATE_SNAPSHOT', snapshot },
    { type: 'STATE_DELTA', delta },
    { type: 'STATE_DELTA', delta: [{ op: 'test', path: '', value }] },
  ] as AgUiEvent[]
  const { artifacts } = foldEvents(emptyView, outputsOf(reader(), events))
  expect(artifacts[0]).toMatchObject({ committed: { content: { data: { value } }, version: 3 } })
})
