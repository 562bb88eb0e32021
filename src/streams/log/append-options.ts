/** What a caller wants from {@link EventLog.append}, checked. */
import { optional, requireOnly, requireSignal } from '../../core/require.ts'

/** Options of {@link EventLog.append}. */
export interface EventLogAppendOptions {
  /**
   * Aborting it ends the call: nobody waits for it any more. It rejects with the reason of the signal, and the event may have been
   * stored or not, as after any rejection. What has not been sent by then is not. Omitted: the call ends by itself.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks the options of {@link EventLog.append}: for a log of your own.
 *
 * @param options - Omitted: none.
 * @throws TypeError that names the option which is unknown or invalid; the reason of a signal that is aborted already.
 */
export function requireAppendOptions(options: EventLogAppendOptions = {}): EventLogAppendOptions {
  requireOnly('options', options, ['signal'])
  const { signal } = options
  optional(requireSignal, 'signal', signal)
  signal?.throwIfAborted()
  return { signal }
}

/** Whether an append was rejected although its event may be stored, now or later. */
export function isUnavailable(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null | undefined)?.code === 'unavailable'
}
