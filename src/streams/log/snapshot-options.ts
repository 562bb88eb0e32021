/** How much a caller wants from {@link EventLog.snapshot}, checked. */
import { optional, requireInteger, requireOnly } from '../../core/require.ts'

/** Options of {@link EventLog.snapshot}. */
export interface SnapshotOptions {
  /**
   * Maximum size of the events in bytes of UTF-8 JSON, from 1, as the filter returns them: the newest root tasks, and those that have
   * not ended. A root task that is larger comes alone. {@link Snapshot.older} names where older ones end. Omitted: what the
   * log keeps.
   */
  readonly maxBytes?: number | undefined
}

/**
 * Checks the options of {@link EventLog.snapshot}: for a log of your own.
 *
 * @param options - Omitted: none.
 * @throws TypeError that names the option which is unknown or invalid.
 */
export function requireSnapshotOptions(options: SnapshotOptions = {}): SnapshotOptions {
  requireOnly('options', options, ['maxBytes'])
  const { maxBytes } = options
  optional((name, value) => requireInteger(name, value, 1), 'maxBytes', maxBytes)
  return { maxBytes }
}
