// Proves what events frames lead to.
import { describe, expect, it, test } from 'vitest'
import {
  type AnyFrame,
  carriedFrame,
  type FromFramesOptions,
  fromFrames,
  upgradeFrame,
} from '../../../src/dialects/frames/index.ts'
import { type Diagnostic, decodeEvent, run } from '../../../src/index.ts'
import fixtures from '../../fixtures/frames/from-frames.json' with { type: 'json' }

function eventsOf(frames: readonly unknown[], options: FromFramesOptions = {}) {
  const codes: string[] = []
  const { push, end } = run(fromFrames(options), { onDiagnostic: ({ code }: Diagnostic) => codes.push(code) })
  const events = [...frames.flatMap((frame) => [...push(frame as AnyFrame)]), ...end()]
  return { events, codes: [...new Set(codes)] }
}

describe.each(fixtures.cases)('$why', (each) => {
  const { frames, events, diagnostics } = each
  const options = 'options' in each ? each.options : {}

  it('as written', () => {
    const made = eventsOf(frames, options as FromFramesOptions)
    expect(made.events).toEqual(events)
    expect(made.codes).toEqual([...new Set(diagnostics)])
  })

  it('is the same in version 2', () => {
    const isFrame = (frame: unknown): boolean => typeof frame === 'object' && 'seq' in (frame as object)
    const upgraded = (frames as AnyFrame[]).map((frame) => (isFrame(frame) ? upgradeFrame(frame) : frame))
    expect(eventsOf(upgraded, options as FromFramesOptions).events).toEqual(events)
  })

  it('is made of valid events', () => {
    for (const event of events) expect(decodeEvent(event).status).toBe('known')
  })
})

test('a carried frame is found by its helper, and nothing else is taken for one', () => {
  const frame = { type: 'checkpoint_failed', action: 'create', error: 'disk' }
  const event = { kind: 'internal:checkpoint', iteration: 0, timestamp: '2026-01-31T10:30:00Z' }
  expect(carriedFrame({ ...event, frame })).toBe(frame)
  expect(carriedFrame({ ...event, frame: { type: 'made_up' } })).toEqual({ type: 'made_up' })
  for (const no of [undefined, null, 'x', [], {}, { type: 1 }, { type: '' }, { type: 'checkpoint_failed' }]) {
    expect(carriedFrame({ ...event, frame: no })).toBeUndefined()
  }
})

test('a segment of text is ended before it is too long to repeat', () => {
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
  const told = events.flatMap((event) =>
    event.kind === 'content-delta'
      ? [event.index]
      : event.kind === 'content-complete'
        ? [event.content.length]
        : [],
  )
  expect(told).toEqual([0, 1, 800_000, 0, 1, 800_000, 0, 1, 800_000])
})

test('options that cannot work are refused', () => {
  expect(() => fromFrames({ contextId: '' })).toThrow(TypeError)
})
