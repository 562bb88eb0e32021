// The laws of mappers: the reader loses nothing silently, the writer loses what it declares.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AgUiEvent, agUiCoverage, fromAgUi, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import { agUiLosses } from '../../../src/dialects/ag-ui/to/coverage.ts'
import { losses } from '../../../src/dialects/ag-ui/to/losses.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { eventKinds } from '../../../src/events/kinds.ts'
import { isEqualJson } from '../../../src/json/value.ts'
import { damaged } from '../../support/damaged-streams.ts'
import { withForeignFields } from '../../support/foreign-fields.ts'
import { jsonValue } from '../../support/json.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import {
  expectCoverageLaw,
  expectReaderLaw,
  expectTotal,
  expectWriterLaw,
  isUnseen,
  leavesOf,
  resultsOf,
  withUnknownFields,
} from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { shapedEvents } from './shaped-events.ts'
import { agUiEvent, agUiStreams, cut } from './streams.ts'
import { closing, outputsOf, reader, writer } from './support.ts'

/** Type tags, and what reaches events in another spelling. */
function isStructure(path: string, value: unknown, event: AgUiEvent): boolean {
  const field = path.split('/')[1] ?? ''
  if (['type', 'timestamp', 'role', 'outcome', 'subtype', 'op'].includes(field)) return true
  if (event.type === 'TOOL_CALL_RESULT' && field === 'content') return true
  // Parsed as JSON, and joined.
  if (event.type.startsWith('TOOL_CALL_') && field === 'delta') return true
  // A message without text leaves nothing, and a message of ours has no id in events.
  if (
    field === 'messageId' &&
    (/_(START|END)$/.test(event.type) ||
      ('delta' in event && event.delta === '') ||
      (event.type.endsWith('_CHUNK') && !('delta' in event)) ||
      /:content:\d|:(result|progress)$/.test(String(value)))
  )
    return true
  if (path === '/metadata/complete') return true
  // A message of the run, which the events have.
  if (field === 'messages' && /\/(role|type)$/.test(path)) return true
  // The iteration of events.
  if (field === 'stepName' && String(value).startsWith('turnstream.iteration:')) return true
  // Empty metadata adds no key to the metadata of the event.
  if (path === '/metadata') return true
  return value === '' || value === 'turnstream.tool-progress'
}

