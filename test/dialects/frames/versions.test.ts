// Frames survive conversion to the other version and back.

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type AnyFrame,
  downgradeFrame,
  encodeFrame,
  upgradeFrame,
} from '../../../src/dialects/frames/index.ts'
import { frameV1Schemas } from '../../../src/dialects/frames/wire/schemas/index.ts'
import { casesOf } from '../../support/conformance.ts'
import { runs } from '../../support/runs.ts'
import { accepted } from '../../support/zod-arbitrary.ts'

const envelope = { id: 'e', session_id: 's', timestamp_ms: 1, seq: 0 }

const decoding = casesOf<{ version: string; value: AnyFrame }, { status: string }>(
  'formats/frames-decode/cases',
)
/** The frames of one version, by whether their type is known. */
const framesOf = (version: string, status: string): AnyFrame[] =>
  decoding
    .filter(({ name, input, expected }) => {
      const isPlain = name.startsWith(`${version} `) || name.startsWith('unknown ')
      return isPlain && input.version === version && expected.status === status
    })
    .map(({ input }) => input.value)
const known = { v1: framesOf('v1', 'known'), v2: framesOf('v2', 'known') }

describe('upgrading', () => {
  test.each([
    ['session_ended', 'session'],
    ['provider_event', 'session'],
    ['tool_task_status', 'task'],
    ['tool_task_made_up', 'task'],
    ['continuity_created', 'continuity'],
    ['made_up', 'session'],
  ])('%s belongs to a %s stream', (type, stream_kind) => {
    const frame = upgradeFrame({ ...envelope, type })
    expect(frame).toEqual({ ...envelope, stream_kind, stream_id: 's', type })
    expect(Object.keys(frame)).toEqual([
      'id',
      'session_id',
      'stream_kind',
      'stream_id',
      'timestamp_ms',
      'seq',
      'type',
    ])
  })

  const inBoth = known.v1.map((frame, i) => ({ frame, upgraded: known.v2[i] }))
  test.each(inBoth)('$frame.type encodes as in version 2', ({ frame, upgraded }) => {
    expect(encodeFrame(upgradeFrame(frame))).toBe(JSON.stringify(upgraded))
  })

  it('is reversed exactly by downgrading', () => {
    const frame = fc
      .constantFrom(...Object.values(frameV1Schemas))
      .chain((schema) => accepted(schema) as fc.Arbitrary<AnyFrame>)
    fc.assert(
      fc.property(fc.oneof(frame, fc.constantFrom(...framesOf('v1', 'unknown'))), (value) => {
        const before = structuredClone(value)
        const upgraded = upgradeFrame(value)
        expect(upgraded).not.toBe(value)
        expect(downgradeFrame(upgraded)).toEqual(value)
        expect(value).toEqual(before)
      }),
      { numRuns: runs(500) },
    )
  })
})

test.each(known.v2)('encoding $type writes null for a field that is undefined', (frame) => {
  for (const [key, value] of Object.entries(frame)) {
    if (value !== null) continue
    expect(encodeFrame({ ...frame, [key]: undefined } as AnyFrame)).toBe(encodeFrame(frame))
  }
})

test('encoding writes the spelling of a status that runtimes accept', () => {
  const statusOf = (type: string, status: string): unknown =>
    JSON.parse(
      encodeFrame({ ...envelope, stream_kind: 'task', stream_id: 's', task_id: 's', type, status } as never),
    ).status
  expect(statusOf('tool_task_status', 'canceled')).toBe('cancelled')
  expect(statusOf('tool_task_status', 'failed')).toBe('failed')
  expect(statusOf('made_up', 'canceled')).toBe('canceled')
})

describe('downgrading', () => {
  test.each(known.v2)('$stream_kind $type survives', (frame) => {
    const down = downgradeFrame(frame)
    expect('stream_id' in down).toBe(false)
    const { stream_id: session_id } = frame as unknown as { stream_id: string }
    expect(upgradeFrame(down)).toEqual({ session_id, ...frame })
  })

  it('keeps a stream kind that does not follow from the type', () => {
    const frame = { ...envelope, stream_kind: 'thread', stream_id: 's', type: 'session_ended', reason: 'x' }
    expect(downgradeFrame(frame as AnyFrame)).toEqual({
      ...envelope,
      stream_kind: 'thread',
      type: 'session_ended',
      reason: 'x',
    })
  })
})
