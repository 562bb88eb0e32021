/** Showing a stream: reconnects, resumes, folds. */
import type { Diagnostic } from '../../core/machine.ts'
import {
  optional,
  requireFunction,
  requireInteger,
  requireObject,
  requireOnly,
  requireSignal,
} from '../../core/require.ts'
import { sleep as platformSleep } from '../../core/timer.ts'
import type { EventDecoderOptions } from '../../event-stream/event-decoder.ts'
import { type Cursor, requireCursor } from '../log/cursor.ts'
import { batchDecoder } from '../log/wire/batch-decoder.ts'
import { complete } from '../view/fold/complete.ts'
import { requireFeatures, type ViewFeatures } from '../view/fold/features.ts'
import { requireView } from '../view/require-view.ts'
import { emptyView, type View } from '../view/view.ts'
import type { Connection } from './connection.ts'
import { Waits } from './waits.ts'
import { type Watched, Watcher } from './watcher.ts'

/** Options of {@link watchStream}. */
export interface WatchOptions extends EventDecoderOptions {
  /** Aborting it cancels the connection and ends the generator without an error. */
  readonly signal?: AbortSignal | undefined
  /** The view to start from: one that was yielded, with its `cursor`. Defaults to {@link emptyView}. */
  readonly view?: View | undefined
  /** Where to resume: the cursor yielded with `view`. Omitted: at the beginning of the stream. */
  readonly cursor?: Cursor | undefined
  /** Called with each diagnostic: `disconnected`, `unknown-stream`, and those of {@link batchDecoder}. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /**
   * The longest wait before the first attempt to reconnect, in milliseconds, at least 1. Replaced by a longer `retry` of
   * the server, and doubled with each attempt that brings nothing new. No wait is shorter than half of it, so that no
   * server, whatever it sends, gets more than one connection in that time: by default, four a second.
   *
   * @defaultValue 500
   */
  readonly minDelayMs?: number
  /**
   * The longest wait before any attempt, in milliseconds, at least 1. A `Retry-After` of the server is added to it.
   *
   * @defaultValue 30 000
   */
  readonly maxDelayMs?: number
  /**
   * How long to wait for a response, or for the next bytes of one, in milliseconds, at least 1, before reconnecting.
   * Longer than the time between two heartbeats of the server. `Infinity`: forever.
   *
   * @defaultValue 45 000
   */
  readonly idleTimeoutMs?: number
  /** Waits `ms` milliseconds; `signal` is aborted if the wait ends early. Defaults to a timer. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Returns a number from 0 to 1, for the jitter. Defaults to `Math.random`. */
  readonly random?: () => number
  /** The current time in milliseconds since 1970. Defaults to `Date.now`. */
  readonly now?: () => number
}

/**
 * Reads a stream to its end, over as many connections as it takes, and folds it into a view.
 *
 * Yields after each batch, reset, gap, duplicate and the end, with the view and the cursor after it. Every event is
 * folded exactly once, wherever connections break. To continue later, or on another device, store `view` and `cursor`
 * of the same item and pass both.
 *
 * Ends when the stream is closed, on status 204, and when `signal` is aborted. Reconnects in all other cases, with
 * exponential backoff and jitter: after the end or an error of a connection, a rejection of `connect`, statuses 5xx,
 * 408, 425 and 429, a time without data, and a gap. The backoff starts again after new events, and after a connection that
 * lasted for `maxDelayMs`, unless it brought only messages of another protocol. There is no last attempt: to end after
 * some, abort `signal` when `detail.failures` of `disconnected` is too high.
 *
 * Diagnostics: `disconnected` each time before it reconnects; `detail` has the `reason` (`rejected`, `status`, `broken`,
 * `ended`, `idle` or `gap`), `delayMs`, the number of `failures` in a row, and `status` or `error` where there is one.
 * `unknown-stream` for the 32nd dropped message of a connection that has brought nothing else; no more are reported until
 * it does: the server may speak another protocol. Also those of {@link batchDecoder}.
 *
 * @param connect - Opens a connection, such as by `fetch`. Gets the value for the `Last-Event-ID` header, `undefined` at the
 * beginning of the stream, and a signal that is aborted when the connection is no longer needed.
 *
 * @throws TypeError if an option is invalid; from the generator if `connect` returns anything but a connection.
 * @throws {@link ResponseError} from the generator for a response with any other status, such as 401, 403 or 404, or that is
 * not an event stream.
 * @throws {@link UnknownStreamError} from the generator, with the code `unknown-stream`, after a connection that came to its
 * end and brought only messages without a position, or no events, if none before it brought anything: a server without
 * ids, such as `eventStream` of events alone, or of another protocol.
 *
 * @example
 * ```ts
 * const connect = (lastEventId: string | undefined, signal: AbortSignal) =>
 *   fetch('/stream', { headers: lastEventId ? { 'last-event-id': lastEventId } : {}, signal })
 * for await (const { view } of watchStream(connect)) render(view)
 * ```
 */
