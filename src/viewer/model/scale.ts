/** The horizontal axis of the timeline: time or event numbers to positions from 0 to 1. */

/** What the axis counts: milliseconds, or events. */
export type Axis = 'time' | 'events'

/** The part of the axis that is shown. */
export interface Scale {
  readonly axis: Axis
  readonly from: number
  /** Greater than `from`. */
  readonly to: number
}

/** A label of the axis. */
export interface Tick {
  /** From 0 to 1. */
  readonly x: number
  readonly label: string
}

/** The shortest part that can be shown: one millisecond or one event. */
const MIN_SPAN = 1

/** Shows everything from 0 to `end`. */
export function fullScale(axis: Axis, end: number): Scale {
  return { axis, from: 0, to: Math.max(MIN_SPAN, end) }
}

/** The position of a value. Less than 0 or greater than 1 if it is not shown. */
export function positionOf(scale: Scale, value: number): number {
  return (value - scale.from) / (scale.to - scale.from)
}

/** The value at a position. */
export function valueAt(scale: Scale, x: number): number {
  return scale.from + x * (scale.to - scale.from)
}

/**
 * Zooms around a value, which keeps its position if it is shown. The result stays within 0 and `end`.
 *
 * @param factor - Greater than 1 shows less.
 */
export function zoom(scale: Scale, factor: number, around: number, end: number): Scale {
  const full = Math.max(MIN_SPAN, end)
  const span = Math.min(full, Math.max(MIN_SPAN, (scale.to - scale.from) / factor))
  const x = Math.min(1, Math.max(0, positionOf(scale, around)))
  return placed(scale.axis, around - x * span, span, full)
}

/** Moves what is shown so that a value is in it, by as little as possible. */
export function revealed(scale: Scale, value: number, end: number): Scale {
  if (value >= scale.from && value <= scale.to) return scale
  const span = scale.to - scale.from
  const from = value < scale.from ? value - span * 0.1 : value - span * 0.9
  return placed(scale.axis, from, span, Math.max(MIN_SPAN, end))
}

function placed(axis: Axis, from: number, span: number, full: number): Scale {
  const start = Math.max(0, Math.min(from, full - span))
  return { axis, from: start, to: start + span }
}

/** At most `most` labels at round values, in order. */
export function ticksOf(scale: Scale, most: number): Tick[] {
  const step = roundStep((scale.to - scale.from) / Math.max(1, most), scale.axis)
  const ticks: Tick[] = []
  for (let i = Math.ceil(scale.from / step); i * step <= scale.to && ticks.length < most; i++) {
    const value = i * step
    ticks.push({
      x: positionOf(scale, value),
      label: scale.axis === 'time' ? timeLabel(value, step) : String(value),
    })
  }
  return ticks
}

/** The next round number: 1, 2 or 5 times a power of ten; of times also parts of a minute and an hour. */
function roundStep(least: number, axis: Axis): number {
  if (axis === 'time' && least > 5_000) {
    const seconds = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400]
    const found = seconds.find((second) => second * 1000 >= least)
    if (found !== undefined) return found * 1000
  }
  let power = 1
  while (power * 10 <= least) power *= 10
  for (const factor of [1, 2, 5]) if (factor * power >= least) return factor * power
  return 10 * power
}

function timeLabel(ms: number, step: number): string {
  if (step < 1000 && ms < 1000) return `${ms} ms`
  const decimals = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3
  if (ms < 60_000) return `${(ms / 1000).toFixed(decimals)} s`
  const seconds = (ms % 60_000) / 1000
  const minutes = Math.floor(ms / 60_000)
  const padded = seconds.toFixed(decimals).padStart(decimals === 0 ? 2 : decimals + 3, '0')
  if (minutes < 60) return `${minutes}:${padded}`
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${padded}`
}
