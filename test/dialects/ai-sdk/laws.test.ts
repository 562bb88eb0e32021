// The laws of mappers: the reader loses nothing silently, the writer loses what it declares.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  aiSdkCoverage,
  fromUiMessageStream,
  toUiMessageStream,
  type UiMessageChunk,
} from '../../../src/dialects/ai-sdk/index.ts'
import { aiSdkLosses } from '../../../src/dialects/ai-sdk/to/coverage.ts'
import { losses } from '../../../src/dialects/ai-sdk/to/losses.ts'
import { type ContextAnyEvent, decodeEvent, isTerminalStatus } from '../../../src/index.ts'
import { withForeignFields } from '../../support/foreign-fields.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import {
  errorsOf,
  expectCoverageLaw,
  expectReaderLaw,
  expectSentences,
  expectTotal,
  expectWriterLaw,
  isUnseen,
  resultsOf,
  withUnknownFields,
} from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { chunkStreams } from './chunk-streams.ts'
import { eventStreams } from './event-streams.ts'
import { shapedChunks } from './shaped-chunks.ts'

/** The numbering of parts, and what reaches the events in another form. */
function isStructure(path: string, _value: unknown, chunk: UiMessageChunk): boolean {
  if (path === '/type' || path === '/dynamic' || path === '/transient' || path === '/preliminary') return true
  if (chunk.type.startsWith('reasoning') && path === '/id') return true
  if (path === '/url' || path === '/approved' || path === '/providerExecuted' || path === '/inputEncoding')
    return true
  if (path === '/approvalId' || path === '/finishReason') return true
  // Pieces of JSON, which the complete input repeats.
  if (path === '/inputTextDelta' || (chunk.type === 'tool-output-available' && chunk.preliminary === true))
    return true
  // The request to approve a call has its input as text.
  if (chunk.type === 'tool-input-available' && chunk.toolName === 'pay' && `${path}/`.startsWith('/input/'))
    return true
  return path.startsWith('/citations/') && /\/(type|sourceType)$/.test(path)
}

/** Sees everything. */
const operator = { audience: 'operator' } as const

const reader = () => fromUiMessageStream({ now: () => 0, showErrors: true, contextId: 'c' }) as never
const writer = () => toUiMessageStream() as never

test('the reader loses nothing of a legal stream', () =>
  expectReaderLaw<UiMessageChunk>({ machine: reader, streams: chunkStreams, isStructure }))

test('the reader loses no field that the protocol does not know', () =>
  expectReaderLaw<UiMessageChunk>({
    machine: reader,
    streams: withForeignFields(chunkStreams),
    isStructure,
    isLegal: false,
  }))

test('the reader takes any value', () => expectTotal<UiMessageChunk>(reader, chunkStreams))

test('the reader takes chunks in any order, with any value in their open fields', () => {
  fc.assert(
    fc.property(shapedChunks, (chunks) => {
      const results = resultsOf<unknown, UiMessageChunk, ContextAnyEvent, never>(reader(), chunks)
      expectSentences(results)
      expect(
        results.flatMap(({ out }) => out).filter((event) => decodeEvent(event).status !== 'known'),
      ).toEqual([])
    }),
    { numRuns: runs(1000) },
  )
})

test.each(['text', 'reasoning'])('the reader reports metadata of a %s that is no object', (type) => {
  const chunks = [
    { type: `${type}-start`, id: 'a', providerMetadata: { openai: { x: 1 } } },
    { type: `${type}-end`, id: 'a', providerMetadata: { openai: null } },
  ]
  const { out = [], diagnostics } =
    resultsOf<unknown, never, never, never>(reader(), chunks as never)[1] ?? {}
  expect(out).toMatchObject([{ metadata: { aiSdk: { providerMetadata: { openai: { x: 1 } } } } }])
  expect(diagnostics).toMatchObject([{ code: 'lossy:providerMetadata' }])
})

