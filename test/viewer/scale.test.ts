// Proves that the axis shows what it should: zooming and moving stay within it, labels are in order and in sight.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fullScale,
  positionOf,
  revealed,
  type Scale,
  ticksOf,
  valueAt,
  zoom,
} from '../../src/viewer/model/scale.ts'

const ends = fc.oneof(fc.nat(100), fc.nat(10_000_000))
const axes = fc.constantFrom('time', 'events')

/** A scale after some zooming, and its end. */
const scales: fc.Arbitrary<{ readonly scale: Scale; readonly end: number }> = fc
  .tuple(
    axes,
    ends,
    fc.array(fc.tuple(fc.constantFrom(0.5, 1.25, 2, 8), fc.double({ min: 0, max: 1, noNaN: true }))),
  )
  .map(([axis, end, steps]) => ({
    end,
    scale: steps.reduce((scale, [factor, x]) => zoom(scale, factor, x * end, end), fullScale(axis, end)),
  }))

describe('a scale', () => {
  it('stays within the recording', () => {
    fc.assert(
      fc.property(scales, ({ scale, end }) => {
        expect(scale.from).toBeGreaterThanOrEqual(0)
        expect(scale.to).toBeGreaterThan(scale.from)
        expect(scale.to).toBeLessThanOrEqual(Math.max(1, end) * (1 + 1e-9))
      }),
    )
  })

  it('gives positions for values and back', () => {
    fc.assert(
      fc.property(scales, fc.double({ min: 0, max: 1, noNaN: true }), ({ scale }, x) => {
        expect(positionOf(scale, valueAt(scale, x))).toBeCloseTo(x, 6)
      }),
    )
  })

  it('shows a value that is revealed, and does not move for one in sight', () => {
    fc.assert(
      fc.property(scales, fc.double({ min: 0, max: 1, noNaN: true }), ({ scale, end }, part) => {
        const value = part * end
        const moved = revealed(scale, value, end)
        expect(positionOf(moved, value)).toBeGreaterThanOrEqual(-1e-9)
        expect(positionOf(moved, value)).toBeLessThanOrEqual(1 + 1e-9)
        expect(moved.to - moved.from).toBeCloseTo(scale.to - scale.from, 3)
        expect(revealed(moved, value, end)).toEqual(moved)
      }),
    )
  })

  it('keeps the place of the value it zooms around', () => {
    const scale = zoom(fullScale('time', 1000), 2, 250, 1000)
    expect(scale).toEqual({ axis: 'time', from: 125, to: 625 })
    expect(positionOf(scale, 250)).toBe(0.25)
  })
})

describe('the labels', () => {
  it('are in order, in sight and not too many', () => {
    fc.assert(
      fc.property(scales, fc.integer({ min: 2, max: 20 }), ({ scale }, most) => {
        const ticks = ticksOf(scale, most)
        expect(ticks.length).toBeLessThanOrEqual(most)
        for (const [i, { x }] of ticks.entries()) {
          expect(x).toBeGreaterThanOrEqual(-1e-9)
          expect(x).toBeLessThanOrEqual(1 + 1e-9)
          expect(x).toBeGreaterThan(ticks[i - 1]?.x ?? Number.NEGATIVE_INFINITY)
        }
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length)
      }),
    )
  })

  it.each<[end: number, labels: string[]]>([
    [10, ['0 ms', '5 ms', '10 ms']],
    [2500, ['0 s', '1 s', '2 s']],
    [90_000, ['0 s', '30 s', '1:00', '1:30']],
    [7_200_000, ['0 s', '30:00', '1:00:00', '1:30:00', '2:00:00']],
  ])('of %d ms', (end, labels) => {
    expect(ticksOf(fullScale('time', end), Math.max(3, labels.length)).map(({ label }) => label)).toEqual(
      labels,
    )
  })
})
