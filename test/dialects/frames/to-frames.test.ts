// Events map to the expected frames, and every loss is reported.
import { describe, expect, it, test } from 'vitest'
import {
  decodeFrame,
  framesCoverage,
  framesLossyFields,
  toFrames,
} from '../../../src/dialects/frames/index.ts'
import type { ToFramesState } from '../../../src/dialects/frames/to/to-frames.ts'
import { type ContextAnyEvent, type Diagnostic, type EventKind, eventKinds, run } from '../../../src/index.ts'
import fixtures from '../../fixtures/frames/to-frames.json' with { type: 'json' }
import { sampleOf } from './samples.ts'

function framesOf(events: readonly unknown[], version: 'v1' | 'v2' = 'v1') {
  const diagnostics: Diagnostic[] = []
  let ids = 0
  const machine = toFrames({ version, sessionId: 'S', newId: () => `f${ids++}`, now: () => 77 })
  const { push, end } = run(machine, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
  const frames = [...events.flatMap((event) => [...push(event as ContextAnyEvent)]), ...end()]
  return { frames, diagnostics, codes: diagnostics.map(({ code }) => code) }
}

describe.each(fixtures.cases)('$why', ({ events, frames, diagnostics }) => {
  it('maps in version 1', () => {
    const made = framesOf(events)
    expect(made.frames).toEqual(frames.map((frame, i) => ({ id: `f${i}`, ...frame })))
    expect(made.codes).toEqual(diagnostics)
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

describe('framesCoverage and framesLossyFields', () => {
  const opening = { ...sampleOf('task-created'), initiator: 'user', metadata: {} }

  test.each(eventKinds)('%s', (kind: EventKind) => {
    const before = kind === 'task-created' ? [] : [opening]
    const { frames: without, codes: known } = framesOf(before)
    const { frames, codes } = framesOf([...before, sampleOf(kind)], 'v2')
    const mapped = frames.length - without.length
    const diagnostics = codes.slice(known.length)
    const coverage = framesCoverage[kind]
    if (coverage === 'omitted' || mapped === 0) {
      expect(coverage).not.toBe('full')
      expect(diagnostics).toEqual([`dropped:${kind}`])
    } else {
      const lost = diagnostics.filter((code) => code.startsWith('lossy:')).map((code) => code.slice(6))
      const declared = [...(framesLossyFields['*'] ?? []), ...(framesLossyFields[kind] ?? [])]
      expect(declared).toEqual(expect.arrayContaining(lost))
      expect(coverage).toBe(lost.length > 0 ? 'partial' : 'full')
    }
    // Exactly the kinds that never map to a frame are omitted.
    expect(coverage === 'omitted').toBe(
      mapped === 0 && !kind.endsWith('checkpoint') && !kind.endsWith('process'),
    )
  })

  it('declare only fields that occur', () => {
    const diagnostics = new Set(fixtures.cases.flatMap((each) => each.diagnostics))
    for (const [kind, fields] of Object.entries(framesLossyFields)) {
      const codes =
        kind === '*'
          ? diagnostics
          : new Set([...diagnostics, ...framesOf([opening, sampleOf(kind as EventKind)]).codes])
      for (const field of fields) expect([...codes], kind).toContain(`lossy:${field}`)
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

test('throws for invalid options', () => {
  const options = { version: 'v1', sessionId: 'S', newId: () => 'x' } as const
  expect(() => toFrames({ ...options, version: 'v3' as 'v1' })).toThrow(TypeError)
  expect(() => toFrames({ ...options, sessionId: '' })).toThrow(TypeError)
  expect(() => toFrames({ ...options, newId: 'x' as never })).toThrow(TypeError)
})

test('bounds the number of streams, and of tools with streamed output', () => {
  const { push, state } = runOf()
  const event = (taskId: string, body: object): ContextAnyEvent =>
    ({ contextId: 'c', taskId, timestamp: '2026-01-31T10:30:00.000Z', ...body }) as ContextAnyEvent
  for (let i = 0; i < 2200; i++) {
    const call = { toolCallId: `t${i}` }
    push(event('main', { kind: 'tool-progress', ...call, progress: 0, metadata: { chunk: 'x' } }))
    if (i % 2 === 0) push(event('main', { kind: 'tool-complete', ...call, toolName: 'x', success: true }))
    push(event(`task-${i}`, { kind: 'task-status', status: 'completed' }))
  }
  expect(Object.keys(state().streams.others)).toHaveLength(64)
  expect(state().streams.others['/main']?.streamed).toHaveLength(1024)
})

function runOf() {
  const running = run(toFrames({ version: 'v1', sessionId: 'S', newId: () => 'x' }))
  return { push: running.push, state: () => running.state as unknown as ToFramesState }
}
