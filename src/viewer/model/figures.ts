/** The figures of a recording as a whole. */
import { counted, duration, number } from './format.ts'
import type { Recording } from './recording.ts'

/** A figure and what it is. */
export interface Figure {
  readonly label: string
  readonly value: string
  /** The worst of what it counts. Omitted if nothing is wrong. */
  readonly severity?: 'error' | 'warn'
}

/** The figures to show. Those that are not known are left out. */
export function figuresOf(recording: Recording): Figure[] {
  const { events, times, timeline, hasTimes } = recording
  const figures: Figure[] = [{ label: 'Events', value: number(events.length) }]
  const root = timeline.roots[0]
  figures.push({ label: 'Tasks', value: number(recording.tasks) })
  if (hasTimes) {
    figures.push({ label: 'Duration', value: duration(times.at(-1) ?? 0) })
    if (root?.firstToken !== undefined) {
      const first = (times[root.firstToken] ?? 0) - (times[root.first] ?? 0)
      figures.push({ label: 'First token', value: duration(first) })
    }
    const longest = timeline.roots
      .flatMap(({ gaps }) => gaps)
      .reduce((most, gap) => Math.max(most, gap.toMs - gap.fromMs), 0)
    if (longest > 0) figures.push({ label: 'Longest gap', value: duration(longest) })
  }
  const { input, output } = recording.tokens
  if (input + output > 0)
    figures.push({ label: 'Tokens in / out', value: `${number(input)} / ${number(output)}` })
  const { error, warn } = recording.problems.counts
  figures.push({
    label: 'Problems',
    ...(error + warn > 0 && { severity: error > 0 ? 'error' : 'warn' }),
    value:
      error + warn === 0
        ? 'none'
        : [error > 0 && counted(error, 'error'), warn > 0 && counted(warn, 'warning')]
            .filter(Boolean)
            .join(', '),
  })
  return figures
}
