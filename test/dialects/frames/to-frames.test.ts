// Events map to the expected frames, and every loss is reported.
import { describe, expect, it, test } from 'vitest'
import { boundedGet, boundedValues, emptyBoundedMap } from '../../../src/core/bounded-map/bounded-map.ts'
import { decodeFrame, framesCoverage, toFrames } from '../../../src/dialects/frames/index.ts'
import { framesLosses } from '../../../src/dialects/frames/to/coverage.ts'
import type { ToFramesState } from '../../../src/dialects/frames/to/to-frames.ts'
import { MAX_ITEMS } from '../../../src/dialects/shared/limits.ts'
import { parsePointer } from '../../../src/encoding/pointer.ts'
import { type ContextAnyEvent, type Diagnostic, eventKinds, run } from '../../../src/index.ts'
import type { Viewer } from '../../../src/streams/index.ts'
import { casesOf } from '../../support/conformance.ts'
import { expectSentences } from '../../support/mapper-laws.ts'
import { sampleOf } from './samples.ts'

function framesOf(events: readonly unknown[], version: 'v1' | 'v2' = 'v1') {
  const diagnostics: Diagnostic[] = []
  let ids = 0
  const machine = toFrames({ version, sessionId: 'S', newId: () => `f${ids++}`, now: () => 77 })
  const { push, end } = run(machine, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const frames = [...events.flatMap((event) => [...push(event as ContextAnyEvent)]), ...end()]
  return { frames, diagnostics, codes: diagnostics.map(({ code }) => code) }
}

/** Checks that diagnostics stand alone, and that the path of a loss leads to its field. */
function expectReported(diagnostics: readonly Diagnostic[]): void {
  expectSentences([{ out: [], diagnostics }])
  for (const { code, path = '' } of diagnostics)
    if (code.startsWith('lossy:')) expect(`lossy:${parsePointer(path)?.[0]}`).toBe(code)
}

interface Expected {
  readonly frames: readonly { readonly session_id: string }[]
  readonly diagnostics: readonly string[]
}
const cases = casesOf<{ events: object[] }, Expected>('formats/frames-to')

describe.each(cases)('$name', ({ input: { events }, expected: { frames, diagnostics } }) => {
  it('maps in version 1', () => {
    const made = framesOf(events)
    expect(made.frames).toEqual(frames.map((frame, i) => ({ id: `f${i}`, ...frame })))
    expect(made.codes).toEqual(diagnostics)
    expectReported(made.diagnostics)
    for (const frame of made.frames) expect(decodeFrame(frame, { version: 'v1' }).status).not.toBe('invalid')
  })

  it('maps in version 2', () => {
    const { frames: made } = framesOf(events, 'v2')
    expect(made).toEqual(
      frames.map((frame, i) => ({
        id: `f${i}`,
        stream_kind: 'session',
        stream_id: frame.session_id,
        ...frame,
      })),
    )
  })
})

const at = { contextId: 'c', taskId: 'main', timestamp: '2026-01-31T10:30:00.000Z' }
const background = { ...at, taskId: 'task:k1' }
/** Events that lose what no fixture and no example does. */
const losing: readonly object[] = [
  sampleOf('task-created'),
  { kind: 'tool-arguments-delta', ...at, toolCallId: 't0', toolName: 'x', delta: '{', index: 0 },
  { kind: 'tool-complete', ...at, toolCallId: 't0', toolName: 'x', success: false, error: 'cut off' },
  { ...sampleOf('tool-start'), toolCallId: sampleOf('tool-progress').toolCallId },
  {
    ...sampleOf('tool-progress'),
    metadata: { chunk: '', stepsCompleted: 1, stepsTotal: 2, remainingMs: 3 },
  },
  { kind: 'content-delta', ...at, delta: 'a', index: 0 },
  { kind: 'content-replace', ...at, content: 'b', metadata: { x: 1 } },
  { kind: 'content-complete', ...at, content: 'c' },
  { kind: 'tool-start', ...at, toolCallId: 't1', toolName: 'x', arguments: {} },
  {
    kind: 'tool-complete',
    ...at,
    toolCallId: 't1',
    toolName: 'x',
    success: false,
    error: 'x',
    iteration: 0,
    metadata: { exitCode: 1 },
  },
  { kind: 'task-status', ...at, status: 'failed', metadata: { blockedBy: 'b' } },
  { kind: 'task-created', ...background, initiator: 'agent', metadata: { streamKind: 'task' } },
  { kind: 'task-complete', ...background },
]

describe('framesCoverage and framesLosses', () => {
  it('declare only fields that are lost', () => {
    const lost = new Set<string>()
    const collect = (events: readonly unknown[]): void => {
      const { push } = run(toFrames({ version: 'v2', sessionId: 'S', newId: () => 'id' }), {
        onDiagnostic: ({ code, path = '' }) => {
          if (code.startsWith('dropped:')) lost.add(`${kind} *`)
          const field = path.slice(1).replaceAll('/', '.')
          lost.add(`${kind} ${field}`)
          if (field.startsWith('metadata.')) lost.add(`${kind} metadata.*`)
          if (field.startsWith('metadata')) lost.add(`${kind} metadata`)
        },
      })
      let kind = ''
      for (const event of events) {
        kind = (event as { kind: string }).kind
        push(event as ContextAnyEvent)
      }
    }
    for (const events of [...cases.map(({ input }) => input.events), losing]) collect(events)
    for (const kind of eventKinds) {
      const { toolCallId = 't', toolName = 'x' } = sampleOf(kind) as {
        toolCallId?: string
        toolName?: string
      }
      const { contextId, taskId, timestamp } = sampleOf(kind)
      const context = { contextId, taskId, timestamp }
      const start = { kind: 'tool-start', ...context, toolCallId, toolName, arguments: {} }
      const isOfCall = kind === 'tool-progress' || kind === 'tool-complete'
      collect([sampleOf('task-created'), ...(isOfCall ? [start] : []), sampleOf(kind), sampleOf(kind)])
    }
    const common = ['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp']
    const declared = Object.entries(framesLosses).flatMap(([kind, fields]) =>
      fields.filter((field) => !common.includes(field)).map((field) => `${kind} ${field}`),
    )
    expect(declared.filter((each) => !lost.has(each))).toEqual([])
  })

  it('agree', () => {
    for (const kind of eventKinds) {
      expect(framesLosses[kind].length > 0, kind).toBe(framesCoverage[kind] !== 'omitted')
    }
  })
})

test('reports events of a background tool that have no frame', () => {
  const at = { contextId: 'c', taskId: 'task:k1', timestamp: '2026-01-31T10:30:00.000Z' }
  const call = { toolCallId: 'task:k1', toolName: 'serve' }
  const { frames, codes } = framesOf([
    { kind: 'task-created', ...at, initiator: 'agent', metadata: { streamKind: 'task' } },
    { kind: 'tool-start', ...at, ...call, arguments: {} },
    {
      kind: 'tool-progress',
      ...at,
      toolCallId: 'task:k1',
      progress: 0,
      metadata: { stream: 'pty', chunk: 'x' },
    },
    { kind: 'tool-complete', ...at, ...call, success: false, error: 'gone' },
    { kind: 'task-status', ...at, status: 'canceled' },
    { kind: 'task-complete', ...at },
  ])
  expect(frames).toEqual([
    {
      id: 'f0',
      session_id: 'k1',
      timestamp_ms: Date.parse(at.timestamp),
      seq: 0,
      type: 'tool_task_output_delta',
      task_id: 'k1',
      stream: 'pty',
      chunk: 'x',
      artifacts: null,
    },
  ])
  expect(codes).toEqual(['lossy:contextId', 'dropped:task-status', 'dropped:task-complete'])
})

test('reports the reason of each dropped event', () => {
  const at = { contextId: 'c', taskId: 'main', timestamp: '2026-01-31T10:30:00.000Z' }
  const { diagnostics } = framesOf([
    { kind: 'task-created', ...at, initiator: 'user' },
    { kind: 'task-created', ...at, initiator: 'user' },
    { kind: 'task-status', ...at, status: 'working' },
    { kind: 'made-up', ...at },
    { kind: 'task-status', ...at, status: 'completed' },
    sampleOf('content-delta'),
  ])
  const dropped = diagnostics.filter(({ code }) => code.startsWith('dropped:'))
  expect(dropped.map(({ code, detail }) => [code, detail])).toEqual([
    ['dropped:task-created', { reason: 'repeated' }],
    ['dropped:task-status', { reason: 'no-equivalent' }],
    ['dropped:made-up', { reason: 'unknown-kind' }],
    ['dropped:content-delta', { reason: 'after-end' }],
  ])
})

describe('the duration of a tool without one', () => {
  const call = { toolCallId: 't1', toolName: 'x' }
  const at = (second: number) => ({
    contextId: 'c',
    taskId: 'main',
    timestamp: `2026-01-31T10:30:0${second}.000Z`,
  })
  const start = (second: number) => ({ kind: 'tool-start', ...at(second), ...call, arguments: {} })
  const output = { kind: 'tool-progress', ...at(2), ...call, progress: 0, metadata: { chunk: 'y' } }
  const end = (second: number) => ({ kind: 'tool-complete', ...at(second), ...call, success: true })

  test.each<[string, object[], number]>([
    ['is the time since its start', [start(1), end(4)], 3000],
    ['is the time since its start, with output between', [start(1), output, end(4)], 3000],
    ['is 0 if the clock was set back', [start(4), end(1)], 0],
    ['is that of the first call with its id', [start(1), end(4), start(5), end(6)], 3000],
  ])('%s', (_, events, duration) => {
    const { frames, diagnostics } = framesOf([
      { kind: 'task-created', ...at(0), initiator: 'user' },
      ...events,
    ])
    const ended = frames.filter(({ type }) => type === 'tool_ended')
    expect(ended.at(-1)).toMatchObject({ duration_ms: duration })
    const inferred = diagnostics.filter(({ code }) => code === 'inferred:duration_ms')
    expect(inferred).toHaveLength(ended.length)
    expect(inferred.at(-1)?.message).toContain(`${duration} ms`)
  })

  test('is stated by a frame that is embedded', () => {
    const frame = { type: 'tool_started', tool_id: 't1', name: 'x', args: {}, timeout_ms: null, extra: 1 }
    const embedded = { ...start(1), frame }
    const { frames } = framesOf([{ kind: 'task-created', ...at(0), initiator: 'user' }, embedded, end(3)])
    expect(frames.slice(1)).toMatchObject([{ type: 'tool_started', extra: 1 }, { duration_ms: 2000 }])
  })
})

test('does not repeat output that an embedded frame has', () => {
  const at = { contextId: 'c', taskId: 'S', timestamp: '2026-01-31T10:30:00.000Z' }
  const call = { toolCallId: 't1', ...at }
  const frame = { type: 'tool_stdout', tool_id: 't1', chunk: 'one', extra: 1 }
  const { frames } = framesOf([
    { kind: 'task-created', ...at, initiator: 'user' },
    { kind: 'tool-start', ...call, toolName: 'x', arguments: {} },
    {
      kind: 'tool-progress',
      ...call,
      progress: 0,
      metadata: { stream: 'stdout', chunk: 'one' },
      frame,
    } as never,
    { kind: 'tool-complete', ...call, toolName: 'x', success: true, result: 'one' },
  ])
  expect(frames.filter(({ type }) => type === 'tool_stdout')).toMatchObject([frame])
})

test('forgets tools whose embedded frame ended them', () => {
  const at = (second: number) => ({
    ...{ contextId: 'c', taskId: 'S', toolName: 'x' },
    timestamp: `2026-01-31T10:30:0${second}.000Z`,
  })
  const ended = { type: 'tool_ended', exit_code: 0, duration_ms: 0, artifacts: null, extra: 1 }
  const others = Array.from({ length: 2 * MAX_ITEMS }, (_, i) => ({ toolCallId: `t${i}`, tool_id: `t${i}` }))
  const { frames } = framesOf([
    { kind: 'task-created', ...at(0), initiator: 'user' },
    { kind: 'tool-start', ...at(1), toolCallId: 'long', arguments: {} },
    ...others.flatMap(({ toolCallId, tool_id }) => [
      { kind: 'tool-start', ...at(2), toolCallId, arguments: {} },
      { kind: 'tool-complete', ...at(2), toolCallId, success: true, frame: { ...ended, tool_id } } as never,
    ]),
    { kind: 'tool-complete', ...at(4), toolCallId: 'long', success: true },
  ])
  expect(frames.at(-1)).toMatchObject({ tool_id: 'long', duration_ms: 3000 })
})

test('throws for invalid options', () => {
  const options = { version: 'v1', sessionId: 'S', newId: () => 'x' } as const
  expect(() => toFrames({ ...options, version: 'v3' as 'v1' })).toThrow(TypeError)
  expect(() => toFrames({ ...options, sessionId: '' })).toThrow(TypeError)
  expect(() => toFrames({ ...options, newId: 'x' as never })).toThrow(TypeError)
})

test('bounds the number of streams, and of running tools', () => {
  const codes: string[] = []
  const running = run(toFrames({ version: 'v1', sessionId: 'S', newId: () => 'x' }), {
    onDiagnostic: ({ code }) => codes.push(code),
  })
  const event = (taskId: string, body: object): ContextAnyEvent =>
    ({ contextId: 'c', taskId, timestamp: '2026-01-31T10:30:00.000Z', ...body }) as ContextAnyEvent
  for (let i = 0; i < 3000; i++) {
    running.push(event('main', { kind: 'tool-start', toolCallId: `t${i}`, toolName: 'x', arguments: {} }))
    running.push(event(`task-${i}`, { kind: 'task-status', status: 'completed' }))
  }
  const { streams } = running.state as unknown as ToFramesState
  expect([...boundedValues(streams)].length).toBeLessThanOrEqual(2048)
  expect(codes).toContain('state-evicted')
  const tools = boundedGet(streams, 'main')?.tools
  expect([...boundedValues(tools ?? emptyBoundedMap)].length).toBeLessThanOrEqual(2048)
})

test('stores no id of more than 1024 characters', () => {
  const long = 'x'.repeat(1025)
  const { frames, diagnostics } = framesOf([{ ...sampleOf('task-created'), taskId: long }])
  expect(frames).toEqual([])
  expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([['invalid-event', '/taskId']])
})

test('writes only what the viewer may see', () => {
  const events = [sampleOf('task-created'), { ...sampleOf('tool-start'), metadata: { audience: 'operator' } }]
  const framesFor = (viewer?: Viewer) => {
    const codes: string[] = []
    const options = { version: 'v1', sessionId: 'S', newId: () => 'x', ...(viewer && { viewer }) } as const
    const { push } = run(toFrames(options), {
      onDiagnostic: ({ code, detail }) => codes.push(`${code} ${(detail as { reason?: string })?.reason}`),
    })
    return { types: events.flatMap(push).map(({ type }) => type), codes }
  }
  expect(framesFor().types).toEqual(['session_started', 'tool_started'])
  const user = framesFor({ audience: 'user' })
  expect(user.types).toEqual(['session_started'])
  expect(user.codes).toContain('dropped:tool-start audience')
})