test.each(['text', 'reasoning'])('the reader reports metadata that the end of a %s cannot have', (type) => {
  const providerMetadata = { turnstream: { metadata: { usage: 7, redacted: 7 } } }
  const chunks = [
    { type: `${type}-start`, id: 'a', providerMetadata: { turnstream: {} } },
    { type: `${type}-end`, id: 'a', providerMetadata },
  ]
  const { out, diagnostics } = resultsOf<unknown, never, never, never>(reader(), chunks as never)[1] ?? {}
  expect(out).toHaveLength(1)
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: 'lossy:providerMetadata', detail: { usage: 7, redacted: 7 } }),
  )
})

test('the writer takes any value', () => expectTotal(writer, legalStreams({ revisions: true })))

test.each([5, 6, 7] as const)('the writer loses what it declares, in version %i', (version) =>
  expectCoverageLaw({
    machine: () => toUiMessageStream({ version, viewer: operator }) as never,
    coverage: aiSdkCoverage,
    losses: aiSdkLosses,
    streams: withUnknownFields(eventStreams()),
  }),
)

/** What reaches chunks in another form: kinds, places among the deltas, joined texts, and defaults. */
function isForm(path: string, value: unknown, event: ContextAnyEvent): boolean {
  const { kind, parentTaskId } = event
  const [, field = '', key] = path.split('/')
  if (isUnseen(losses, path, event)) return true
  if (['kind', 'contextId', 'timestamp', 'index', 'status', 'success'].includes(field)) return true
  if (kind === 'content-complete' || kind === 'thought-stream') {
    if (field === 'content') return true
  }
  // A text that was streamed in pieces; another one is reported.
  if (kind === 'task-complete' && field === 'content') return true
  // The pieces of a file are sent as one.
  if (kind === 'file-write' && ['data', 'encoding', 'complete'].includes(field)) return true
  if (kind === 'input-required') return field === 'inputType' || key === 'toolCall'
  if (path === '/initiator') return value === (parentTaskId === undefined ? 'user' : 'agent')
  // The answer about a call is whether it is approved.
  if (path === '/outcome') return value === 'answered' || value === 'declined'
  if (path === '/transient') return value === false
  // Empty metadata adds nothing.
  return path === '/rows' || path === '/metadata'
}

test.each([5, 6, 7] as const)('the writer loses nothing silently, in version %i', (version) =>
  expectWriterLaw({
    machine: () => toUiMessageStream({ version, viewer: operator }) as never,
    streams: withUnknownFields(eventStreams()),
    isStructure: isForm,
  }),
)

