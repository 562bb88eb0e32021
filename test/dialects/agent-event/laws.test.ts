// Proves that reading loses nothing silently, and that writing loses what the table of losses declares.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import {
  type AgentEvent,
  agentEventCoverage,
  fromAgentEvents,
  toAgentEvents,
} from '../../../src/dialects/agent-event/index.ts'
import { agentEventLosses } from '../../../src/dialects/agent-event/to/coverage.ts'
import { type ContextAnyEvent, type Diagnostic, decodeEvent } from '../../../src/index.ts'
import { withForeignFields } from '../../support/foreign-fields.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import {
  errorsOf,
  expectCoverageLaw,
  expectReaderLaw,
  expectTotal,
  resultsOf,
  withUnknownFields,
} from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { clockAndIds, legalStream, through } from './support.ts'
import { hasNoNestedCalls, type LaterEvent, laterStream, mutated, snapshotsOf } from './versions.ts'

type Reader = Machine<unknown, AgentEvent | LaterEvent, ContextAnyEvent, never>
const reader = (): Reader => fromAgentEvents({ ...clockAndIds, showErrors: true }) as unknown as Reader

/** Ids, positions and flags that reach the output in another form. */
const isStructure = (path: string, value: unknown): boolean =>
  ['/type', '/seq', '/at', '/isError', '/toolName', '/callId', '/toolCallId'].includes(path) ||
  (path === '/data/subtype' && value === 'tool_progress') ||
  // Merged with the metadata of other fields.
  (path === '/data/metadata' && JSON.stringify(value) === '{}') ||
  // Text that is parsed, or the texts of the format that stand for it.
  value === ''

const protocols: Record<string, fc.Arbitrary<readonly (AgentEvent | LaterEvent)[]>> = {
  'the document': legalStream(false),
  'the document, with ids': legalStream(true),
  'version 2': laterStream(2),
  'version 3': laterStream(3),
}

