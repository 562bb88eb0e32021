/** Options of `fromAgUi`. */

import { optional, requireBoolean, requireFunction, requireOnly, requireText } from '../../../core/require.ts'

/** Options of {@link fromAgUi}. */
export interface FromAgUiOptions {
  /** The `contextId` of all events. Omitted: the `threadId` of the run. Not empty. */
  readonly contextId?: string
  /** The user who answers interrupts: the `userId` of `input-received`. Not empty. Omitted: `user`. */
  readonly userId?: string
  /**
   * The clock, for events without a `timestamp`: milliseconds since 1970. Omitted: they get the time of the event before,
   * or 1970, reported as `inferred:timestamp` the first time.
   */
  readonly now?: () => number
  /**
   * Whether to read what `toAgUi` with `extension: true` writes: runs marked by it give the original events, as they were.
   * Only for servers that are trusted, as they then choose all fields of the events, ids and audiences included.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
}

/**
 * Requires valid options.
 *
 * @throws TypeError naming the option.
 */
export function requireOptions(options: FromAgUiOptions): void {
  requireOnly('options', options, ['contextId', 'userId', 'now', 'extension'])
  optional(requireText, 'contextId', options.contextId)
  optional(requireText, 'userId', options.userId)
  optional(requireFunction, 'now', options.now)
  optional(requireBoolean, 'extension', options.extension)
}
