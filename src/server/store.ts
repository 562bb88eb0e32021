/** Stores: where streams come from. */

import { commandLedger, type LedgerOptions, ledgerOptionNames } from '../commands/ledger/ledger.ts'
import type { Diagnostic } from '../core/machine.ts'
import { randomId } from '../core/random-id.ts'
import {
  mismatch,
  optional,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireOneOf,
  requireOnly,
} from '../core/require.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import { hasLeases } from '../streams/log/lease-log.ts'
import { type LogLimits, limitsWith } from '../streams/log/memory/log-state.ts'
import { KeptLog } from '../streams/serve/kept-log.ts'
import { within } from './deadline.ts'
import type { WhileRunning } from './inputs.ts'
import { type LeaseSource, watchLeases } from './lease-watch.ts'
import { storesState } from './one-process.ts'
import { type OnInput, type OpenedStream, openStream, type StreamSettings } from './open-stream.ts'
import { StoreError } from './store-error.ts'
import type { Stream } from './stream.ts'
import { type NamePair, nameOf, type StreamName } from './stream-name.ts'
import type { OnLeaseExpired } from './take-over.ts'

/** Options of {@link Store.open}. */
export interface OpenOptions {
  /** Whether to create the stream if it does not exist. @defaultValue true */
  readonly create?: boolean
  /**
   * Called with new input for an agent, once for each command that was accepted: run a task with it. It has taken the input
   * when it returns; a promise that it returns is not awaited, and `input-failed` is reported if it rejects. If it
   * throws, `submit` rejects, and the input may be sent again.
   *
   * Input is stored before it is handed over. If this process stops before the task has begun, the next one that opens the stream with
   * `onInput` hands it over, perhaps a second time: compare `commandId`. Once the promise that it returned is settled, or `leaseMs` after
   * it returned none, input without a `run` of its task is done, and not handed over again. Used by the first call that has one.
   * Omitted: new input is refused as `unsupported`.
   */
  readonly onInput?: OnInput
  /**
   * When new input is handed over that comes while a task of its conversation runs or waits for an answer. `queue`: once that has ended, in the
   * order in which it came. Until then, the stream has a task for it with the input and the status `submitted`, which may be
   * canceled. A task runs while its `run` does, or the promise that `onInput` has returned is pending; and if the log has leases, also
   * in other processes. `refuse`: not at all, its receipt is `busy`. `parallel`: at once.
   *
   * @defaultValue 'queue'
   */
  readonly whileRunning?: WhileRunning
}

/** Opens streams. */
export interface Store {
  /**
   * Opens a stream. Two calls with the same name give the same object until it is released.
   *
   * @returns `undefined` if the stream does not exist and `create` is `false`.
   */
  open(name: StreamName, options?: OpenOptions & { readonly create?: true }): Promise<Stream>
  open(name: StreamName, options?: OpenOptions): Promise<Stream | undefined>
  /**
   * Releases all streams, and opens no more: for the end of a process. Once it has resolved, nothing but tasks that run still
   * and responses asks what stores the streams, so that its client may be closed. What is stored is kept.
   */
  close(): Promise<void>
}

