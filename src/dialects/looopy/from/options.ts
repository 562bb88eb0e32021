/** Options of `fromLooopy`. */

import type { ShowErrors } from '../../shared/labels.ts'

/** Options of {@link fromLooopy}. */
export interface FromLooopyOptions extends ShowErrors {
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
}
