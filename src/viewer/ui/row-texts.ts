/** Rows in words. */
import { counted, duration, excerpt } from '../model/format.ts'
import type { Row } from '../model/row.ts'
import type { State } from './state.ts'

/** How long a row takes: time, or events if there are no times. */
export function lengthOf(row: Row, { recording, axis }: State): string {
  if (axis === 'events') return counted(row.count, 'event')
  return duration((recording.times[row.last] ?? 0) - (recording.times[row.first] ?? 0))
}

/** A row in words. */
export function describe(row: Row, state: State): string {
  const { times } = state.recording
  const between = (from: number, to: number): string => duration((times[to] ?? 0) - (times[from] ?? 0))
  const words = [`${row.family} ${excerpt(row.label, 80)}`.trim(), row.status, counted(row.count, 'event')]
  if (state.recording.hasTimes) {
    words.push(`from ${duration(times[row.first] ?? 0)}`, `for ${between(row.first, row.last)}`)
    if (row.firstToken !== undefined) words.push(`first token after ${between(row.first, row.firstToken)}`)
    if (row.runsFrom !== undefined && row.runsFrom > row.first) {
      words.push(`arguments written in ${between(row.first, row.runsFrom)}`)
    }
    if (row.gaps.length > 0) words.push(counted(row.gaps.length, 'gap'))
  }
  if (row.problems.length > 0) words.push(`${counted(row.problems.length, 'event')} with problems`)
  return words.join(' · ')
}
