/** Options of `fromLooopy`. */

/** Options of {@link fromLooopy}. */
export interface FromLooopyOptions {
  /**
   * The context of events that state none. Omitted: the one in the id of the SSE message (`<contextId>-<n>`),
   * otherwise the id of the task, reported as `inferred:contextId`.
   */
  readonly contextId?: string
  /**
   * The clock, for events without a timestamp. Returns the current time as a `Date`, as milliseconds since 1970, or
   * as an RFC 3339 timestamp with time zone. Omitted: 1970-01-01T00:00:00Z. Reported as `inferred:timestamp`.
   */
  readonly now?: () => Date | number | string
  /**
   * Whether users see the text of an error of the server, which may quote keys, addresses and prompts. `false`: they see
   * that the agent failed, and the text is in the `details` of the error, for operators.
   *
   * @defaultValue `false`
   */
  readonly showErrors?: boolean
}