export function watchStream(
  connect: (lastEventId: string | undefined, signal: AbortSignal) => Connection | Promise<Connection>,
  options: WatchOptions = {},
): AsyncGenerator<Watched, void, undefined> {
  requireObject('options', options)
  return watchStreamWith(connect, { ...options, ...complete })
}

const names = [
  ...['signal', 'view', 'cursor', 'onDiagnostic', 'maxMessageSize', 'maxDepth', 'minDelayMs', 'maxDelayMs'],
  ...['idleTimeoutMs', 'sleep', 'random', 'now', 'artifactPatches', 'partialArguments'],
]

/** Options of {@link watchStreamWith}. */
export interface WatchWithOptions extends WatchOptions, ViewFeatures {}

/**
 * Like {@link watchStream}, but shows patches of artifacts and unfinished arguments only if the code for them is passed in,
 * for pages that must load fast. {@link ViewFeatures} states what is shown without.
 *
 * @throws TypeError if an option is invalid. All else is as with {@link watchStream}.
 *
 * @example
 * ```ts
 * for await (const { view } of watchStreamWith(connect, { artifactPatches: applyArtifactPatch })) render(view)
 * ```
 */
export function watchStreamWith(
  connect: (lastEventId: string | undefined, signal: AbortSignal) => Connection | Promise<Connection>,
  options: WatchWithOptions = {},
): AsyncGenerator<Watched, void, undefined> {
  requireFunction('connect', connect)
  requireOnly('options', options, names)
  requireFeatures(options)
  const { signal, view = emptyView, cursor, onDiagnostic, maxMessageSize, maxDepth } = options
  const { minDelayMs = 500, maxDelayMs = 30_000, idleTimeoutMs = 45_000 } = options
  const { sleep = platformSleep, random = Math.random, now = Date.now } = options
  const { artifactPatches, partialArguments } = options
  optional(requireSignal, 'signal', signal)
  requireView(view)
  optional(requireCursor, 'cursor', cursor)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  requireInteger('minDelayMs', minDelayMs, 1)
  requireInteger('maxDelayMs', maxDelayMs, 1)
  if (idleTimeoutMs !== Infinity) requireInteger('idleTimeoutMs', idleTimeoutMs, 1)
  requireFunction('sleep', sleep)
  requireFunction('random', random)
  requireFunction('now', now)
  const limits = {
    ...(maxMessageSize !== undefined && { maxMessageSize }),
    ...(maxDepth !== undefined && { maxDepth }),
    inexactNumbers: onDiagnostic !== undefined,
  }
  // Checks the limits now and not at the first connection.
  batchDecoder(limits)
  const waits = new Waits(sleep, now)
  const features = { artifactPatches, partialArguments }
  const delays = { minDelayMs, maxDelayMs, idleTimeoutMs, random }
  const watcher = new Watcher({ connect, limits, features, view, cursor, onDiagnostic, ...delays }, waits)
  return stoppable(watcher.run(signal), waits)
}

/** A generator whose `return` and `throw` do not wait for a pending `next`. */
function stoppable<T>(
  generator: AsyncGenerator<T, void, undefined>,
  waits: Waits,
): AsyncGenerator<T, void, undefined> {
  return {
    next: () => generator.next(),
    return() {
      waits.stop()
      return generator.return()
    },
    throw(error) {
      waits.stop()
      return generator.throw(error)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
