// Frames survive conversion to the other version and back.

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type AnyFrame,
  downgradeFrame,
  encodeFrame,
  upgradeFrame,
} from '../../../src/dialects/frames/index.ts'
import { frameV1Schemas } from '../../../src/zod/index.ts'
import known from '../../fixtures/frames/known.json' with { type: 'json' }
import spellings from '../../fixtures/frames/spellings.json' with { type: 'json' }
import { runs } from '../../support/runs.ts'
import { accepted } from '../../support/zod-arbitrary.ts'

const envelope = { id: 'e', session_id: 's', timestamp_ms: 1, seq: 0 }

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
    expect(encodeFrame(upgradeFrame(frame as AnyFrame))).toBe(JSON.stringify(upgraded))
  })

  it('is reversed exactly by downgrading', () => {
    const frame = fc
      .constantFrom(...Object.values(frameV1Schemas))
      .chain((schema) => accepted(schema) as fc.Arbitrary<AnyFrame>)
    const unknown = spellings.unknown.filter(({ version }) => version === 'v1').map(({ value }) => value)
    fc.assert(
      fc.property(fc.oneof(frame, fc.constantFrom(...(unknown as AnyFrame[]))), (value) => {
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

describe('downgrading', () => {
  test.each(known.v2)('$stream_kind $type survives', (frame) => {
    const down = downgradeFrame(frame as AnyFrame)
    expect('stream_id' in down).toBe(false)
    expect(upgradeFrame(down)).toEqual({ session_id: frame.stream_id, ...frame })
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