/** Options of all stores. */
export interface StoreOptions extends LedgerOptions {
  /** Milliseconds after which a function of a stream rejects as `unavailable`: from 1. @defaultValue 10 000 */
  readonly timeoutMs?: number
  /** Returns the current time in milliseconds since 1970: by it requests expire. @defaultValue Date.now */
  readonly now?: () => number
  /** Called with the error of each response that ends because the log cannot be read. Must not throw. Omitted: nothing is. */
  readonly onError?: (error: unknown) => void
  /**
   * Called with each diagnostic of the ledger; `dropped:<kind>` for events that come too late; `input-not-taken` and
   * `input-failed` of `onInput`; `hidden:<field>` and `tasks-forgotten` of logs; and `one-process` if a log stores no state,
   * so that only this process keeps the rules; of leases, `leases-not-watched` and `take-over-failed`, which are tried again, and
   * `task-not-resumed` of a task that waits and that no input of a client began. What it throws is ignored. Omitted: nothing is
   * reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /**
   * How long the leases of its logs last, in milliseconds from 100: the store looks three times as often for those that have
   * expired, at first when it is created. @defaultValue 15 000
   */
  readonly leaseMs?: number
  /**
   * Called with each task whose process has stopped: its lease has expired, and the stream holds it now. Run the task, or end it;
   * the task stays held until then. If this process stops as well, the task is taken over again. If it throws, it is called again.
   *
   * Omitted: a task that waits for an answer stays open, and `onInput` is called with its input and `isResumed` once its
   * requests are closed; any other fails. A call that has started and has no result fails with `interrupted`.
   *
   * @throws TypeError when a stream is opened whose log has no leases.
   */
  readonly onLeaseExpired?: OnLeaseExpired
}

/** Options of {@link logStore}. */
export interface LogStoreOptions extends StoreOptions {
  /**
   * Opens the log of a stream: an `EventLog`, or a `StateLog`, which keeps the rules across processes. Returns `undefined`
   * if there is none and `create` is `false`; `open` of the store rejects with a TypeError if it returns no log otherwise.
   */
  readonly open: (
    stream: string,
    options: { readonly create: boolean },
  ) => EventLog | undefined | Promise<EventLog | undefined>
  /**
   * Returns the names of the streams in which a lease has expired, for logs that are `LeaseLog`s. Omitted: the store looks at the
   * streams that are open in this process, so that a task waits until somebody opens its stream.
   */
  readonly expiredStreams?: () => Promise<readonly string[]>
}

/** Options of {@link memoryStore}. Its tasks end with the process: it has no leases. */
export interface MemoryStoreOptions extends Omit<StoreOptions, 'leaseMs' | 'onLeaseExpired'> {
  /** How much each stream keeps. Omitted limits have their defaults. */
  readonly limits?: Partial<LogLimits>
  /**
   * How many streams are kept: from 1. One more, and the one that was opened least recently is gone, with the diagnostic
   * `stream-evicted`: of the oldest 100, one without a task that runs or waits for an answer, if there is one.
   *
   * @defaultValue 10 000
   */
  readonly maxStreams?: number
}

/** How many of the oldest streams are looked at for one that nobody needs. */
const LOOKED_AT = 100

/** The names of {@link StoreOptions}. */
export const optionNames: readonly string[] = [
  ...ledgerOptionNames,
  'timeoutMs',
  'now',
  'onError',
  'onDiagnostic',
]

/** The same about leases. */
export const leaseOptionNames: readonly string[] = ['leaseMs', 'onLeaseExpired']

/** The options with these names that are given: those of a store, or of its logs. */
export function pick(options: object, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => names.includes(name) && value !== undefined),
  )
}

/**
 * Creates a store of logs of your own, such as tables of a database.
 *
 * @throws TypeError if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const store = logStore({ open: (stream) => tableLog(database, stream) })
 * const stream = await store.open({ owner: userId, contextId }, { onInput: (stream, input) => answer(stream, input) })
 * ```
 */
export function logStore(options: LogStoreOptions): Store {
  requireOnly('options', options, [...optionNames, ...leaseOptionNames, 'open', 'expiredStreams'])
  const { open, expiredStreams, ...others } = options
  requireFunction('open', open)
  optional(requireFunction, 'expiredStreams', expiredStreams)
  const warning = (stream: string): Diagnostic => ({
    code: 'one-process',
    message: `Expected a log with loadState and appendIf for stream "${stream}", got one without: approvals and answers are enforced in this process only.`,
    detail: { stream },
  })
  return storeOf({ ...settingsOf(others), hasDeadlines: false }, open, {
    warning,
    leases: expiredStreams === undefined ? 'of open streams' : { due: expiredStreams },
  })
}

