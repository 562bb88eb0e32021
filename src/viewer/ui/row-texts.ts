/** Rows in words. */
import { counted, duration, excerpt, number } from '../model/format.ts'
import type { Row } from '../model/row.ts'
import type { State } from './state.ts'

/** How long a row takes: time, of a tool that in which it ran, or events if there are no times. */
export function lengthOf(row: Row, { recording, axis }: State): string {
  if (axis === 'events') return counted(row.count, 'event')
  if (row.family === 'tool') return row.ranMs === undefined ? '' : duration(row.ranMs)
  return duration((recording.times[row.last] ?? 0) - (recording.times[row.first] ?? 0))
}

/** What {@link lengthOf} is. */
export function lengthTitle(row: Row, { axis }: State): string {
  if (axis === 'events') return 'Number of events'
  return row.family === 'tool'
    ? 'Run time, from tool-start to tool-complete'
    : 'From the first event to the last'
}

/** A row in words. */
export function describe(row: Row, state: State): string {
  const { times } = state.recording
  const between = (from: number, to: number): string => duration((times[to] ?? 0) - (times[from] ?? 0))
  const words = [`${row.family} ${excerpt(row.label, 80)}`.trim(), row.status, counted(row.count, 'event')]
  if (state.recording.hasTimes) {
    words.push(`from ${duration(times[row.first] ?? 0)}`)
    if (row.family !== 'tool') words.push(`for ${between(row.first, row.last)}`)
    if (row.firstToken !== undefined) words.push(`first token after ${between(row.first, row.firstToken)}`)
    if (row.runsFrom !== undefined && row.runsFrom > row.first) {
      words.push(`arguments written in ${between(row.first, row.runsFrom)}`)
    }
    if (row.ranMs !== undefined) words.push(`ran for ${duration(row.ranMs)}`)
    if (row.gaps.length > 0) words.push(counted(row.gaps.length, 'gap'))
  }
  const { tokens } = row
  if (tokens !== undefined) words.push(`${number(tokens.input)} tokens in, ${number(tokens.output)} out`)
  if (row.problems.length > 0) words.push(`${counted(row.problems.length, 'event')} with problems`)
  return words.join(' · ')
}

/** The tokens of a row, such as `1 840 → 412`. Empty if none are known. */
export function tokensText({ tokens }: Row): string {
  return tokens === undefined ? '' : `${number(tokens.input)} → ${number(tokens.output)}`
}
