/** What is wrong in a recording. */

/** How severe a finding is. */
export type Severity = 'error' | 'warn' | 'info'

/** A fault of a recording, and where it is. */
export interface Finding {
  /** The rule that is broken. Omitted for what reading reports. */
  readonly rule?: string
  /** What reading reports, such as `invalid-json`. Omitted for a broken rule. */
  readonly code?: string
  /** `info`: nothing is wrong with the recording, but the events show less than it holds. */
  readonly severity: Severity
  /** For people, in English: what was expected and what came. */
  readonly message: string
  /** The line of the value, from 1; in a binary event stream the number of the message. */
  readonly line: number
  /** The entry of a HAR file, from 1. Omitted for other files. */
  readonly entry?: number
  /** The line of the body of its response, from 1. Omitted for other files, and for what concerns all of it. */
  readonly bodyLine?: number
  /** The position of the value among those of the recording, from 0. Omitted if the line holds none, and at the end. */
  readonly valueIndex?: number
  /** The position of the first event that the value is read as, from 0. Omitted if it is read as none. */
  readonly eventIndex?: number
  /** JSON Pointer to the field. Omitted for the whole value. */
  readonly path?: string
  /** The expected value. Omitted if several would be right, or it is long. */
  readonly expected?: unknown
  /** The value found. Omitted if there is none, or it is long. */
  readonly actual?: unknown
}

/** Codes of what reading reports that are faults of the recording. */
const faults: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'invalid-line',
  'invalid-json',
  'invalid-message',
  'invalid-event',
  'invalid-checksum',
  'invalid-utf8',
  'compressed',
  'binary',
  'incomplete',
  'too-large',
  'too-deep',
  'unknown-dialect',
])

/** The severity of what reading reports. */
export function severityOf(code: string): Severity {
  if (faults.has(code)) return 'error'
  // Nothing is wrong with a recording that has more than is stored: some of it is not checked.
  if (code === 'state-evicted') return 'info'
  // The standard allows any field.
  if (code === 'unknown-sse-field') return 'info'
  return code.startsWith('lossy:') || code.startsWith('inferred:') ? 'info' : 'warn'
}
