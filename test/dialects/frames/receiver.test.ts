// Each frame is received once and in order, however often the host attaches to the streams.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type AnyFrame, frameReceiver, fromFrames, upgradeFrame } from '../../../src/dialects/frames/index.ts'
import type { FrameReceiverOptions } from '../../../src/dialects/frames/wire/stream/receiver.ts'
import { type ContextAnyEvent, type Diagnostic, type Machine, pipe, run } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'
import { legalLog, legalLogV2 } from './logs.ts'

const frame = (seq: number, more: object = {}): AnyFrame => ({
  id: `f${seq}`,
  session_id: 's',
  timestamp_ms: seq,
  seq,
  type: 'output_text_delta',
  delta: `${seq}`,
  ...more,
})

function receive(frames: readonly unknown[], options?: FrameReceiverOptions) {
  const diagnostics: Diagnostic[] = []
  const { push } = run(frameReceiver(options), { onDiagnostic: (each) => diagnostics.push(each) })
  const seqs = frames.flatMap((each) => push(each as AnyFrame)).map(({ seq }) => seq as number)
  const reasons = diagnostics.map(({ code, detail }) =>
    code.startsWith('dropped:') ? (detail as { reason: string }).reason : code,
  )
  return { seqs, reasons, diagnostics }
}

const frames = (...seqs: readonly number[]): AnyFrame[] => seqs.map((seq) => frame(seq))

describe('frameReceiver', () => {
  test.each<[why: string, seqs: number[], received: number[], reasons: string[]]>([
    ['passes on what is next', [0, 1, 2], [0, 1, 2], []],
    ['drops what is repeated', [0, 1, 1, 0, 2], [0, 1, 2], ['repeated', 'repeated']],
    ['waits for what is missing', [0, 2, 3, 1, 2, 3], [0, 1, 2, 3], ['gap', 'waiting', 'waiting']],
    ['waits for the beginning', [2, 0, 1, 2], [0, 1, 2], ['gap', 'waiting']],
    ['reports each gap', [0, 2, 0, 1, 3], [0, 1], ['gap', 'waiting', 'repeated', 'gap', 'waiting']],
  ])('%s', (_, seqs, received, reasons) => {
    const result = receive(frames(...seqs))
    expect(result.seqs).toEqual(received)
    expect(result.reasons).toEqual(reasons)
  })

  test.each<[why: string, seqs: number[], received: number[], reasons: string[]]>([
    ['passes on what follows a gap', [0, 2, 3], [0, 2, 3], ['gap']],
    ['begins late', [5, 6], [5, 6], ['gap']],
    ['drops what comes late', [0, 2, 1, 2, 0], [0, 2], ['gap', 'out-of-order', 'out-of-order', 'repeated']],
  ])('with gaps: skip, %s', (_, seqs, received, reasons) => {
    const result = receive(frames(...seqs), { gaps: 'skip' })
    expect(result.seqs).toEqual(received)
    expect(result.reasons).toEqual(reasons)
  })

  it('names the stream, the expected and the actual seq of a gap', () => {
    const { diagnostics } = receive(frames(0, 3))
    expect(diagnostics[0]).toMatchObject({
      code: 'gap',
      path: '/seq',
      detail: { stream: 's', expected: 1, actual: 3 },
    })
  })

  it.each<[why: string, frames: AnyFrame[], reasons: string[]]>([
    ['another text', [frame(3), frame(3, { delta: 'other' })], ['conflict']],
    ['another type', [frame(3), frame(3, { type: 'unheard_of' })], ['conflict']],
    ['an unknown field more', [frame(3), frame(3, { more: 1 })], ['conflict']],
    [
      'a log that starts over, long after',
      [...frames(...Array(200).keys()).slice(3), frame(0, { delta: 'other' })],
      ['conflict'],
    ],
    [
      'an order of its own',
      [frame(3), Object.fromEntries(Object.entries(frame(3)).reverse()) as AnyFrame],
      ['repeated'],
    ],
    ['another envelope', [frame(3), upgradeFrame(frame(3, { id: 'x', timestamp_ms: 9 }))], ['repeated']],
    ['a nullable field', [frame(3), frame(3, { extra: null })], ['repeated']],
    ['a field without a value', [frame(3), frame(3, { extra: undefined })], ['repeated']],
  ])('compares a repeated frame with the one before: %s', (_, given, reasons) => {
    expect(receive([...frames(0, 1, 2), ...given]).reasons).toEqual(reasons)
    const diagnostics: Diagnostic[] = []
    const { push } = run(fromFrames(), { onDiagnostic: (each) => diagnostics.push(each) })
    for (const each of [...frames(0, 1, 2), ...given]) push(each)
    const dropped = diagnostics.filter(({ code }) => code.startsWith('dropped:'))
    expect(dropped.map(({ detail }) => (detail as { reason: string }).reason)).toEqual(reasons)
  })

  it('compares nothing with frames that are missing', () => {
    const given = frames(...Array(64).keys(), 70, 66, 6)
    expect(receive(given, { gaps: 'skip' }).reasons).toEqual(['gap', 'out-of-order', 'repeated'])
  })

  it('counts each stream by itself, also of several kinds with one id', () => {
    const of = (stream_kind: string, seq: number) => frame(seq, { stream_kind, stream_id: 's' })
    const given = [
      of('session', 0),
      of('task', 0),
      of('a:s', 0),
      of('session', 1),
      of('a:s', 1),
      of('task', 1),
    ]
    expect(receive(given)).toMatchObject({ seqs: [0, 0, 0, 1, 1, 1], reasons: [] })
  })

  it('keeps streams apart whose kind and id differ only by a colon', () => {
    const of = (stream_kind: string, stream_id: string) =>
      frame(0, { stream_kind, stream_id, delta: stream_kind })
    const given = [of('a', 'b:c'), of('a:b', 'c'), of('"a"', 'c'), of('a', 'c')]
    expect(receive(given)).toMatchObject({ seqs: [0, 0, 0, 0], reasons: [] })
    const { push } = run(fromFrames())
    const tasks = given.flatMap((each) => push(each)).map(({ taskId }) => taskId)
    expect(new Set(tasks).size).toBe(4)
  })

  it.each(['session', 'task', 'continuity', 'thread'])(
    'takes frames of version 1 to belong to the stream that has begun: %s',
    (stream_kind) => {
      const { push } = run(fromFrames())
      const first = push(frame(0, { stream_kind, type: 'made_up' }))
      const second = push(frame(1))
      const tasks = [...first, ...second].map(({ taskId }) => taskId)
      expect(new Set(tasks)).toEqual(new Set([`${stream_kind}:s`]))
    },
  )

  it('continues a stream whose runtime changes the version', () => {
    const later = upgradeFrame(frame(1))
    expect(receive([frame(0), later, upgradeFrame(frame(2)), frame(0)])).toMatchObject({
      seqs: [0, 1, 2],
      reasons: ['repeated'],
    })
  })

  it('passes on decoded frames', () => {
    const { push } = run(frameReceiver())
    expect(push(frame(0, { type: 'output', delta: undefined, content: 'x' }))).toMatchObject([
      { type: 'output_text_delta', delta: 'x' },
    ])
  })

  it('reports what is no frame, and ids that are too long to be stored', () => {
    const { seqs, diagnostics } = receive([null, frame(0, { session_id: 'x'.repeat(1025) }), frame(0)])
    expect(seqs).toEqual([0])
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['invalid-event', ''],
      ['invalid-event', '/session_id'],
    ])
  })

  it.each([
    [7, 'options'],
    [{ gap: 'skip' }, 'options'],
    [{ gaps: 'both' }, 'gaps'],
  ])('throws for the options %j', (options, name) => {
    expect(() => frameReceiver(options as never)).toThrow(`"${name}" must be `)
  })

  it('has bounded state', () => {
    const codes: string[] = []
    const { push } = run(frameReceiver(), { onDiagnostic: ({ code }) => codes.push(code) })
    for (let i = 0; i < 2049; i++) push(frame(0, { session_id: `s${i}` }))
    expect(codes).toEqual(['state-evicted'])
    expect(push(frame(0, { session_id: 's0' }))).toHaveLength(1)
  })
})