/**
 * Creates a store in the memory of this process.
 *
 * @throws TypeError if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const store = memoryStore()
 * const stream = await store.open('context/ctx-1')
 * return stream.respond(request)
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  requireOnly('options', options, [...optionNames, ...leaseOptionNames, 'limits', 'maxStreams'])
  for (const name of leaseOptionNames) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    if (value !== undefined) throw mismatch(name, 'omitted, because a store in memory has no leases', value)
  }
  const { limits, maxStreams = 10_000, ...others } = options
  limitsWith(limits)
  requireInteger('maxStreams', maxStreams, 1)
  const settings = settingsOf(others)
  const logs = new Map<string, EventLog>()
  const store = storeOf(settings, (stream, { create }) => {
    const known = logs.get(stream)
    if (known !== undefined || !create) return known
    const epoch = randomId()
    const log = new KeptLog({ stream, epoch, ...(limits && { limits }) }, settings.now, settings.onDiagnostic)
    logs.set(stream, log)
    if (logs.size > maxStreams) {
      const old = [...logs.keys()].slice(0, LOOKED_AT)
      const [oldest = stream] = old
      const name = old.find((each) => each !== stream && !store.isBusy(each)) ?? oldest
      logs.delete(name)
      store.release(name)
      const message = `Expected at most ${maxStreams} streams, got one more: stream "${name}" is gone.`
      settings.onDiagnostic?.({ code: 'stream-evicted', message, detail: { stream: name } })
    }
    return log
  })
  return {
    async open(name: StreamName, openOptions?: OpenOptions) {
      const stream = nameOf(name)
      const log = logs.get(stream)
      if (log !== undefined) {
        logs.delete(stream)
        logs.set(stream, log)
      }
      return store.open(name, openOptions) as Promise<Stream>
    },
    close: store.close,
  }
}

/** Fills in the defaults. Throws a TypeError for invalid options. */
export function settingsOf(options: StoreOptions): StreamSettings {
  const { timeoutMs = 10_000, now = Date.now, onError, onDiagnostic, leaseMs = 15_000, ...more } = options
  const { onLeaseExpired, ...ledger } = more
  requireInteger('timeoutMs', timeoutMs, 1)
  requireInteger('leaseMs', leaseMs, 100)
  optional(requireFunction, 'onLeaseExpired', onLeaseExpired)
  requireFunction('now', now)
  optional(requireFunction, 'onError', onError)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  // It checks its options.
  commandLedger(ledger)
  /** What it throws loses nothing. */
  const report = (diagnostic: Diagnostic): void => {
    try {
      onDiagnostic?.(diagnostic)
    } catch {}
  }
  return {
    ...{ timeoutMs, now, ledger, onError, onDiagnostic: onDiagnostic && report, leaseMs, onLeaseExpired },
    hasDeadlines: true,
  }
}

/** What a store does besides opening logs. */
export interface StoreParts {
  /** What is reported of a log that stores no state. Omitted: nothing, since no other process can reach it. */
  readonly warning?: (stream: string) => Diagnostic
  /** Where leases may have expired. Omitted: its logs have none. */
  readonly leases?: LeaseSource | 'of open streams'
}

