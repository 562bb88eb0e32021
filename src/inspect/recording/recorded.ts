/** What a recording holds: values, and places that hold none. */

import type { Diagnostic } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'
import { isNestedDeeper } from '../../json/depth.ts'
import { MAX_DEPTH } from '../../json/value.ts'

/** The entry of a HAR file. */
export interface HarEntry {
  /** Its position in the file, from 1. */
  readonly number: number
  /** The line of the file with the body of its response. */
  readonly line: number
  /** The method and the address. Empty if they are not stated. */
  readonly request: string
}

/** Where something is in a HAR file. */
interface HarPlace {
  /** The entry whose response holds it. Omitted outside of HAR files. */
  readonly entry?: HarEntry
  /** The line of the body, from 1; {@link RecordedValue.line} is that of the file. Omitted outside of HAR files. */
  readonly bodyLine?: number
}

/** One value of a recording: an event, a chunk or a message. */
export interface RecordedValue extends HarPlace {
  /** Any JSON. */
  readonly value: unknown
  /** Where it begins: a line from 1; in a binary event stream the number of the message. */
  readonly line: number
  /** The type of the SSE message. Omitted if there is none, or it is `message`. */
  readonly event?: string
  /** The id of the SSE message. Omitted if there is none. */
  readonly id?: string
  /** When it was recorded: milliseconds since 1970, or an RFC 3339 date-time. Omitted if the recording does not state it. */
  readonly at?: number | string
}

/** A fault of the recording itself: what was expected and what came. */
export interface RecordedFault extends HarPlace {
  readonly diagnostic: Diagnostic
  /** A line from 1, as in {@link RecordedValue}. */
  readonly line: number
}

/** One output of a reader. */
export type Recorded = RecordedValue | RecordedFault

/** Receives what is read. */
export type Receive = (recorded: Recorded) => void

/** A fault at a line. Messages quote nothing of JSON that is broken: reports are shared, and it may hold secrets. */
export function faultAt(line: number, code: string, message: string): RecordedFault {
  return { diagnostic: { code, message }, line }
}

/** The beginning of a page, which servers send in place of a stream. */
const HTML = /^\s*<(?:!doctype\s+)?html\b/i

/** A fault of a line that a recording cannot have. It is shown, as it helps to recognize the file, unless it may be a part of JSON. */
export function invalidLine(line: number, expected: string, text: string): RecordedFault {
  const shown = /["{}\ufffd]/.test(text) ? '' : ` ${describeValue(text.slice(0, 80))}`
  const got = HTML.test(text) ? 'a page of HTML' : `a line of ${text.length} characters${shown}`
  return faultAt(line, 'invalid-line', `Expected ${expected}, got ${got}.`)
}

/** A fault of one value that is longer than is kept. */
export function tooLarge(line: number, limit: number): RecordedFault {
  return faultAt(line, 'too-large', `Expected a value of at most ${limit} characters, got a longer one.`)
}

/** In place of a value that is nested too deep. */
export const TOO_DEEP: unique symbol = /* @__PURE__ */ Symbol('too deep')

/** Parses JSON, which has no `undefined`. {@link TOO_DEEP} in place of a value that is nested too deep. */
export function parseJson(text: string): unknown {
  try {
    return isNestedDeeper(text, MAX_DEPTH) ? TOO_DEEP : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A fault of a value that is nested too deep. */
export function tooDeep(line: number): RecordedFault {
  const message = `Expected a value of at most ${MAX_DEPTH} levels, got one that is nested deeper.`
  return faultAt(line, 'too-deep', message)
}
