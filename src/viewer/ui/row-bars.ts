/** The bars of a row: how long it took, what it waited for, and its problems. */
import { duration } from '../model/format.ts'
import type { Row } from '../model/row.ts'
import { positionOf } from '../model/scale.ts'
import { h } from './dom.ts'
import type { State } from './state.ts'

/** The most marks of one row: more would hide one another. */
const MAX_MARKS = 400

/** The width of a letter in pixels, at most. */
const LETTER = 6.5

/**
 * Draws the bars of a row.
 *
 * @param width - The width of the track in pixels.
 */
export function drawBars(track: HTMLElement, width: number, row: Row, state: State): void {
  const { scale, axis, selected, recording } = state
  const x = (index: number): number => positionOf(scale, state.valueOf(index))
  const bars: HTMLElement[] = []
  const add = (name: string, from: number, to: number, text = ''): void => {
    if (to < 0 || from > 1) return
    const left = Math.max(0, from)
    const fits = (Math.min(1, to) - left) * width > text.length * LETTER
    const bar = h('span', { class: name })
    if (fits && text !== '') bar.append(h('b', {}, text))
    bar.style.left = `${left * 100}%`
    bar.style.width = `${(Math.min(1, to) - left) * 100}%`
    bars.push(bar)
  }
  const isTask = row.family === 'task'
  const last = axis === 'events' && row.last === row.first ? x(row.first + 1) : x(row.last)
  add('span', x(row.first), last)
  if (row.runsFrom !== undefined && row.runsFrom > row.first)
    add('span writing', x(row.first), x(row.runsFrom))
  if (isTask && row.firstToken !== undefined && row.firstToken > row.first) {
    const from = recording.times[row.first] ?? 0
    const took = (recording.times[row.firstToken] ?? 0) - from
    add(
      'wait first-token',
      x(row.first),
      x(row.firstToken),
      axis === 'time' ? `first token ${duration(took)}` : '',
    )
  }
  if (isTask && axis === 'time') {
    for (const { index, fromMs, toMs } of visibleGaps(row, scale.from, scale.to)) {
      if (index === row.firstToken) continue
      add('wait gap', positionOf(scale, fromMs), positionOf(scale, toMs), duration(toMs - fromMs))
    }
  }
  for (const index of spread(row.problems, (at) => x(at))) {
    add(`mark-at ${recording.problems.severityOf.get(index) ?? 'warn'}`, x(index), x(index))
  }
  const head = x(Math.max(0, selected))
  if (selected >= 0) add('playhead', head, head)
  track.replaceChildren(...bars)
}

/** The gaps that reach into what is shown, the longest if there are many. */
function visibleGaps(row: Row, from: number, to: number): Row['gaps'] {
  const { gaps } = row
  const shown = gaps.filter(
    (gap) => gap.toMs >= from && gap.fromMs <= to && gap.toMs - gap.fromMs >= (to - from) / 400,
  )
  return shown.slice(0, MAX_MARKS)
}

/** Indexes whose positions are within sight and differ by what can be seen. */
function spread(indexes: readonly number[], x: (index: number) => number): number[] {
  const kept: number[] = []
  let before = Number.NEGATIVE_INFINITY
  // Positions ascend with the indexes: each step looks for the next one that can be distinguished from the last.
  let i = firstAtLeast(indexes, x, 0)
  while (i < indexes.length && kept.length < MAX_MARKS) {
    const index = indexes[i] ?? 0
    before = x(index)
    if (before > 1) break
    kept.push(index)
    i = Math.max(i + 1, firstAtLeast(indexes, x, before + 1 / MAX_MARKS))
  }
  return kept
}

function firstAtLeast(indexes: readonly number[], x: (index: number) => number, least: number): number {
  const positions = { low: 0, high: indexes.length }
  while (positions.low < positions.high) {
    const middle = (positions.low + positions.high) >>> 1
    if (x(indexes[middle] ?? 0) < least) positions.low = middle + 1
    else positions.high = middle
  }
  return positions.low
}
