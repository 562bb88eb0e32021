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
  requireOnly,
} from '../core/require.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import type { LogLimits } from '../streams/log/memory/log-state.ts'
import { KeptLog } from '../streams/serve/kept-log.ts'
import { within } from './deadline.ts'
import { storesState } from './one-process.ts'
import { type OnInput, type OpenedStream, openStream, type StreamSettings } from './open-stream.ts'
import type { Stream } from './stream.ts'
import { nameOf, type StreamName } from './stream-name.ts'

/** Options of {@link Store.open}. */
export interface OpenOptions {
  /** Whether to create the stream if it does not exist. @defaultValue true */
  readonly create?: boolean
  /**
   * Called with new input for an agent, once for each command that was accepted: run a task with it. It has taken the input
   * when it returns; a promise that it returns is not awaited, and `input-failed` is reported if it rejects. If it
   * throws, `submit` rejects, and the input may be sent again.
   *
   * Input is stored before it is handed over. If this process stops in between, the next one that opens the stream with
   * `onInput` hands it over, a second time if it stopped right after: compare `commandId`. Used by the first call that has one. Omitted: new input
   * is refused as `unsupported`.
   */
  readonly onInput?: OnInput
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
  /** Releases all streams: for the end of a process. What is stored is kept. */
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
   * so that only this process keeps the rules. What it throws is ignored. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Options of {@link logStore}. */
export interface LogStoreOptions extends StoreOptions {
  /**
   * Opens the log of a stream: an `EventLog`, or a `StateLog`, which keeps the rules across processes. Returns `undefined`
   * if there is none and `create` is `false`.
   */
  readonly open: (
    stream: string,
    options: { readonly create: boolean },
  ) => EventLog | undefined | Promise<EventLog | undefined>
}

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions extends StoreOptions {
  /** How much each stream keeps. Omitted limits have their defaults. */
  readonly limits?: Partial<LogLimits>
  /**
   * How many streams are kept: from 1. One more, and the one that was opened least recently is gone.
   *
   * @defaultValue 10 000
   */
  readonly maxStreams?: number
}

/** The names of {@link StoreOptions}. */
export const optionNames: readonly string[] = [
  ...ledgerOptionNames,
  'timeoutMs',
  'now',
  'onError',
  'onDiagnostic',
]

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
  requireOnly('options', options, [...optionNames, 'open'])
  const { open, ...others } = options
  requireFunction('open', open)
  return storeOf(settingsOf(others), open, (stream) => ({
    code: 'one-process',
    message: `Expected a log with loadState and appendIf for stream "${stream}", got one without: approvals and answers are enforced in this process only.`,
    detail: { stream },
  }))
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
  requireOnly('options', options, [...optionNames, 'limits', 'maxStreams'])
  const { limits, maxStreams = 10_000, ...others } = options
  requireInteger('maxStreams', maxStreams, 1)
  const settings = settingsOf(others)
  const logs = new Map<string, EventLog>()
  const store = storeOf(settings, (stream, { create }) => {
    const known = logs.get(stream)
    if (known !== undefined || !create) return known
    const epoch = randomId()
    const log = new KeptLog({ stream, epoch, ...(limits && { limits }) }, settings.now, settings.onDiagnostic)
    logs.set(stream, log)
    const [oldest] = logs.keys()
    if (logs.size > maxStreams && oldest !== undefined) {
      logs.delete(oldest)
      store.release(oldest)
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
  const { timeoutMs = 10_000, now = Date.now, onError, onDiagnostic, ...ledger } = options
  requireInteger('timeoutMs', timeoutMs, 1)
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
  return { timeoutMs, now, ledger, onError, onDiagnostic: onDiagnostic && report }
}

/**
 * @param warning - What is reported of a log that stores no state. Omitted: nothing, since no other process can reach it.
 */
export function storeOf(
  settings: StreamSettings,
  open: LogStoreOptions['open'],
  warning?: (stream: string) => Diagnostic,
): Store & { release(stream: string): void } {
  const streams = new Map<string, Promise<OpenedStream | undefined>>()

  async function opened(
    name: string,
    create: boolean,
    owner: string | undefined,
  ): Promise<OpenedStream | undefined> {
    const what = `the opening of stream "${name}"`
    const log = await within(settings.timeoutMs, what, async () => open(name, { create }))
    if (log === undefined) return undefined
    if (typeof (log as Partial<EventLog> | null)?.read !== 'function') throw mismatch('open()', 'a log', log)
    if (warning !== undefined && !storesState(log)) settings.onDiagnostic?.(warning(name))
    const stream = { name, ...(owner !== undefined && { owner }) }
    return openStream(stream, log, settings, () => streams.delete(name))
  }

  /** The stream that is open, or one that is opened now. One that is not there, or fails to open, is tried again. */
  function find(name: string, create: boolean, owner: string | undefined): Promise<OpenedStream | undefined> {
    const known = streams.get(name)
    if (known !== undefined) return known
    const opening = opened(name, create, owner)
    streams.set(name, opening)
    const forget = (): void => {
      if (streams.get(name) === opening) streams.delete(name)
    }
    opening.then((found) => found ?? forget(), forget)
    return opening
  }

  return {
    async open(given: StreamName, options: OpenOptions = {}) {
      requireOnly('options', options, ['create', 'onInput'])
      const { create = true, onInput } = options
      requireBoolean('create', create)
      optional(requireFunction, 'onInput', onInput)
      const name = nameOf(given)
      // While it was looked for by a call that does not create it, another may.
      const owner = typeof given === 'string' ? undefined : given.owner
      const found =
        (await find(name, create, owner)) ?? (create ? await find(name, create, owner) : undefined)
      if (onInput !== undefined) await found?.listen(onInput)
      return found?.stream as Stream
    },
    release(name) {
      void streams.get(name)?.then((found) => found?.stream.release())
    },
    async close() {
      const all = await Promise.allSettled(streams.values())
      await Promise.allSettled(all.map((each) => each.status === 'fulfilled' && each.value?.stream.release()))
    },
  }
}