export function storeOf(
  settings: StreamSettings,
  open: LogStoreOptions['open'],
  { warning, leases }: StoreParts = {},
): Store & { release(stream: string): void; isBusy(stream: string): boolean } {
  const { timeoutMs, leaseMs, onDiagnostic, onLeaseExpired } = settings
  const streams = new Map<string, Promise<OpenedStream | undefined>>()
  /** Those that are open by now. */
  const ready = new Map<string, OpenedStream>()
  /** The streams that somebody has opened: others are released after a take-over. */
  const wanted = new Set<string>()
  let stopWatching: (() => Promise<void>) | undefined
  let isClosed = false

  async function opened(
    name: string,
    create: boolean,
    pair: NamePair | undefined,
  ): Promise<OpenedStream | undefined> {
    const what = `the opening of stream "${name}"`
    const log = await within(timeoutMs, what, async () => open(name, { create }))
    if (log === undefined && !create) return undefined
    const { append, read, close } = (log ?? {}) as Partial<EventLog>
    const isLog = [append, read, close].every((each) => typeof each === 'function')
    if (log === undefined || !isLog) throw mismatch('open()', 'a log with append, read and close', log)
    if (onLeaseExpired !== undefined && !hasLeases(log))
      throw mismatch('open()', 'a log with leases, because "onLeaseExpired" is set', log)
    if (warning !== undefined && !storesState(log)) onDiagnostic?.(warning(name))
    if (hasLeases(log)) watch()
    const found = await openStream(name, pair, log, settings, () => {
      streams.delete(name)
      ready.delete(name)
      wanted.delete(name)
    })
    ready.set(name, found)
    return found
  }

  function watch(): void {
    if (leases === undefined) return
    const due = async (): Promise<string[]> => {
      if (leases === 'of open streams') return [...streams.keys()]
      const failed = [...ready].flatMap(([name, found]) => (found.hasFailed() ? [name] : []))
      return [...new Set([...failed, ...(await leases.due())])]
    }
    stopWatching ??= watchLeases(leaseMs / 3, due, look, (error) => {
      const message = `Expected to find expired leases, got: ${String(error)}. It is tried again.`
      onDiagnostic?.({ code: 'leases-not-watched', message })
    })
  }

  /** Takes over what has expired in a stream. */
  async function look(name: string): Promise<void> {
    // A stream that is opened after the store is closed would keep the process alive.
    if (isClosed) return
    const found = await find(name, false)
    if (found === undefined) {
      if (typeof leases === 'object') await leases.gone?.(name)
      return
    }
    const taken = await found.takeOver?.()
    // An application may run its tasks for hours.
    void taken?.done.then(async () => {
      if (!wanted.has(name) && found.hasTakenOver()) await found.stream.release().catch(() => undefined)
    })
  }

  /** The stream that is open, or one that is opened now. One that is not there, or fails to open, is tried again. */
  function find(name: string, create: boolean, pair?: NamePair): Promise<OpenedStream | undefined> {
    const known = streams.get(name)
    if (known !== undefined) return known
    const opening = opened(name, create, pair)
    streams.set(name, opening)
    const forget = (): void => {
      if (streams.get(name) === opening) streams.delete(name)
    }
    opening.then((found) => found ?? forget(), forget)
    return opening
  }

  if (typeof leases === 'object') watch()
  return {
    async open(given: StreamName, options: OpenOptions = {}) {
      requireOnly('options', options, ['create', 'onInput', 'whileRunning'])
      const { create = true, onInput, whileRunning = 'queue' } = options
      requireBoolean('create', create)
      optional(requireFunction, 'onInput', onInput)
      requireOneOf('whileRunning', whileRunning, ['queue', 'refuse', 'parallel'])
      const name = nameOf(given)
      if (isClosed)
        throw new StoreError(
          'released',
          `Expected an open store for stream "${name}", got one that is closed.`,
        )
      wanted.add(name)
      // While it was looked for by a call that does not create it, another may.
      const pair = typeof given === 'string' ? undefined : given
      const found = (await find(name, create, pair)) ?? (create ? await find(name, create, pair) : undefined)
      if (found === undefined) wanted.delete(name)
      // A take-over opens streams by their names alone.
      if (pair !== undefined) found?.namedBy(pair)
      if (onInput !== undefined) await found?.listen(onInput, whileRunning)
      return found?.stream as Stream
    },
    isBusy: (name) => ready.get(name)?.isBusy() === true,
    release(name) {
      void streams.get(name)?.then((found) => found?.stream.release())
    },
    async close() {
      isClosed = true
      // What still runs would ask a client that is closed by then.
      const stopped = Promise.resolve(stopWatching?.())
      await within(timeoutMs, 'the watch of leases', () => stopped).catch(() => undefined)
      const all = await Promise.allSettled(streams.values())
      await Promise.allSettled(all.map((each) => each.status === 'fulfilled' && each.value?.stream.release()))
    },
  }
}
