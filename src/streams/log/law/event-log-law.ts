/** What every {@link EventLog} must do, as a function that tests it. Needs no test framework. */
import { optional, requireFunction, requireInteger, requireOnly, requireText } from '../../../core/require.ts'
import { MAX_TIMEOUT_MS } from '../../../core/timeout.ts'
import { pause } from '../../../core/timer.ts'
import type { EventLog } from '../event-log.ts'
import { eventLogLaws } from './event-log-laws.ts'

/** Options of {@link eventLogLaw}. */
export interface EventLogLawOptions {
  /**
   * Begins the name of every stream. Use a random one if logs outlive the test.
   *
   * @defaultValue 'law'
   */
  readonly prefix?: string
  /**
   * Seed of the generated events and cursors: an integer >= 0. The same seed makes the same calls.
   *
   * @defaultValue 1
   */
  readonly seed?: number
  /**
   * Milliseconds after which a call that does not return breaks a law. From 1.
   *
   * @defaultValue 10 000
   */
  readonly timeoutMs?: number
  /**
   * Opens the log of a stream over a connection that loses requests, and answers to requests that were carried out: for
   * example seven of ten. Its `append` may reject, and is called with the same event until it resolves. Omitted: what the log
   * stores then is not tested.
   */
  readonly openUnreliable?: (stream: string) => EventLog | Promise<EventLog>
}

/** How long readers have to begin to wait. */
const SETTLE_MS = 50

/**
 * Tests an implementation of {@link EventLog}: order and numbers of events, reading without gaps in pages, filters,
 * resets for every kind of cursor, waiting, aborting, closing, concurrent writers, `parentTaskId` of subtasks, names and ids
 * of any characters, and the snapshot if there is one; of a `StateLog`, that `appendIf` is atomic; with `openUnreliable`, that
 * an event which is appended again is stored once.
 *
 * The logs must keep 500 events of 1 KiB. What a log evicts, and what it does when its server fails, are tests of your
 * own.
 *
 * @param openLog - Opens the log of a stream. Called several times with the same name, as several processes would: those
 * logs must hold the same events. Calls with a new name open an empty log.
 * @throws TypeError if `openLog` is not a function or an option is invalid.
 * @returns a promise that rejects with an Error naming the broken law.
 *
 * @example
 * ```ts
 * test('my log', () => eventLogLaw((stream) => openMyLog(stream), { prefix: crypto.randomUUID() }))
 * ```
 */
export async function eventLogLaw(
  openLog: (stream: string) => EventLog | Promise<EventLog>,
  options: EventLogLawOptions = {},
): Promise<void> {
  requireFunction('openLog', openLog)
  requireOnly('options', options, ['prefix', 'seed', 'timeoutMs', 'openUnreliable'])
  const { prefix = 'law', seed = 1, timeoutMs = 10_000, openUnreliable } = options
  optional(requireFunction, 'openUnreliable', openUnreliable)
  requireText('prefix', prefix)
  optional((name, value) => requireInteger(name, value, 0), 'seed', seed)
  optional((name, value) => requireInteger(name, value, 1), 'timeoutMs', timeoutMs)
  for (const [law, check] of Object.entries(eventLogLaws)) {
    const stream = `${prefix}/${law.replaceAll(' ', '-')}`
    try {
      const checking = check({
        ...{ stream, seed, open: async (name = stream) => openLog(name) },
        openUnreliable: openUnreliable && (async () => openUnreliable(stream)),
        settle: () => pause(Math.min(SETTLE_MS, timeoutMs / 5)),
      })
      await within(timeoutMs, checking)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`The log breaks the law "${law}". ${reason}`, { cause: error })
    }
  }
}

/** Rejects if a promise does not settle in time. */
function within(ms: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`Expected an answer within ${ms} ms, got none.`))
    const timer = setTimeout(fail, Math.min(ms, MAX_TIMEOUT_MS))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
