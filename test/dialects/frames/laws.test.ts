// The laws of mappers: the reader loses nothing silently, the writer loses what it declares.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Machine } from '../../../src/core/machine.ts'
import {
  type AnyFrame,
  type FrameV1,
  type FrameV2,
  framesCoverage,
  fromFrames,
  toFrames,
} from '../../../src/dialects/frames/index.ts'
import { framesLosses } from '../../../src/dialects/frames/to/coverage.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { closeDangling, emptyView, foldEvents, type View } from '../../../src/streams/index.ts'
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
import { legalEvents, legalLog, legalLogV2, mutated } from './logs.ts'

/** The numbering and identity of the frame itself, and nullable fields without a value. */
function isStructure(path: string, value: unknown): boolean {
  return ['/id', '/seq', '/type', '/timestamp_ms'].includes(path) || (value === null && /^\/\w+$/.test(path))
}

/** The reader, whose host closes what never ended. */
function closing(
  machine: Machine<unknown, AnyFrame, ContextAnyEvent>,
): Machine<unknown, AnyFrame, ContextAnyEvent> {
  return {
    initial: [machine.initial, emptyView],
    step(state, frame) {
      const [inner, view] = state as [unknown, View]
      const step = machine.step(inner, frame)
      return { ...step, state: [step.state, foldEvents(view, step.out)] }
    },
    end(state) {
      const [inner, view] = state as [unknown, View]
      const step = machine.end(inner)
      const left = closeDangling(foldEvents(view, step.out), {
        reason: 'The log ended.',
        at: '9999-12-31T23:59:59.999Z',
      })
      return { ...step, out: [...step.out, ...left] }
    },
  }
}

const newId = (): string => 'id'

describe.each([
  ['v1', legalLog],
  ['v2', legalLogV2],
] as const)('version %s', (version, logs) => {
  const writer = () => toFrames({ version, sessionId: 'S', newId }) as never
  const reader = () => closing(fromFrames({ contextId: 'c' }) as never)

  test('the reader loses nothing of a legal log', () =>
    expectReaderLaw<AnyFrame>({ machine: reader, streams: logs, isStructure }))

  test('the reader loses no field that the protocol does not know', () =>
    expectReaderLaw<AnyFrame>({
      machine: reader,
      streams: withForeignFields(logs),
      isStructure,
      isLegal: false,
    }))

  test('the reader loses nothing of a log with missing, repeated, late and damaged frames', () =>
    expectReaderLaw<AnyFrame>({
      machine: () => closing(fromFrames() as never),
      streams: mutated(logs),
      isStructure,
    }))

  test('a background tool may outlive its session', () => {
    const isOfTool = (frame: AnyFrame): boolean => String(frame.id).startsWith('k')
    fc.assert(
      fc.property(logs, (log) => {
        // The session starts the tool and ends at once.
        const late = [
          ...log.filter((frame) => isOfTool(frame) && frame.seq === 0),
          ...log.filter((frame) => !isOfTool(frame)),
          ...log.filter((frame) => isOfTool(frame) && frame.seq !== 0),
        ]
        const inOrder = late.map((frame, i) => ({ ...frame, timestamp_ms: i }))
        const events = resultsOf(reader(), inOrder).flatMap(({ out }) => out)
        expect(errorsOf(events)).toEqual([])
        expect(events.filter((event) => event.parentTaskId !== undefined)).toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })

  test('the reader takes any value', () => expectTotal<AnyFrame>(reader, logs))

  test('the writer takes any value', () => expectTotal(writer, legalEvents))

  test('a tool without a duration has the time between its frames', () => {
    fc.assert(
      fc.property(legalStreams(), (events) => {
        const results = resultsOf(toFrames({ version, sessionId: 'S', newId }), events)
        const started = new Map<string, number>()
        for (const { out, diagnostics } of results) {
          for (const frame of out as (FrameV1 | FrameV2)[]) {
            if (frame.type === 'tool_started') started.set(frame.tool_id, frame.timestamp_ms)
            if (frame.type !== 'tool_ended') continue
            if (!diagnostics.some(({ code }) => code === 'inferred:duration_ms')) continue
            const elapsed = frame.timestamp_ms - (started.get(frame.tool_id) ?? Number.NaN)
            expect(frame.duration_ms).toBe(elapsed)
          }
        }
      }),
      { numRuns: runs(200) },
    )
  })

  test('the writer loses what it declares', () =>
    expectCoverageLaw({
      machine: writer,
      coverage: framesCoverage,
      losses: framesLosses,
      streams: withUnknownFields(legalStreams()),
    }))
})
