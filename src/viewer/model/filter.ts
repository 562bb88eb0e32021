/** Which events the list shows. */
import { type Family, familyOf } from './family.ts'
import type { Recording } from './recording.ts'

/** What an event must match. Empty fields match all events. */
export interface EventFilter {
  /** A family of kinds, or a kind. */
  readonly kind: Family | (string & {})
  /** Text anywhere in the event, in upper or lower case. */
  readonly text: string
  /** Only events with problems. */
  readonly onlyProblems: boolean
  /** Only events that have failed, or have a problem that is an error. */
  readonly onlyErrors: boolean
}

export const matchesAll: EventFilter = { kind: '', text: '', onlyProblems: false, onlyErrors: false }

/** Whether a filter matches all events, so that no list of matches is needed. */
export function isEmptyFilter({ kind, text, onlyProblems, onlyErrors }: EventFilter): boolean {
  return kind === '' && text === '' && !onlyProblems && !onlyErrors
}

/** Whether an event has failed, or has a problem that is an error. */
export function isError({ failures, problems }: Recording, index: number): boolean {
  return failures.has(index) || problems.severityOf.get(index) === 'error'
}

/** How many events have failed, or have a problem that is an error. */
export function errorsOf({ failures, problems }: Recording): number {
  let count = failures.size
  for (const [index, severity] of problems.severityOf)
    if (severity === 'error' && !failures.has(index)) count++
  return count
}

/** The indexes of the events from `from` to before `to` that match. */
export function matchesOf(recording: Recording, filter: EventFilter, from: number, to: number): number[] {
  const { kind, onlyProblems, onlyErrors } = filter
  const text = filter.text.toLowerCase()
  const found: number[] = []
  for (let i = from; i < to; i++) {
    const event = recording.events[i]
    if (event === undefined) break
    if (kind !== '' && event.kind !== kind && familyOf(event.kind) !== kind) continue
    if (onlyProblems && !recording.problems.severityOf.has(i)) continue
    if (onlyErrors && !isError(recording, i)) continue
    if (text === '' || JSON.stringify(event).toLowerCase().includes(text)) found.push(i)
  }
  return found
}

/** The position in an ascending list of the last value that is at most `value`. −1: there is none. */
export function lastAtMost(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
