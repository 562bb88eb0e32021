/** A ledger in Redis: any number of processes take commands, and each is applied once. */

import type { Ledger, LedgerListener } from '../../commands/kept/ledger.ts'
import { receiptIn, requireSender } from '../../commands/kept/receipt-in.ts'
import { ledgerWaits } from '../../commands/kept/waits.ts'
import { type CommandLedgerState, commandLedger, type LedgerOptions } from '../../commands/ledger/ledger.ts'
import type { LedgerInput, LedgerOutput } from '../../commands/ledger/types.ts'
import { optional, requireFunction, requireObject } from '../../core/require.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { commandsOf } from '../client.ts'
import { Keeper } from '../keeper.ts'
import { operationsOf } from '../operations.ts'
import { type RedisLogOptions, settingsOf } from '../options.ts'
import { Reader } from '../reader.ts'
import { subscribe } from '../subscriptions.ts'
import { LedgerStore } from './store.ts'

/** Options of {@link redisLedger}. `now` is the clock of the answers: the same for all processes. */
export interface RedisLedgerOptions
  extends Pick<RedisLogOptions, 'client' | 'stream' | 'prefix' | 'expireMs' | 'retryMs' | 'sleep'>,
    LedgerOptions {
  /** Called with new input for the agent, and with tasks that are to stop, in the process that took the command. */
  readonly onOutput?: LedgerListener
  /** Returns the current time in milliseconds since 1970. Defaults to the platform's clock. */
  readonly now?: () => number
}

/** How long a process waits for a message before it asks Redis. */
const POLL_MS = 5000
/** The same without a connection for messages. */
const POLL_UNSUBSCRIBED_MS = 250

/**
 * Opens the ledger of a stream in Redis 7 or later. It reads the events that {@link redisLog} appends to the same
 * `stream` with the same `prefix`, and stores its state beside them: an answer and the events that follow are one
 * atomic step, however many processes receive it, and whichever of them stop.
 *
 * All functions reject with a {@link RedisLogError} if Redis cannot be reached.
 *
 * @throws TypeError if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const ledger = await redisLedger({ client, stream: 'context/ctx-1' })
 * const receipt = await ledger.submit(await request.json(), { role: 'user', id: userId })
 * ```
 */
export async function redisLedger(options: RedisLedgerOptions): Promise<Ledger> {
  requireObject('options', options)
  const { maxEntries, maxAnswerChars, validate, onOutput, now = Date.now, ...log } = options
  requireFunction('now', now)
  optional(requireFunction, 'onOutput', onOutput)
  const machine = commandLedger({
    ...(maxEntries !== undefined && { maxEntries }),
    ...(maxAnswerChars !== undefined && { maxAnswerChars }),
    ...(validate !== undefined && { validate }),
  })
  const settings = settingsOf(log)
  const { client, stream } = settings
  const commands = commandsOf(client)
  const operations = operationsOf({ ...settings, commands })
  const reader = new Reader(settings, operations, () => undefined)
  const keeper = new Keeper(settings, operations, reader)
  const store = new LedgerStore(machine, stream, { operations, reader, keeper })
  const closed = new AbortController()
  const time = (): string => new Date(readMilliseconds(now)).toISOString()
  let queue: Promise<unknown> = Promise.resolve()
  let isFollowing = false

  /** One after the other: the store keeps the state that it has read. */
  function inOrder<T>(task: () => Promise<T>): Promise<T> {
    const done = queue.then(task)
    queue = done.catch(() => undefined)
    return done
  }

  async function refresh(): Promise<void> {
    waits.update(await inOrder(() => store.load()))
  }

  async function apply(inputOf: () => LedgerInput): Promise<readonly LedgerOutput[]> {
    const { state, out } = await inOrder(() => store.apply(inputOf))
    waits.update(state)
    for (const output of out) if (output.type === 'send' || output.type === 'cancel') onOutput?.(output)
    return out
  }

  /** Reads what other processes have stored, from the first wait on. */
  async function follow(): Promise<void> {
    const subscription = subscribe(client, commands, operations.channel)
    try {
      const hasMessages = await subscription.ready(POLL_UNSUBSCRIBED_MS, closed.signal)
      while (!closed.signal.aborted) {
        // If Redis cannot be reached now, the next attempt may.
        await refresh().catch(() => undefined)
        await subscription.change(hasMessages ? POLL_MS : POLL_UNSUBSCRIBED_MS, closed.signal)
      }
    } finally {
      subscription.end()
    }
  }

  const initial: CommandLedgerState = await store.load()
  const waits = ledgerWaits({
    initial,
    now,
    onExpiry: () => {
      apply(() => ({ type: 'time', at: time() })).catch(() => undefined)
    },
    onWait: () => {
      if (!isFollowing) void follow()
      isFollowing = true
    },
  })
  waits.update(initial)
  return {
    async submit(command, sender) {
      requireSender(sender)
      return receiptIn(await apply(() => ({ type: 'command', command, sender, at: time() })))
    },
    answer: waits.answer,
    signalOf: waits.signalOf,
    close() {
      closed.abort()
      waits.close()
    },
  }
}
