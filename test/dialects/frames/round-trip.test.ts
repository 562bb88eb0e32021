// Legal logs survive mapping to legal events and back; legal events survive mapping to legal logs and
// back, except for the declared losses.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AnyFrame,
  encodeFrame,
  type FrameV1,
  frameVerifier,
  fromFrames,
  toFrames,
  upgradeFrame,
} from '../../../src/dialects/frames/index.ts'
import { toPointer } from '../../../src/encoding/pointer.ts'
import { type ContextAnyEvent, type Diagnostic, run } from '../../../src/index.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { errorsOf, type Result, resultsOf, withUnknownFields } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { legalEvents, legalLog } from './logs.ts'

/** Fields that are reported once per task, or by precision. */
const COMMON = ['/contextId', '/taskId', '/parentTaskId', '/path', '/timestamp']

function toEvents(frames: readonly AnyFrame[]) {
  const diagnostics: Diagnostic[] = []
  const { push, end } = run(fromFrames({ contextId: 'c' }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  return { events: [...frames.flatMap((frame) => [...push(frame)]), ...end()], diagnostics }
}

function toLog(events: readonly ContextAnyEvent[], version: 'v1' | 'v2', sessionId: string) {
  const diagnostics: Diagnostic[] = []
  let ids = 0
  const machine = toFrames({ version, sessionId, newId: () => `f${ids++}` })
  const { push, end } = run(machine, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  return { frames: [...events.flatMap((event) => [...push(event)]), ...end()] as AnyFrame[], diagnostics }
}

function violationsOf(frames: readonly AnyFrame[], version: 'v1' | 'v2') {
  const { push, end } = run(frameVerifier({ version }))
  return [...frames.flatMap((frame) => [...push(frame)]), ...end()]
}

function expectLegal(events: readonly ContextAnyEvent[]): void {
  // The tasks of streams without an end stay open.
  const errors = errorsOf(events) as { rule: string }[]
  expect(errors.filter(({ rule }) => rule !== 'task-ends')).toEqual([])
}

describe('frames → events → frames', () => {
  it('maps a legal log to legal events', () => {
    fc.assert(
      fc.property(legalLog, (log) => {
        expect(violationsOf(log, 'v1')).toEqual([])
        const { events, diagnostics } = toEvents(log)
        expectLegal(events)
        expect(diagnostics).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it.each(['v1', 'v2'] as const)('restores the log in version %s, except for frame ids', (version) => {
    fc.assert(
      fc.property(legalLog, (log) => {
        // An unknown type does not determine the kind of its stream.
        const kinds: Record<string, string> = { s: 'session', k: 'task', c: 'continuity' }
        const kindOf = (frame: AnyFrame): string =>
          kinds[String((frame as FrameV1).session_id).charAt(0)] ?? ''
        const frames =
          version === 'v1' ? log : log.map((frame) => upgradeFrame({ ...frame, stream_kind: kindOf(frame) }))
        const first = log.find(({ type }) => type === 'session_started') as { session_id: string }
        const { frames: back, diagnostics } = toLog(toEvents(frames).events, version, first.session_id)
        const withoutId = (frame: AnyFrame): string => encodeFrame({ ...frame, id: 'x' } as AnyFrame)
        expect(back.map(withoutId)).toEqual(frames.map(withoutId))
        const codes = new Set(diagnostics.map(({ code }) => code))
        // Frames have no equivalent for these; fromFrames infers them again.
        for (const code of ['lossy:contextId', 'dropped:task-status']) codes.delete(code)
        expect([...codes]).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })
})

/** The fields of an event, and the keys of its metadata one by one, by path; without its context. */
function fieldsOf(event: ContextAnyEvent): Map<string, unknown> {
  const { kind, contextId, taskId, parentTaskId, path, timestamp, ...rest } = event
  const fields = Object.entries(rest).flatMap(([field, value]): [string, unknown][] =>
    field !== 'metadata'
      ? [[`/${field}`, value]]
      : Object.entries(value as object).map(([key, inner]) => [toPointer(['metadata', key]), inner]),
  )
  return new Map(fields)
}

/** Streams whose task, or some of whose texts, lack their first event. */
function withoutBeginnings(
  streams: fc.Arbitrary<readonly ContextAnyEvent[]>,
): fc.Arbitrary<readonly ContextAnyEvent[]> {
  return fc.tuple(streams, fc.infiniteStream(fc.nat(3))).map(([events, picks]) =>
    events.filter((event) => {
      const isFirst = event.kind === 'task-created' || (event.kind === 'content-delta' && event.index === 0)
      return !isFirst || picks.next().value !== 0
    }),
  )
}

describe('events → frames → events', () => {
  it.each(['v1', 'v2'] as const)('maps legal events to a legal log in version %s', (version) => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        expectLegal(events)
        expect(violationsOf(toLog(events, version, 'a').frames, version)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it.each(['v1', 'v2'] as const)(
    'reports exactly the fields that differ on reading back, in version %s',
    (version) => {
      const streams = withUnknownFields(legalStreams({ subtasks: false }))
      fc.assert(
        fc.property(fc.oneof(streams, withoutBeginnings(streams)), (events) => {
          const taskId = 'session:a'
          const machine = toFrames({ version, sessionId: 'a', newId: () => 'x' })
          const reader = fromFrames({ contextId: 'c' })
          const written = resultsOf(
            machine as never,
            events.map((event) => ({ ...event, contextId: 'c', taskId })) as never,
          )
          const { push, end } = run(reader)
          const read: (string | undefined)[] = []
          const completed: string[] = []
          const store = (back: readonly ContextAnyEvent[]): void => {
            for (const event of back) if (event.kind === 'content-complete') read.push(event.content)
          }
          for (const [i, event] of events.entries()) {
            const { out, diagnostics } = written[i] as Result<AnyFrame>
            const back = out.flatMap((frame) => push(frame))
            store(back)
            if (diagnostics.some(({ code }) => code.startsWith('dropped:'))) continue
            // What waits for its whole is read with it.
            if (event.kind === 'content-delta' && out.length === 0) continue
            const lossy = diagnostics.filter(({ code }) => code.startsWith('lossy:'))
            const reported = lossy.map(({ path = '' }) => path).filter((path) => !COMMON.includes(path))
            const restored = back.findLast(({ kind }) => kind === event.kind)
            const after = restored === undefined ? new Map() : fieldsOf(restored)
            const isOne = reported.includes('/metadata')
            const differing = [...fieldsOf(event)]
              .filter(([path, value]) => value !== undefined && !isDeepStrictEqual(after.get(path), value))
              .map(([path]) => (isOne ? path.replace(/^\/metadata\/.*/s, '/metadata') : path))
            // Read back with a later frame, or as a delta.
            if (event.kind === 'content-complete' || event.kind === 'content-replace') {
              expect(differing).toEqual(expect.arrayContaining(reported))
              if (event.kind === 'content-complete' && !reported.includes('/content'))
                completed.push(event.content)
            } else
              expect({ event, reported: reported.sort() }).toEqual({
                event,
                reported: [...new Set(differing)].sort(),
              })
          }
          store(end())
          // A text that follows without a frame between them is read as its continuation.
          const missing = completed.filter((content) => !read.some((text) => text?.startsWith(content)))
          expect(missing).toEqual([])
        }),
        { numRuns: runs(300) },
      )
    },
  )

  it('loses no output and no text', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const { events: back } = toEvents(toLog(events, 'v1', 'a').frames)
        expect(textByTask(back)).toEqual(textByTask(events))
        expect(outputByCall(back)).toEqual(withResults(events, outputByCall(events)))
      }),
      { numRuns: runs(300) },
    )
  })
})

/** The text of each task. */
function textByTask(events: readonly ContextAnyEvent[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const event of events) {
    if (event.kind !== 'content-complete' || event.content === '') continue
    texts[event.taskId] = (texts[event.taskId] ?? '') + event.content
  }
  return texts
}

/** The output of each call, stdout and stderr apart. */
function outputByCall(events: readonly ContextAnyEvent[]): Record<string, string> {
  const outputs: Record<string, string> = {}
  for (const event of events) {
    if (event.kind !== 'tool-progress') continue
    const { chunk = '', stream } = event.metadata ?? {}
    if (chunk === '') continue
    const call = `${event.taskId} ${event.toolCallId} ${stream}`
    outputs[call] = `${outputs[call] ?? ''}${chunk}`
  }
  return outputs
}

/** The output with the results of calls that streamed none: they are written as output. */
function withResults(
  events: readonly ContextAnyEvent[],
  outputs: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = { ...outputs }
  for (const event of events) {
    if (event.kind !== 'tool-complete' || event.result === undefined || event.result === null) continue
    const { taskId, toolCallId, result } = event
    if (events.some((other) => other.kind === 'tool-progress' && other.toolCallId === toolCallId)) continue
    const text = typeof result === 'string' ? result : JSON.stringify(result)
    if (text !== '') all[`${taskId} ${toolCallId} stdout`] = text
  }
  return all
}
