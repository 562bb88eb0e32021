// Frames map to the expected events.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { FromFramesOptions } from '../../../src/dialects/frames/from/from-frames.ts'
import { type AnyFrame, embeddedFrame, fromFrames, upgradeFrame } from '../../../src/dialects/frames/index.ts'
import { type Diagnostic, decodeEvent, run } from '../../../src/index.ts'
import { casesOf } from '../../support/conformance.ts'
import { runs } from '../../support/runs.ts'

function eventsOf(frames: readonly unknown[], options: FromFramesOptions = {}) {
  const codes: string[] = []
  const { push, end } = run(fromFrames(options), { onDiagnostic: ({ code }: Diagnostic) => codes.push(code) })
  const events = [...frames.flatMap((frame) => [...push(frame as AnyFrame)]), ...end()]
  return { events, codes: [...new Set(codes)] }
}

interface Input {
  readonly frames: readonly unknown[]
  readonly options?: FromFramesOptions
}
const cases = casesOf<Input, { events: unknown[]; diagnostics: string[] }>('formats/frames-from')

describe.each(cases)('$name', ({ input: { frames, options = {} }, expected: { events, diagnostics } }) => {
  it('maps to the expected events and diagnostics', () => {
    const made = eventsOf(frames, options)
    expect(made.events).toEqual(events)
    expect(made.codes).toEqual(diagnostics)
  })

  it('maps to the same events in version 2', () => {
    const isFrame = (frame: unknown): boolean => typeof frame === 'object' && 'seq' in (frame as object)
    const upgraded = (frames as AnyFrame[]).map((frame) => (isFrame(frame) ? upgradeFrame(frame) : frame))
    expect(eventsOf(upgraded, options).events).toEqual(events)
  })

  it('maps to valid events', () => {
    for (const event of events) expect(decodeEvent(event).status).toBe('known')
  })
})

test('embeddedFrame returns a valid embedded frame and nothing else', () => {
  const frame = { type: 'checkpoint_failed', action: 'create', error: 'disk' }
  const event = { kind: 'internal:checkpoint', iteration: 0, timestamp: '2026-01-31T10:30:00Z' }
  expect(embeddedFrame({ ...event, frame })).toBe(frame)
  expect(embeddedFrame({ ...event, frame: { type: 'made_up' } })).toEqual({ type: 'made_up' })
  for (const no of [undefined, null, 'x', [], {}, { type: 1 }, { type: '' }, { type: 'checkpoint_failed' }]) {
    expect(embeddedFrame({ ...event, frame: no })).toBeUndefined()
  }
})

test('ends a text segment before it exceeds the maximum length', () => {
  const delta = 'x'.repeat(400_000)
  const bodies = [
    { type: 'session_started', input: '' },
    ...Array(6).fill({ type: 'output_text_delta', delta }),
  ]
  const frames = bodies.map((body, seq) => ({ id: `${seq}`, session_id: 's', timestamp_ms: 0, seq, ...body }))
  const { events } = eventsOf([
    ...frames,
    { ...frames[0], seq: 7, type: 'session_ended', reason: 'completed' },
  ])
  const sizes = events.flatMap((event) =>
    event.kind === 'content-delta'
      ? [event.index]
      : event.kind === 'content-complete'
        ? [event.content.length]
        : [],
  )
  expect(sizes).toEqual([0, 1, 800_000, 0, 1, 800_000, 0, 1, 800_000])
})

test.each([
  ['session_started', 's'],
  ['tool_task_spawned', 'task:t'],
])('names the expected first frame %s of a stream that begins with another', (type, stream_id) => {
  const [stream_kind] = type === 'session_started' ? ['session'] : ['task']
  const frame = { id: 'x', stream_kind, stream_id, timestamp_ms: 0, seq: 0, type: 'made_up' } as AnyFrame
  const { diagnostics } = fromFrames().step(fromFrames().initial, frame)
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: 'inferred:task-created', message: expect.stringContaining(type) }),
  )
})

test('tools that never ended fail in the order in which they started', () => {
  const tools = Array.from({ length: 20 }, (_, i) => `t${i}`)
  const bodies = [
    { type: 'session_started', input: '' },
    ...tools.map((tool_id) => ({ type: 'tool_started', tool_id, name: 'x', args: {} })),
    { type: 'session_ended', reason: 'completed' },
  ]
  const frames = bodies.map((body, seq) => ({ id: `${seq}`, session_id: 's', timestamp_ms: 0, seq, ...body }))
  const ended = eventsOf(frames).events.flatMap((event) =>
    event.kind === 'tool-complete' ? [event.toolCallId] : [],
  )
  expect(ended).toEqual(tools)
})

