/** A ledger in Redis: any number of processes take commands, and each is applied once. */

import { type Delivery, Handover } from '../../commands/kept/handover.ts'
import type { Ledger, LedgerListener } from '../../commands/kept/ledger.ts'
import { queueOf } from '../../commands/kept/queue.ts'
import { receiptIn, requireSender } from '../../commands/kept/receipt-in.ts'
import { sendsIn } from '../../commands/kept/untaken.ts'
import { ledgerWaits } from '../../commands/kept/waits.ts'
import { type CommandLedgerState, type LedgerOptions, ledgerMachine } from '../../commands/ledger/ledger.ts'
import { isObsolete } from '../../commands/ledger/obsolete.ts'
import { openRequests } from '../../commands/ledger/read.ts'
import type { Diagnostic } from '../../core/machine.ts'
import { optional, requireFunction, requireObject } from '../../core/require.ts'
import { pause, startTimer, stopTimer } from '../../core/timer.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { requireEvent } from '../../streams/log/require-event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { commandsOf } from '../client.ts'
import { Keeper } from '../keeper.ts'
import { operationsOf } from '../operations.ts'
import { type RedisLogOptions, settingsOf } from '../options.ts'
import { Reader } from '../reader.ts'
import { RedisLogError } from '../redis-log-error.ts'
import { subscribe } from '../subscriptions.ts'
import { type Change, InputQueue, keyOf, type StoredSend } from './input-queue.ts'
import { type Applied, type InputOf, LedgerStore } from './store.ts'

/** Options of {@link redisLedger}. `now` is the clock of the answers: the same for all processes. */
export interface RedisLedgerOptions
  extends Pick<RedisLogOptions, 'client' | 'stream' | 'prefix' | 'expireMs' | 'retryMs' | 'sleep'>,
    LedgerOptions {
  /**
   * Called with new input for the agent, and with tasks that are to stop, in the process that took the command. If it has
   * stopped before the input was taken, another process with `onOutput` hands it over a second later, or once the command
   * is sent again. Until then, a repeated command waits for up to 3 seconds. Omitted: a
   * `task.send` is refused as `unsupported`.
   */
  readonly onOutput?: LedgerListener
  /**
   * Called with each diagnostic of `commandLedger`, perhaps in several processes; with `dropped:<kind>` of
   * `appendUnlessLate`, and with `output-not-taken` for a cancel that `onOutput` has not taken. What it throws is ignored.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Returns the current time in milliseconds since 1970. Defaults to the platform's clock. */
  readonly now?: () => number
}

/** A ledger in Redis. */
export interface RedisLedger extends Ledger {
  /**
   * Appends an event of the agent unless it comes too late by what all processes have stored, in one atomic step: the end
   * of a request that was answered, canceled or has expired meanwhile, the end of a call whose result the client has
   * sent, or a status that waits for requests which were answered before. Such an event is reported as `dropped:<kind>`.
   *
   * Of two processes that end the same request, the first one wins. `runTask` appends these kinds by this function.
   * Append all others with the log: it holds the lease of the task.
   *
   * @throws TypeError if the event is invalid, or the log is closed.
   */
  appendUnlessLate(event: ContextAnyEvent): Promise<void>
}

