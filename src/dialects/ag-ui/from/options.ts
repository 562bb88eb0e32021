/** Options of `fromAgUi`. */

import { optional, requireBoolean, requireFunction, requireOnly, requireText } from '../../../core/require.ts'
import { readClock } from '../../../validation/callbacks.ts'

/** Options of {@link fromAgUi}. */
export interface FromAgUiOptions {
  /** The `contextId` of all events. Omitted: the `threadId` of the run. Not empty. */
  readonly contextId?: string
  /** The user who answers interrupts: the `userId` of `input-received`. Not empty. Omitted: `user`. */
  readonly userId?: string
  /**
   * The clock, for events without a `timestamp`. Returns the current time as a `Date`, as milliseconds since 1970, or as an
   * RFC 3339 date-time with time zone. If the server states other times, these events have its time: that of the last one,
   * and what has passed since.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: () => Date | number | string
  /**
   * Whether to read the events of other systems: `RAW`, and the `rawEvent` of events. They become transient events named
   * `ag-ui.raw`, for operators only, as they may contain anything. `false`: they are ignored.
   *
   * @defaultValue `false`
   */
  readonly raw?: boolean
  /**
   * Whether users see the text of an error of the server, which may quote keys, addresses and prompts. `false`: they see
   * that the agent failed, and the text is in the `details` of the error, for operators.
   *
   * @defaultValue `false`
   */
  readonly showErrors?: boolean
  /**
   * Whether to read what `toAgUi` with `extension: true` writes: runs marked by it give the original events, as they were.
   * Only for servers that are trusted, as they then choose all fields of the events, ids and audiences included.
   *
   * @defaultValue `false`
   */
  readonly extension?: boolean
}

/** Options with their defaults. */
export type Reading = FromAgUiOptions & { readonly clock: () => string }

/**
 * Requires valid options.
 *
 * @throws TypeError naming the option.
 */
export function readingOf(options: FromAgUiOptions): Reading {
  requireOnly('options', options, ['contextId', 'userId', 'now', 'raw', 'showErrors', 'extension'])
  const { contextId, userId, now = Date.now, raw, showErrors, extension } = options
  optional(requireText, 'contextId', contextId)
  optional(requireText, 'userId', userId)
  requireFunction('now', now)
  optional(requireBoolean, 'raw', raw)
  optional(requireBoolean, 'showErrors', showErrors)
  optional(requireBoolean, 'extension', extension)
  return { ...options, clock: () => readClock(now) }
}
