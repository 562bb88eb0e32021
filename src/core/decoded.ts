/**
 * What decoding a value of unknown origin leads to. Never an exception: bad input is normal input.
 *
 * - `known`: `event` is the value that came in, checked against its type.
 * - `unknown`: a kind this version does not know, in a valid envelope. Keep it and pass it on: it
 *   re-encodes to the same bytes.
 * - `invalid`: not an event, or a known kind with a wrong field. `issues` says what is wrong where.
 *
 * @typeParam T - The known events.
 * @typeParam U - An event of a kind this version does not know.
 */
export type DecodeResult<T, U = UnknownEvent> =
  | { status: 'known'; event: T }
  | { status: 'unknown'; kind: string; event: U }
  | { status: 'invalid'; issues: Issue[]; value: unknown }

/** An event of a kind this version does not know. Its fields are as they came. */
export interface UnknownEvent {
  kind: string
  [field: string]: unknown
}

/** One thing that is wrong with a value. */
export interface Issue {
  /** What is wrong, for programs. See {@link IssueCode} for the codes the library itself uses. */
  code: IssueCode | (string & {})
  /** Where, as a JSON pointer (RFC 6901) into the value; `''` is the whole value. */
  path: string
  /** What is wrong, for people, in English. May change in any release. */
  message: string
}

/**
 * The issue codes of the library:
 *
 * - `missing`: a required field is absent
 * - `invalid-type`: a field has another type than it must have
 * - `invalid-value`: none of the allowed values
 * - `out-of-range`: a number too small or too large, or a list or string of a wrong length
 * - `invalid-format`: a string that is not of the form it must have, such as a timestamp
 * - `invalid-json`: text that is not JSON
 * - `too-large`: a message over the decoder's size limit
 * - `too-deep`: JSON nested deeper than any event needs
 * - `unreadable`: a value that throws when it is looked at
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