/** After this, a ledger reads what others store even if nobody waits: one for a single request is closed by then. */
const FOLLOW_MS = 1000
/** How long a command that is repeated waits for its input to be taken, and how often it looks. */
const UNTAKEN_MS = 3000
const UNTAKEN_POLL_MS = 50
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
export async function redisLedger(options: RedisLedgerOptions): Promise<RedisLedger> {
  requireObject('options', options)
  const { maxEntries, maxAnswerChars, validate, onOutput, onDiagnostic, now = Date.now, ...log } = options
  requireFunction('now', now)
  optional(requireFunction, 'onOutput', onOutput)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  const machine = ledgerMachine(
    {
      ...(maxEntries !== undefined && { maxEntries }),
      ...(maxAnswerChars !== undefined && { maxAnswerChars }),
      ...(validate !== undefined && { validate }),
    },
    onOutput !== undefined,
  )
  const settings = settingsOf(log)
  const { client, stream } = settings
  const commands = commandsOf(client)
  const operations = operationsOf({ ...settings, commands })
  const reader = new Reader(settings, operations, () => undefined)
  const keeper = new Keeper(settings, operations, reader)
  const store = new LedgerStore(machine, stream, {
    ...{ operations, reader, keeper, sleep: settings.sleep },
  })
  const handover = new Handover({ onOutput, onDiagnostic })
  const inputs = new InputQueue(handover, () => void apply().catch(() => undefined))
  const closed = new AbortController()
  const time = (): string => new Date(readMilliseconds(now)).toISOString()
  // Ledgers of one process wait for each other instead of contending in Redis.
  const inOrder = queueOf(client, operations.key)
  let state: CommandLedgerState = machine.initial
  let isFollowing = false

  /** Takes over what is stored, and hands over what follows. */
  function follows(applied: Applied): Delivery {
    state = applied.state
    waits.update(state)
    const delivery = handover.deliver(applied.out)
    handover.report(applied.diagnostics)
    return delivery
  }

  /** Applies an input, and hands over what follows before the next one. */
  function apply(inputOf?: InputOf): Promise<Applied> {
    return inOrder(async () => {
      // Without onOutput, nobody is to take input.
      const applied = await store.apply(inputOf, (stored, sends) =>
        onOutput === undefined ? stored : inputs.add(stored, sends),
      )
      const { returned, errors } = follows(applied)
      const refused = new Set(returned.map(keyOf))
      inputs.note(sendsIn(applied.out).filter((send) => !refused.has(keyOf(send))))
      for (const input of returned) {
        // The sender may send it again.
        const stored = await store.apply(
          () => input,
          (all) => all.filter((each) => keyOf(each) !== keyOf(input)),
        )
        follows(stored)
      }
      const untaken = returned.length > 0 ? [] : await settle(applied.untaken)
      if (errors.length > 0) throw errors[0]
      return { ...applied, untaken }
    })
  }

  /** Hands over what is stored for this ledger. What fails is tried again, and changes no receipt. */
  async function settle(stored: readonly StoredSend[]): Promise<readonly StoredSend[]> {
    if (onOutput === undefined || stored.length === 0) return stored
    let left = stored
    const change = async (to: Change): Promise<readonly StoredSend[]> => {
      const applied = await store.apply(undefined, to)
      follows(applied)
      left = applied.untaken
      return left
    }
    const isLeft = await inputs.settle(stored, change).catch(() => true)
    if (isLeft) waits.retry()
    return left
  }

  /** Reads what other processes have stored: once somebody waits, and to let requests expire. */
  async function follow(): Promise<void> {
    if (isFollowing || closed.signal.aborted) return
    isFollowing = true
    const subscription = subscribe(client, commands, operations.channel)
    try {
      const hasMessages = await subscription.ready(POLL_UNSUBSCRIBED_MS, closed.signal)
      while (!closed.signal.aborted) {
        // If Redis cannot be reached now, the next attempt may.
        await apply().catch(() => undefined)
        await subscription.change(hasMessages ? POLL_MS : POLL_UNSUBSCRIBED_MS, closed.signal)
      }
    } finally {
      subscription.end()
    }
  }

  const waits = ledgerWaits({
    initial: state,
    now,
    onExpiry: () => apply(() => ({ type: 'time', at: time() })),
    onWait: () => void follow(),
  })
  await apply()
  const following = startTimer(() => void follow(), FOLLOW_MS)
  return {
    get state() {
      return state
    },
    async submit(command, sender) {
      requireSender(sender)
      for (let waited = 0; ; waited += UNTAKEN_POLL_MS) {
        const { out, untaken } = await apply(() => ({ type: 'command', command, sender, at: time() }))
        const receipt = receiptIn(out)
        const key = keyOf({ sender, command })
        const isWaiting = receipt.status === 'repeated' && untaken.some((each) => keyOf(each) === key)
        if (!isWaiting) return receipt
        if (waited >= UNTAKEN_MS) {
          const message = `Expected the input of command "${receipt.commandId}" to be taken within ${UNTAKEN_MS} ms. Send it again.`
          throw new RedisLogError('unavailable', message)
        }
        await pause(UNTAKEN_POLL_MS)
      }
    },
    async appendUnlessLate(value) {
      const event = requireEvent(value)
      let late: Diagnostic | undefined
      await apply((latest) => {
        late = isObsolete(latest, event)
        return late === undefined ? { type: 'event', event } : undefined
      })
      if (late !== undefined) handover.report([late])
    },
    async requests() {
      await apply()
      return openRequests(state)
    },
    answer: waits.answer,
    signalOf: waits.signalOf,
    close() {
      closed.abort()
      stopTimer(following)
      inputs.close()
      waits.close()
    },
  }
}
