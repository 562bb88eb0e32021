/** What a reader wants from {@link EventLog.read}, checked and with its defaults. */
import { optional, requireBoolean, requireInteger, requireOnly, requireSignal } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { StreamEvent } from './batch.ts'
import { type ReadFilter, requireReadFilter } from './read-filter.ts'

/** Options of {@link EventLog.read}. */
export interface EventLogReadOptions<E extends StreamEvent = ContextAnyEvent> {
  /** Filter of the reader. Omitted: all events are visible. */
  readonly filter?: ReadFilter<E>
  /**
   * Whether to wait for the next event, or for the end, if the reader is up to date.
   *
   * @defaultValue false
   */
  readonly wait?: boolean
  /** Aborting it ends the wait: the batch is then empty. */
  readonly signal?: AbortSignal
  /**
   * Maximum size of the events of the batch in bytes of UTF-8 JSON, from 1, as the filter returns them. A larger event is
   * returned alone. A log of your own may count hidden events too: the ends of its pages then depend on them.
   *
   * @defaultValue 65 536 (64 KiB)
   */
  readonly maxBytes?: number
}

/** What {@link requireReadOptions} returns. */
export interface RequiredReadOptions<E extends StreamEvent = ContextAnyEvent> {
  /** `undefined`: all events are visible. */
  readonly filter: ReadFilter<E> | undefined
  /** Whether to wait if there is nothing to read. */
  readonly wait: boolean
  /** Ends the wait. `undefined`: nothing does. */
  readonly signal: AbortSignal | undefined
  /** In bytes of UTF-8 JSON. */
  readonly maxBytes: number
}

/** The default of {@link EventLogReadOptions.maxBytes}. */
export const DEFAULT_MAX_BYTES = 65_536

/**
 * Checks the options of {@link EventLog.read} and adds the defaults: for a log of your own.
 *
 * @param options - Omitted: the defaults.
 * @throws TypeError that names the option which is unknown or invalid.
 */
export function requireReadOptions<E extends StreamEvent = ContextAnyEvent>(
  options: EventLogReadOptions<E> = {},
): RequiredReadOptions<E> {
  requireOnly('options', options, ['filter', 'wait', 'signal', 'maxBytes'])
  const { filter, wait = false, signal, maxBytes = DEFAULT_MAX_BYTES } = options
  optional(requireReadFilter, 'filter', filter)
  requireBoolean('wait', wait)
  optional(requireSignal, 'signal', signal)
  requireInteger('maxBytes', maxBytes, 1)
  return { filter, wait, signal, maxBytes }
}