const logOf = (bodies: readonly object[]): object[] =>
  bodies.map((body, seq) => ({ id: `${seq}`, session_id: 's', timestamp_ms: 0, seq, ...body }))
const started = (tool_id: string): object => ({ type: 'tool_started', tool_id, name: 'x', args: {} })
const ended = (tool_id: string): object => ({
  ...{ type: 'tool_ended', tool_id, exit_code: 0, duration_ms: 0, artifacts: null },
})

test('every call has an id of its own, whatever the ids of tools are', () => {
  const ids = fc.array(fc.constantFrom('t', 't#2', 't#3', 't#2#2'), { maxLength: 8 })
  fc.assert(
    fc.property(ids, (tools) => {
      const { events } = eventsOf(logOf([{ type: 'session_started', input: '' }, ...tools.map(started)]))
      const calls = events.flatMap((event) => (event.kind === 'tool-start' ? [event.toolCallId] : []))
      expect(calls).toHaveLength(tools.length)
      expect(new Set(calls).size).toBe(tools.length)
    }),
    { numRuns: runs(200) },
  )
})

test('of 1100 tools that run at the same time, 1024 are mapped, whatever ended before', () => {
  const tools = Array.from({ length: 1100 }, (_, i) => started(`t${i}`))
  const { events } = eventsOf(
    logOf([{ type: 'session_started', input: '' }, ended('x'), ended('y'), ...tools]),
  )
  expect(events.filter(({ kind }) => kind === 'tool-start')).toHaveLength(1024)
})

test('the ids of 4096 calls are kept, of at most twice as many', () => {
  const lastId = (others: number): unknown => {
    const ids = ['t', ...Array.from({ length: others }, (_, i) => `o${i}`), 't']
    const calls = ids.flatMap((id) => [started(id), ended(id)])
    const { events } = eventsOf(logOf([{ type: 'session_started', input: '' }, ...calls]))
    return events.findLast(({ kind }) => kind === 'tool-start')
  }
  expect(lastId(2 * 4096 - 1)).toMatchObject({ toolCallId: 't#2' })
  expect(lastId(2 * 4096)).toMatchObject({ toolCallId: 't' })
})

test('two tools that run at the same time with one id both end', () => {
  const tool_id = 't'
  const bodies = [
    { type: 'session_started', input: '' },
    { type: 'tool_started', tool_id, name: 'x', args: {} },
    { type: 'tool_started', tool_id, name: 'x', args: {} },
    { type: 'tool_ended', tool_id, exit_code: 0, duration_ms: 0, artifacts: null },
    { type: 'tool_ended', tool_id, exit_code: 0, duration_ms: 0, artifacts: null },
  ]
  const frames = bodies.map((body, seq) => ({ id: `${seq}`, session_id: 's', timestamp_ms: 0, seq, ...body }))
  const ended = eventsOf(frames).events.flatMap((event) =>
    event.kind === 'tool-complete' ? [[event.toolCallId, event.success]] : [],
  )
  expect(ended).toHaveLength(2)
  expect(new Set(ended.map(([id]) => id)).size).toBe(2)
  expect(ended.map(([, success]) => success)).toEqual([true, true])
})

test.each([
  ['exited', 0, null, 'completed', undefined],
  ['exited', 3, null, 'failed', 'Exited with code 3.'],
  ['exited', 3, 'disk full', 'failed', 'disk full'],
  ['failed', null, null, 'failed', 'failed.'],
  ['failed', 0, 'disk full', 'failed', 'disk full'],
  ['timeout', null, null, 'failed', 'timeout.'],
  ['canceled', null, null, 'canceled', 'canceled.'],
])(
  'a background tool that ends as %s with code %j and error %j',
  (status, exit_code, error, end, message) => {
    const bodies = [
      { type: 'tool_task_spawned', task_id: 'k', tool_name: 'serve', args: {}, execution_mode: 'pipes' },
      { type: 'tool_task_status', task_id: 'k', status, exit_code, error },
    ]
    const frames = bodies.map((body, seq) => ({
      id: `${seq}`,
      session_id: 'k',
      timestamp_ms: 0,
      seq,
      ...body,
    }))
    const { events } = eventsOf(frames)
    const of = (kind: string) => events.filter((event) => event.kind === kind).at(-1)
    expect(of('tool-complete')).toMatchObject({
      success: message === undefined,
      ...(message !== undefined && { error: message }),
    })
    expect((of('tool-complete') as { metadata?: object }).metadata).toEqual(
      exit_code === null ? undefined : { exitCode: exit_code },
    )
    expect(of('task-status')).toMatchObject({ status: end, ...(end === 'failed' && { error: { message } }) })
  },
)

test('throws for invalid options', () => {
  expect(() => fromFrames({ contextId: '' })).toThrow(TypeError)
})
