/**
 * The result of decoding untrusted input. Decoders return it and do not throw.
 *
 * - `known`: a valid event of a known kind. `event` is the input value itself.
 * - `unknown`: a valid envelope with a kind that this version does not know. Keep the event and forward
 *   it: it re-encodes to an equal value. To forward the same bytes, forward the text, such as the `raw` of a message.
 * - `invalid`: not an event, or a known kind with an invalid field. `issues` lists the problems.
 *
 * @typeParam T - The known events.
 * @typeParam U - An event of a kind this version does not know.
 */
export type DecodeResult<T, U = UnknownEvent> =
  | { status: 'known'; event: T }
  | { status: 'unknown'; kind: string; event: U }
  | { status: 'invalid'; issues: Issue[]; value: unknown }

/** An event of a kind that this version does not know. Its fields are as received. */
export interface UnknownEvent {
  kind: string
  [field: string]: unknown
}

/** One problem of a value. */
export interface Issue {
  /** The type of the problem. {@link IssueCode} lists the codes of the library; other validators add their own. */
  code: IssueCode | (string & {})
  /** Location of the problem: a JSON pointer (RFC 6901) into the value. `''` is the whole value. */
  path: string
  /** What was expected and what came, in English. May change in any release. */
  message: string
}

/**
 * The issue codes of the library:
 *
 * - `missing`: a required field is missing
 * - `invalid-type`: a field has the wrong type
 * - `invalid-value`: a field has none of the allowed values
 * - `out-of-range`: a number is too small or too large, or an array or string has a wrong length
 * - `invalid-format`: a string does not match its format, such as a timestamp
 * - `invalid-json`: a text is not JSON
 * - `too-large`: a message exceeds the decoder's size limit
 * - `too-deep`: JSON is nested deeper than the decoder's limit
 * - `unreadable`: reading the value throws
 */
export type IssueCode =
  | 'missing'
  | 'invalid-type'
  | 'invalid-value'
  | 'out-of-range'
  | 'invalid-format'
  | 'invalid-json'
  | 'too-large'
  | 'too-deep'
  | 'unreadable'