/** A list or an object without members. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && leavesOf(value).every(({ path }) => path === '')
}

describe('the reader', () => {
  test('loses nothing of a legal stream', () =>
    expectReaderLaw<AgUiEvent>({ machine: () => closing(), streams: agUiStreams, isStructure }))

  test('loses no field that the protocol does not know', () =>
    expectReaderLaw<AgUiEvent>({
      machine: () => closing(),
      streams: withForeignFields(agUiStreams),
      isStructure,
      isLegal: false,
    }))

  test('loses nothing of a stream with missing, repeated and late events', () =>
    expectReaderLaw<AgUiEvent>({ machine: () => closing(), streams: damaged(agUiStreams), isStructure }))

  test('loses nothing of events in any order, with any of their fields', () =>
    expectReaderLaw<AgUiEvent>({
      machine: () => closing(),
      streams: shapedEvents,
      isStructure: (path, value, event) =>
        isStructure(path, value, event) ||
        path === '/replace' ||
        isEmpty(value) ||
        // What a text that was streamed states is what its events have stated.
        (event.type === 'MESSAGES_SNAPSHOT' &&
          /^\/messages\/\d+\/(name|encryptedValue|metadata)\b/.test(path)),
      isLegal: false,
      runs: 1000,
    }))

  test('loses nothing of a stream that ends anywhere', () =>
    expectReaderLaw<AgUiEvent>({ machine: () => closing(), streams: cut(damaged(agUiStreams)), isStructure }))

  test('completes a thought whose span another message keeps open as the stream ends', () => {
    const message = (type: string, messageId: string, more: object = {}) => ({ type, messageId, ...more })
    const events = [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      message('REASONING_START', 's'),
      message('REASONING_MESSAGE_START', 'a', { role: 'reasoning' }),
      message('REASONING_MESSAGE_CONTENT', 'a', { delta: 'open' }),
      message('REASONING_MESSAGE_START', 'b', { role: 'reasoning' }),
      message('REASONING_MESSAGE_CONTENT', 'b', { delta: 'done' }),
      message('REASONING_MESSAGE_END', 'b', { metadata: { redacted: true } }),
    ] as AgUiEvent[]
    const thoughts = outputsOf(reader(), events).filter(({ kind }) => kind === 'thought-stream')
    expect(thoughts).toMatchObject([{ thoughtId: 'b', content: 'done', metadata: { redacted: true } }])
  })

  test('ends a thought with its subagent, even if a span of the run has its id', () => {
    const events = [
      { type: 'REASONING_START', messageId: 'a' },
      { type: 'REASONING_MESSAGE_CONTENT', subagentRunId: 's', messageId: 'a', delta: 'x' },
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    ] as AgUiEvent[]
    const ofSubagent = outputsOf(reader(), events).filter(({ taskId }) => taskId === 's')
    expect(ofSubagent.slice(-2)).toMatchObject([{ kind: 'thought-stream' }, { status: 'canceled' }])
  })

  test('loses no value of metadata that another event replaces', () => {
    const metadata = fc.dictionary(fc.constantFrom('a', 'name', 'usage', 'result', 'signature'), jsonValue())
    const streams = fc
      .tuple(metadata, metadata, metadata, fc.string({ minLength: 1 }), fc.boolean())
      .map(([start, end, run, value, isText]): AgUiEvent[] => {
        const message = { messageId: 'm', role: isText ? 'assistant' : 'reasoning' }
        const type = isText ? 'TEXT_MESSAGE' : 'REASONING_MESSAGE'
        const sign = {
          type: 'REASONING_ENCRYPTED_VALUE',
          subtype: 'message',
          entityId: 's',
          encryptedValue: value,
        }
        return [
          { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
          ...(isText ? [] : [{ type: 'REASONING_START', messageId: 's', metadata: run }, sign, { ...sign }]),
          { type: `${type}_START`, ...message, metadata: start, ...(isText && { name: 'assistant' }) },
          { type: `${type}_CONTENT`, ...message, delta: 'x' },
          { type: `${type}_END`, ...message, metadata: end },
          ...(isText ? [] : [{ type: 'REASONING_END', messageId: 's', metadata: start }]),
          { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: value, metadata: run },
        ] as AgUiEvent[]
      })
    fc.assert(
      fc.property(streams, (events) => {
        const results = resultsOf(closing(), events)
        const found = results.flatMap(({ out, diagnostics }) => [
          ...out,
          ...diagnostics.map(({ detail }) => detail),
        ])
        const values = new Set(leavesOf(found).map(({ value }) => JSON.stringify(value)))
        const fields = ['metadata', 'name', 'encryptedValue', 'entityId', 'result']
        const stated = events.flatMap((event) =>
          Object.entries(event).flatMap(([field, value]) =>
            fields.includes(field) && !isEqualJson(value, {}) ? leavesOf(value) : [],
          ),
        )
        expect(stated.filter(({ value }) => !values.has(JSON.stringify(value)))).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  test('reports no loss of a patch, which events have whole', () => {
    fc.assert(
      fc.property(shapedEvents, (events) => {
        const paths = resultsOf(closing(), events).flatMap(({ diagnostics }) =>
          diagnostics.map(({ path }) => path ?? ''),
        )
        expect(paths.filter((path) => /^\/(delta|patch)\//.test(path))).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })

  test('takes any value', () => expectTotal<AgUiEvent>(() => closing(), agUiStreams))

  test('has the law of machines', () => {
    expectMachineLaw(fromAgUi({ now: () => 0 }), agUiEvent as fc.Arbitrary<AgUiEvent>)
    expectMachineLaw(fromAgUi({ now: () => 0, extension: true }), agUiEvent as fc.Arbitrary<AgUiEvent>)
  })
})

/** What reaches AG-UI in another form: kinds, places among the deltas, JSON as text, and defaults. */
function isForm(path: string, value: unknown, event: ContextAnyEvent): boolean {
  const { kind, parentTaskId } = event
  const [, field = ''] = path.split('/')
  if (isUnseen(losses, path, event)) return true
  if (['kind', 'timestamp', 'index', 'success', 'status', 'content'].includes(field)) return true
  // The step that the item is in: the round trip has it.
  if (path === '/iteration') return true
  if (kind === 'tool-start' && field === 'arguments') return true
  if (kind === 'tool-complete' && field === 'result') return true
  if (path === '/initiator') return value === (parentTaskId === undefined ? 'user' : 'agent')
  if (path === '/thoughtType') return value === 'reasoning'
  if (path === '/verbosity') return value === 'normal'
  if (path === '/change/type') return value === 'json-patch'
  // Empty metadata adds nothing.
  return path === '/metadata'
}