test.each([5, 6, 7] as const)(
  'the writer begins a message again after each finish, in version %i',
  (version) => {
    fc.assert(
      fc.property(eventStreams({ ended: false }), fc.nat(), (events, cut) => {
        const machine = toUiMessageStream({ version, viewer: operator })
        const steps = resultsOf(machine as never, events.slice(0, 1 + (cut % events.length)))
        const types = steps.flatMap(({ out }) => (out as UiMessageChunk[]).map(({ type }) => type))
        const after = types.flatMap((type, at) => (type === 'finish' ? (types[at + 1] ?? 'start') : []))
        expect(after.filter((type) => type !== 'start')).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  },
)

describe.each([5, 6, 7] as const)('events → chunks → events, in version %i', (version) => {
  const there = (events: readonly ContextAnyEvent[], extension: boolean) =>
    resultsOf(
      toUiMessageStream({ version, extension, viewer: operator, tools: ['search'] }) as never,
      events,
      { unfinished: 'keep' } as never,
    ).flatMap(({ out }) => JSON.parse(JSON.stringify(out)) as UiMessageChunk[])
  const back = (chunks: readonly UiMessageChunk[], extension: boolean) =>
    resultsOf(
      fromUiMessageStream({ now: () => 0, showErrors: true, extension }) as never,
      chunks as never[],
    ).flatMap(({ out }) => out as ContextAnyEvent[])

  it('with the extension, restores every event', () => {
    fc.assert(
      fc.property(eventStreams({ ended: false }), (events) => {
        expect(back(there(events, true), true)).toEqual(JSON.parse(JSON.stringify(events)))
      }),
      { numRuns: runs(100) },
    )
  })

  it('with the extension on one side, reads the chunks', () => {
    fc.assert(
      fc.property(eventStreams(), (events) => {
        expect(back(there(events, true), false)).toEqual(back(there(events, false), false))
      }),
      { numRuns: runs(60) },
    )
  })

  it('without it, gives a legal stream', () => {
    fc.assert(
      fc.property(eventStreams(), (events) => {
        expect(errorsOf(back(there(events, false), false))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('without it, restores every event that is not dropped, up to the declared losses', () => {
    fc.assert(
      fc.property(eventStreams({ subtasks: false }), (events) => {
        const machine = toUiMessageStream({ version, viewer: operator })
        const steps = resultsOf(machine as never, events, { unfinished: 'keep' } as never)
        const chunks = steps.flatMap(({ out }) => JSON.parse(JSON.stringify(out)) as UiMessageChunk[])
        const restored = back(chunks, false).map(withFirstId).map(keptFields)
        for (const [i, event] of events.entries()) {
          const isDropped = steps[i]?.diagnostics.some(({ code }) => code.startsWith('dropped:'))
          // A status between others, and chunks of a file that is sent whole, have no chunk of their own.
          if (isDropped || isImplied(event)) continue
          const kept = keptFields(JSON.parse(JSON.stringify(event)) as ContextAnyEvent)
          const found = restored.some((other) => isDeepStrictEqual(other, kept))
          if (!found) expect({ kept, restored }).toBe('restored')
        }
      }),
      { numRuns: runs(200), examples: ['', '{"a'].map((text) => [callAgain(text)]) },
    )
  })
})

/** A call whose response is discarded, and comes again with its id. */
function callAgain(text: string): ContextAnyEvent[] {
  const at = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00.003Z' }
  const piece = {
    ...at,
    kind: 'tool-arguments-delta',
    toolCallId: 'call-1',
    toolName: 'search',
    iteration: 0,
  }
  return [
    { ...at, kind: 'task-created', initiator: 'agent' },
    { ...piece, delta: text, index: 0 },
    { ...at, kind: 'iteration-reset', iteration: 0 },
    { ...piece, delta: '{', index: 0 },
    { ...at, kind: 'task-complete' },
  ] as ContextAnyEvent[]
}

/** The event with the first id of its call or thought: one that was refused or discarded, and comes again, gets another. */
function withFirstId(event: ContextAnyEvent): ContextAnyEvent {
  const entries = Object.entries(event).map(([name, value]) =>
    /^(?:toolCall|thought)Id$/.test(name) ? [name, String(value).replace(/#\d+$/, '')] : [name, value],
  )
  return Object.fromEntries(entries) as ContextAnyEvent
}

/** Whether an event is known from others: a status, an incomplete artifact, or a revision that sends texts again. */
function isImplied(event: ContextAnyEvent): boolean {
  if (event.kind === 'task-status') return !isTerminalStatus(event.status)
  // A call that is cut off before its arguments has none.
  if (event.kind === 'tool-arguments-delta') return event.delta === ''
  if (event.kind === 'content-replace') return true
  if (event.kind === 'file-write' || event.kind === 'dataset-write') return true
  return event.kind === 'artifact-delta'
}

/** What only events of subtasks lose. */
const ofSubtasks = ['content-complete.finishReason', 'content-complete.metadata', 'task-complete.artifacts']

/** The fields of an event that are not declared as lost. */
function keptFields(event: ContextAnyEvent): unknown {
  const lost = [
    ...aiSdkLosses[event.kind].filter((field) => !ofSubtasks.includes(`${event.kind}.${field}`)),
    'taskId',
    'contextId',
    'timestamp',
    'path',
    'parentTaskId',
  ]
  const isLost = (name: string): boolean => lost.includes(name)
  const { metadata = {}, ...rest } = event as { metadata?: object }
  const entries = Object.entries(metadata).filter(
    ([key]) => !isLost(`metadata.${key}`) && !isLost('metadata.*'),
  )
  const fields = Object.entries(rest).filter(([name]) => !isLost(name))
  const isEmpty = entries.length === 0 || isLost('metadata')
  return { ...Object.fromEntries(fields), ...(!isEmpty && { metadata: Object.fromEntries(entries) }) }
}
