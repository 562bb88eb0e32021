/** What every {@link EventLog} must do, as functions that test it. They need no test framework. */
import { optional, requireFunction, requireInteger, requireOnly, requireText } from '../core/require.ts'
import { MAX_TIMEOUT_MS, pause } from '../core/timer.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import { deadlineLaws } from './deadline-laws.ts'
import type { Law } from './law.ts'
import { leaseLaws } from './lease-laws.ts'
import { lostAnswerLaws } from './lost-answer-laws.ts'
import { nameLaws } from './name-laws.ts'
import { readingLaws } from './reading-laws.ts'
import { stateLaws } from './state-laws.ts'
import { waitingLaws } from './waiting-laws.ts'
import { writingLaws } from './writing-laws.ts'

/**
 * Opens the log of a stream. Called several times with the same name, as several processes would: those logs must hold the same
 * events. Calls with a new name open an empty log.
 */
export type OpenLog = (stream: string) => EventLog | Promise<EventLog>

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
  readonly openUnreliable?: OpenLog
  /**
   * Opens the log of a stream whose server answers nothing any more once it is open. Its deadline must be less than a quarter of
   * `timeoutMs`. Omitted: that calls end then is not tested.
   */
  readonly openSilent?: OpenLog
  /**
   * Makes the leases of some writers expire, as if their processes had stood still until then: for example, sets a clock
   * ahead. The leases of others may expire with them. Omitted: the leases of a `LeaseLog` are not tested.
   *
   * @param writers - The logs, as `openLog` returned them.
   */
  readonly expireLeases?: (writers: readonly EventLog[]) => void | Promise<void>
  /**
   * Called with the name of each law that is not tested, because the log has not what it is about, such as `appendIf`, or an
   * option is missing. Omitted: nothing is.
   */
  readonly onSkipped?: (law: string) => void
}

/** One law of logs. */
export interface EventLogLaw {
  /** What holds, such as `aborting ends the wait with an empty batch`. */
  readonly name: string
  /**
   * Tests it.
   *
   * @throws TypeError if `openLog` is not a function or an option is invalid. Rejects with an Error that names the law if it is
   * broken.
   */
  run(openLog: OpenLog, options?: EventLogLawOptions): Promise<void>
}

const hookNames = ['openUnreliable', 'openSilent', 'expireLeases', 'onSkipped'] as const

/** How long readers have to begin to wait. */
const SETTLE_MS = 50

/**
 * The laws of {@link eventLogLaw}, to test each on its own.
 *
 * @example
 * ```ts
 * for (const law of eventLogLaws) test(law.name, () => law.run((stream) => openMyLog(stream)))
 * ```
 */
export const eventLogLaws: readonly EventLogLaw[] = /* @__PURE__ */ lawsOf({
  ...readingLaws,
  ...waitingLaws,
  ...writingLaws,
  ...nameLaws,
  ...lostAnswerLaws,
  ...deadlineLaws,
  ...stateLaws,
  ...leaseLaws,
})

/**
 * Tests an implementation of `EventLog`: order and numbers of events, reading without gaps in pages, filters,
 * resets for every kind of cursor, waiting, aborting, closing, concurrent writers, `parentTaskId` of subtasks, names and ids
 * of any characters, and the snapshot if there is one; of a `StateLog`, that `appendIf` is atomic. With `openUnreliable`, that
 * an event which is appended again is stored once; with `openSilent`, that every call ends; with `expireLeases`, the leases of a
 * `LeaseLog`: one heir, and no event of a late writer.
 *
 * The logs must keep 500 events of 1 KiB. What a log evicts, and what it does when its server fails in other ways, are tests of
 * your own.
 *
 * @param openLog - Opens the log of a stream. Called several times with the same name, as several processes would: those
 * logs must hold the same events. Calls with a new name open an empty log.
 * @throws TypeError if `openLog` is not a function or an option is invalid.
 * @returns a promise that rejects with an Error naming the first law that is broken.
 *
 * @example
 * ```ts
 * test('my log', () => eventLogLaw((stream) => openMyLog(stream), { prefix: crypto.randomUUID() }))
 * ```
 */
export async function eventLogLaw(openLog: OpenLog, options: EventLogLawOptions = {}): Promise<void> {
  for (const { run } of eventLogLaws) await run(openLog, options)
}

function lawsOf(laws: Readonly<Record<string, Law>>): readonly EventLogLaw[] {
  return Object.entries(laws).map(([name, check]) => ({
    name,
    run: (openLog, options = {}) => test(name, check, openLog, options),
  }))
}

async function test(law: string, check: Law, openLog: OpenLog, options: EventLogLawOptions): Promise<void> {
  const { prefix, seed, timeoutMs, onSkipped, ...hooks } = checked(openLog, options)
  const { openUnreliable, openSilent, expireLeases } = hooks
  const stream = `${prefix}/${law.replaceAll(' ', '-')}`
  try {
    const checking = check({
      ...{ stream, seed, timeoutMs, open: async (name = stream) => openLog(name) },
      openUnreliable: openUnreliable && (async () => openUnreliable(stream)),
      openSilent: openSilent && (async () => openSilent(stream)),
      expireLeases: expireLeases && (async (writers) => expireLeases(writers)),
      settle: () => pause(Math.min(SETTLE_MS, timeoutMs / 5)),
    })
    if ((await within(timeoutMs, checking)) === 'skipped') onSkipped?.(law)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The log breaks the law "${law}". ${reason}`, { cause: error })
  }
}

function checked(openLog: OpenLog, options: EventLogLawOptions) {
  requireFunction('openLog', openLog)
  requireOnly('options', options, ['prefix', 'seed', 'timeoutMs', ...hookNames])
  for (const name of hookNames) optional(requireFunction, name, options[name])
  const { prefix = 'law', seed = 1, timeoutMs = 10_000, ...hooks } = options
  requireText('prefix', prefix)
  requireInteger('seed', seed, 0)
  requireInteger('timeoutMs', timeoutMs, 1)
  return { ...hooks, prefix, seed, timeoutMs }
}

/** Rejects if a promise does not settle in time. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`Expected an answer within ${ms} ms, got none.`))
    const timer = setTimeout(fail, Math.min(ms, MAX_TIMEOUT_MS))
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