describe('the writer', () => {
  test('loses nothing silently', () => expectWriterLaw({ machine: () => writer(), isStructure: isForm }))

  test('loses nothing silently of a stream with missing, repeated and late events', () =>
    expectWriterLaw({
      machine: () => writer(),
      isStructure: isForm,
      streams: damaged(withUnknownFields(legalStreams())),
    }))

  test('loses what it declares', () =>
    expectCoverageLaw({
      machine: () => writer(),
      coverage: agUiCoverage,
      losses: agUiLosses,
      streams: withUnknownFields(
        fc.oneof(legalStreams({ subtasks: false }), legalStreams({ subtasks: false, focus: 'texts' })),
      ),
      runs: 400,
    }))

  describe('of a stream that ends before its task', () => {
    const event = (kind: string, second: number, fields: object = {}) =>
      ({
        kind,
        contextId: 'c',
        taskId: 't',
        timestamp: new Date(second * 1000).toISOString(),
        ...fields,
      }) as ContextAnyEvent
    const created = event('task-created', 1, { initiator: 'user' })
    const call = (id: string) => ({ toolCallId: id, toolName: 'search' })
    const start = (id: string) => event('tool-start', 2, { ...call(id), arguments: {} })
    const end = event('tool-complete', 3, { ...call('a'), success: true })
    const pending = (...ids: string[]) => ({
      out: {
        type: 'RUN_FINISHED',
        threadId: 'c',
        runId: 't',
        outcome: { type: 'success', pendingToolCallIds: ids },
      },
      codes: ['inferred:RUN_FINISHED'],
    })
    const failed = {
      out: { type: 'RUN_ERROR', message: 'The stream ended before the task did.' },
      codes: ['gap'],
    }
    const text = event('content-delta', 4, { delta: 'x', index: 0 })
    const child = { taskId: 's', parentTaskId: 't' }
    const question = { inputId: 'q', inputType: 'confirmation', prompt: 'Now?' }

    test.each([
      ['calls', [start('a'), start('b')], pending('a', 'b')],
      ['a call beside one with a result', [start('a'), start('b'), end], pending('b')],
      [
        'a call after a text',
        [text, event('content-complete', 5, { content: 'x' }), start('a')],
        pending('a'),
      ],
      ['a call and a text', [start('a'), text], failed],
      [
        'a call and a question',
        [start('a'), event('input-required', 4, question)],
        { ...failed, codes: ['gap', 'dropped:input-required'] },
      ],
      [
        'a call and a subtask',
        [start('a'), event('task-created', 4, { initiator: 'agent', ...child })],
        failed,
      ],
      ['a call of a subtask', [event('tool-start', 4, { ...call('a'), arguments: {}, ...child })], failed],
      ['no open call', [start('a'), end], failed],
      ['nothing', [], failed],
    ])('with %s', (_, events, { out, codes }) => {
      const all = [created, ...events]
      const last = resultsOf(toAgUi(), all).at(-1)
      expect(last?.out.at(-1)).toEqual({ ...out, timestamp: Date.parse(all.at(-1)?.timestamp ?? '') })
      expect(last?.diagnostics.map((each) => each.code)).toEqual(codes)
    })

    test('continues with the results of the calls', () => {
      const machine = toAgUi()
      const { state } = [created, start('a')].reduce((step, each) => machine.step(step.state, each), {
        state: machine.initial,
      } as { state: typeof machine.initial })
      const ended = machine.end(state)
      const { out } = machine.step(ended.state, end)
      expect(out.map(({ type }) => type)).toEqual(['RUN_STARTED', 'TOOL_CALL_RESULT'])
      expect(out[0]).toMatchObject({ runId: 't:run:2', parentRunId: 't' })
      expect(machine.end(ended.state).out).toEqual([])
    })
  })

  test('loses nothing with the extension', () => {
    const coverage = Object.fromEntries(eventKinds.map((kind) => [kind, 'full'])) as typeof agUiCoverage
    const losses = Object.fromEntries(eventKinds.map((kind) => [kind, []])) as unknown as typeof agUiLosses
    expectCoverageLaw({ machine: () => writer({ extension: true }), coverage, losses })
  })

  test('takes any value', () => expectTotal(() => writer(), legalStreams()))

  test('has the law of machines', () => {
    const streams = legalStreams({ maxChoices: 12 })
    const event = streams.chain((events) => fc.constantFrom(...events))
    expectMachineLaw(toAgUi(), event)
    expectMachineLaw(toAgUi({ extension: true }), event)
  })
})