describe.each(Object.entries(protocols))('%s', (_name, streams) => {
  test('reader law, over valid streams', () => {
    expectReaderLaw({ machine: reader, streams, isStructure })
  })
  test('reader law, over mutated streams', () => {
    expectReaderLaw({ machine: reader, streams: mutated(streams), isStructure })
  })
  test('reader law, over streams with foreign fields', () => {
    expectReaderLaw({ machine: reader, streams: withForeignFields(streams), isStructure, isLegal: false })
  })
  test('no JSON value throws', () => expectTotal(reader, streams))
  test('a valid stream is read without a loss', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const { out, codes } = through(reader(), events)
        const allowed = ['lossy:toolArgs', 'inferred:tool_result', 'dropped:heartbeat', 'dropped:connected']
        expect(codes.filter((code) => !allowed.includes(code))).toEqual([])
        expect(errorsOf(out)).toEqual([])
        for (const event of out) expect(decodeEvent(event).status).toBe('known')
      }),
      { numRuns: runs(200) },
    )
  })
  test('a stream that is cut off ends its task, with a diagnostic', () => {
    fc.assert(
      fc.property(streams, fc.nat(), (events, at) => {
        const cut = events.slice(0, at % events.length)
        const { out, codes } = through(reader(), cut)
        expect(errorsOf(out)).toEqual([])
        expect(codes.includes('gap')).toBe(out.length > 0)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('version 2', () => {
  const viewOf = (events: readonly LaterEvent[]) => through(reader(), events)

  test('events that are sent again change nothing', () => {
    fc.assert(
      fc.property(laterStream(2), fc.nat(), fc.nat(), (stream, first, second) => {
        const events = stream.filter((event) => 'seq' in event)
        const from = first % events.length
        const to = from + (second % (events.length - from))
        const again = [...events.slice(0, to + 1), ...events.slice(from)]
        const repeated = viewOf(again)
        expect(repeated.out).toEqual(viewOf(events).out)
        const dropped = repeated.diagnostics.filter(({ detail }) =>
          ['repeated', 'after-end'].includes((detail as { reason?: string })?.reason ?? ''),
        )
        expect(dropped).toHaveLength(to + 1 - from)
      }),
      { numRuns: runs(200) },
    )
  })
  test('a stream that is joined late is reported as a gap', () => {
    fc.assert(
      fc.property(laterStream(2), fc.nat(), (events, at) => {
        const sequenced = events.filter((event) => 'seq' in event)
        const late = sequenced.slice(1 + (at % sequenced.length))
        if (late.length > 0) expect(viewOf(late).codes).toContain('gap')
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('snapshots of version 3', () => {
  /** What people see: the text, the thoughts, the calls with their results, and the end. */
  const summaryOf = (events: readonly LaterEvent[]) => {
    const { out, codes } = through(reader(), events)
    expect(codes.filter((code) => code !== 'inferred:tool_result')).toEqual([])
    expect(errorsOf(out)).toEqual([])
    const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
    const of = <K extends ContextAnyEvent['kind']>(kind: K) =>
      out.filter((event): event is ContextAnyEvent & { kind: K } => event.kind === kind)
    return {
      text: of('content-delta')
        .map(({ delta }) => delta)
        .join(''),
      thoughts: of('thought-stream')
        .map(({ content }) => content)
        .join(''),
      calls: of('tool-start').map(({ toolCallId, toolName, arguments: args }) => ({
        toolCallId,
        toolName,
        args,
      })),
      progress: of('tool-progress').map(({ toolCallId, metadata }) => ({ toolCallId, data: metadata?.data })),
      results: of('tool-complete').map(({ toolCallId, success, result, error }) => ({
        toolCallId,
        success,
        outcome: success ? asText(result) : error,
      })),
      custom: of('custom')
        .filter(({ name }) => name === 'langvis.hook')
        .map(({ data }) => data),
      end: of('task-status').at(-1)?.status,
    }
  }
  const isTold = ({ type }: LaterEvent): boolean => type !== 'loop_usage'
  const streams = laterStream(3)
    .map((events) => events.filter(isTold))
    .filter(hasNoNestedCalls)

  test('give the same as the events, whichever of them arrive, and how often', () => {
    fc.assert(
      fc.property(streams, fc.infiniteStream(fc.nat(2)), (events, choices) => {
        const frames = snapshotsOf(events)
        // The message of a failure replaces the text in the last snapshot.
        const needed = events.at(-1)?.type === 'final' ? 1 : 2
        const received = frames.flatMap((frame, i) => {
          const isLast = i === frames.length - 1
          const copies = isLast
            ? 1
            : Math.max(choices.next().value as number, i >= frames.length - needed ? 1 : 0)
          return Array.from({ length: copies }, () => frame)
        })
        expect(summaryOf(received)).toEqual(summaryOf(events))
      }),
      { numRuns: runs(300) },
    )
  })
  test('reader law', () => {
    expectReaderLaw({
      machine: reader,
      streams: streams.map(snapshotsOf),
      isStructure: (path, value) =>
        isStructure(path, value) ||
        // A list that is still empty.
        (/^\/(?:steps|hooks)$/.test(path) && typeof value === 'object') ||
        /\/(?:status|startedAt|completedAt)$|^\/(?:audio|awaitingInput|messageId)/.test(path) ||
        // Texts in pieces, and a repeated error: the law above compares them.
        /\/(?:observation|thought)$|^\/content$/.test(path),
    })
  })
  test('no JSON value throws', () => expectTotal(reader, mutated(streams.map(snapshotsOf))))
})

describe('writing', () => {
  const operator = { audience: 'operator' } as const
  type Writer = Machine<unknown, ContextAnyEvent, AgentEvent, never>
  const writer = (toolCallIds: boolean): Writer =>
    toAgentEvents({ toolCallIds, viewer: operator }) as unknown as Writer

  test.each([true, false])('coverage law (ids: %s)', (withIds) => {
    expectCoverageLaw({
      machine: () => writer(withIds),
      coverage: agentEventCoverage,
      losses: agentEventLosses,
    })
  })
  test('no JSON value throws', () => expectTotal(() => writer(false), legalStreams({ subtasks: false })))

  /** The fields of an event that reading back does not preserve and that are not ids, times or positions. */
  const differences = (before: Record<string, unknown>, after: Record<string, unknown>): string[] => {
    const ignored = ['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'timestampEnd', 'thoughtId']
    const positions = ['index', 'indexEnd', 'toolCallId']
    const lost: string[] = []
    for (const [field, value] of Object.entries(before)) {
      if ([...ignored, ...positions].includes(field)) continue
      const other = after[field]
      if (field !== 'metadata') {
        if (JSON.stringify(other) !== JSON.stringify(value)) lost.push(`/${field}`)
        continue
      }
      for (const [key, inner] of Object.entries(value as object)) {
        const kept = (other as Record<string, unknown> | undefined)?.[key]
        if (JSON.stringify(kept) !== JSON.stringify(inner))
          lost.push(`/metadata/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      }
    }
    return lost.sort()
  }

  /** The paths of the losses that were reported, with `/metadata` as its keys. */
  const reportedPaths = (event: ContextAnyEvent, diagnostics: readonly Diagnostic[]): string[] =>
    diagnostics
      .filter(({ code }) => code.startsWith('lossy:') && !['lossy:index', 'lossy:toolCallId'].includes(code))
      .flatMap(({ path = '' }) =>
        path === '/metadata'
          ? Object.keys((event as { metadata?: object }).metadata ?? {}).map(
              (key) => `/metadata/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
            )
          : [path],
      )
      .sort()

  /** Kinds of which an event maps to one event and back, whatever surrounds it. */
  const single = ['thought-stream', 'tool-start', 'tool-progress', 'tool-complete']

  test('what is reported is exactly what differs on reading back', () => {
    fc.assert(
      fc.property(withUnknownFields(legalStreams({ subtasks: false })), (events) => {
        const machine = writer(true)
        const results = resultsOf(machine, events)
        const back = through(
          reader(),
          results.flatMap(({ out }) => out),
        ).out
        for (const kind of single) {
          const sent = events.flatMap((event, i) => {
            const { out = [], diagnostics = [] } = results[i] ?? {}
            return event.kind === kind && out.length > 0 ? [{ event, diagnostics }] : []
          })
          const read = back.filter(
            (event) =>
              event.kind === kind && !('error' in event && String(event.error).startsWith('No result at')),
          )
          expect(read).toHaveLength(sent.length)
          for (const [i, { event, diagnostics }] of sent.entries()) {
            const context = { event, back: read[i] }
            expect({ ...context, lost: reportedPaths(event, diagnostics) }).toEqual({
              ...context,
              lost: differences({ ...event }, { ...read[i] }),
            })
          }
        }
      }),
      { numRuns: runs(300) },
    )
  })
})
