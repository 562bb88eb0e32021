/** Problems: rule breaks and diagnostics, in one shape. */

/** How severe a problem is. `info`: nothing is wrong, but the page shows less than the recording holds. */
export type Severity = 'error' | 'warn' | 'info'

/** What is wrong with a recording, or was lost in reading it. */
export interface Problem {
  readonly severity: Severity
  /** The rule or the code of the diagnostic. */
  readonly code: string
  readonly message: string
  /** The line of the recording, from 1. Omitted if unknown. */
  readonly line?: number
  /** JSON pointer to the field. Omitted for the whole event. */
  readonly path?: string
  /** The entry of a HAR file, from 1. Omitted for other files. */
  readonly entry?: number
  /** Index of the event. Omitted if the problem has none, as a line that cannot be read. */
  index?: number
  /** Index of the last event before it. −1: there is none. */
  readonly after: number
  /** How often it was reported. Problems of severity `info` are counted by code. */
  count: number
}

/** Words for severities. */
export const severityWords: Readonly<Record<Severity, string>> = {
  error: 'error',
  warn: 'warning',
  info: 'info',
}