describe.each([
  ['v1', legalLog],
  ['v2', legalLogV2],
] as const)('attaching again in version %s', (_, logs) => {
  /** Connections: each sends the whole past from the first frame on, and loses some frames. */
  const connections = fc.array(
    fc.record({ length: fc.nat(40), lost: fc.array(fc.nat(40), { maxLength: 3 }) }),
    {
      maxLength: 4,
    },
  )
  const reader = () => fromFrames() as never
  const viewOf = (given: readonly AnyFrame[], machine: () => Machine<unknown, AnyFrame, ContextAnyEvent>) => {
    const codes = new Set<string>()
    const { push, end } = run(machine(), { onDiagnostic: ({ code }) => codes.add(code) })
    const events = [...given.flatMap((each) => push(each)), ...end()]
    // Streams may arrive in any order.
    const { tasks } = foldEvents(emptyView, events)
    return { view: tasks.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1)), codes }
  }
  const sent = fc.tuple(logs, connections).map(([log, cuts]) => ({
    log,
    frames: cuts.flatMap(({ length, lost }) => log.slice(0, length).filter((_, i) => !lost.includes(i))),
  }))

  it('gives the same view through a receiver, once a connection sent all', () => {
    fc.assert(
      fc.property(sent, ({ log, frames }) => {
        const received = () => pipe(frameReceiver(), reader() as never) as never
        expect(viewOf([...frames, ...log], received).view).toEqual(viewOf(log, reader).view)
      }),
      { numRuns: runs(200) },
    )
  })

  it('reports each frame that comes again with other content', () => {
    fc.assert(
      fc.property(logs, fc.nat(), (log, n) => {
        const at = n % Math.min(log.length, 32)
        const end = Math.min(log.length, 32)
        const other = { ...log[at], changed: true } as AnyFrame
        for (const machine of [frameReceiver(), reader()] as Machine<unknown, AnyFrame, unknown>[]) {
          const found: unknown[] = []
          const { push } = run(machine, { onDiagnostic: ({ detail }) => found.push(detail) })
          for (const each of log.slice(0, end)) push(each)
          found.length = 0
          push(other)
          expect(found).toEqual([{ reason: 'conflict' }])
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('gives the same view without a receiver, or reports a gap', () => {
    fc.assert(
      fc.property(sent, ({ log, frames }) => {
        const { view, codes } = viewOf([...frames, ...log], reader)
        if (!codes.has('gap')) expect(view).toEqual(viewOf(log, reader).view)
      }),
      { numRuns: runs(200) },
    )
  })
})
