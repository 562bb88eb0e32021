/** The result of a patch. */

/** The result of applying a patch. */
export type Patched = { readonly ok: true; readonly value: unknown } | PatchFailure

/** The reason a patch cannot be applied. */
export interface PatchFailure {
  readonly ok: false
  /**
   * - `bad-pointer`: `path` or `from` is not a JSON pointer
   * - `no-such-place`: the location, or the parent of a location to add, does not exist
   * - `missing-field`: the operation lacks `value` or `from`
   * - `unknown-op`: `op` is not an operation of RFC 6902
   * - `into-itself`: the operation moves a value into itself
   * - `test-failed`: the value at the location differs
   * - `too-deep`: the location, a value or the result is nested more than 500 levels deep
   * - `too-large`: the result, or what the patch copies, has more than 8 Mi characters of JSON, approximately, or an
   *   object around a change has more than 10,000 members
   *
   * A JSON Merge Patch fails only with the last two.
   */
  readonly code:
    | 'bad-pointer'
    | 'no-such-place'
    | 'missing-field'
    | 'unknown-op'
    | 'into-itself'
    | 'test-failed'
    | 'too-deep'
    | 'too-large'
  /** Index of the failed operation, from 0. Omitted for a JSON Merge Patch. */
  readonly operation?: number
}
