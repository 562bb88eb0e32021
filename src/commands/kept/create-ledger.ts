/** A ledger in the memory of one process. */

import type { Diagnostic } from '../../core/machine.ts'
import { optional, requireFunction, requireObject } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { type CommandLedgerState, commandLedger, type LedgerOptions } from '../ledger/ledger.ts'
import { isObsolete } from '../ledger/obsolete.ts'
import { pendingOf, withPending } from '../ledger/pending.ts'
import { openRequests } from '../ledger/read.ts'
import type { LedgerInput, LedgerOutput } from '../ledger/types.ts'
import { Handover } from './handover.ts'
import type { LedgerListener, LocalLedger } from './ledger.ts'
import { receiptIn, requireSender } from './receipt-in.ts'
import { ledgerWaits } from './waits.ts'

/** Options of {@link createLedger}. */
export interface CreateLedgerOptions extends LedgerOptions {
  /**
   * Appends an event to the stream, as the `append` of `createStream` does. Called in order, one at a time. If it throws
   * or rejects, the event is not in the stream.
   *
   * @param state - The state of the ledger once the event is in the stream. A process that may crash stores both in one
   * step: the next ledger then continues where this one stopped.
   */
  readonly append: (event: ContextAnyEvent, state: CommandLedgerState) => unknown
  /**
   * The `state` of an earlier ledger of the stream, perhaps parsed from JSON: the one that was stored with the latest
   * event of the stream. Events that followed from it and are not in the stream are appended at once. Omitted: a new
   * ledger.
   */
  readonly state?: CommandLedgerState
  /** Called with new input for the agent, and with tasks that are to stop; see {@link LedgerListener}. */
  readonly onOutput?: LedgerListener
  /**
   * Called with each diagnostic of {@link commandLedger}, `dropped:<kind>` for events that come too late, and
   * `output-not-taken` for a cancel that `onOutput` has not taken. What it throws is ignored.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Returns the current time in milliseconds since 1970. Defaults to the platform's clock. */
  readonly now?: () => number
}

/**
 * Creates a ledger for a stream of this process. Requests expire by themselves.
 *
 * If an event cannot be appended, the call is rejected and has had no effect: try again. If it was not the first event
 * that follows from a command, the command is accepted; the state holds the others, which are tried again every second
 * and are appended before anything else. They are as many as follow from one command, with the result that it had.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const ledger = createLedger({ append: (event) => stream.append(event) })
 * const receipt = await ledger.submit(await request.json(), { role: 'user', id: userId })
 * ```
 */
export function createLedger(options: CreateLedgerOptions): LocalLedger {
  requireObject('options', options)
  const { append, onOutput, onDiagnostic, now = Date.now, state: restored, ...ledgerOptions } = options
  requireFunction('append', append)
  optional(requireFunction, 'onOutput', onOutput)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  optional(requireObject, 'state', restored)
  requireFunction('now', now)
  const machine = commandLedger(ledgerOptions)
  const handover = new Handover({ onOutput, onDiagnostic })
  let state: CommandLedgerState = restored ?? machine.initial
  let queue: Promise<unknown> = Promise.resolve()
  const time = (): string => new Date(readMilliseconds(now)).toISOString()
  const waits = ledgerWaits({ initial: state, now, onExpiry: () => apply({ type: 'time', at: time() }) })

  /** Appends an event together with the state that includes it. */
  async function store(event: ContextAnyEvent, next: CommandLedgerState): Promise<void> {
    await append(event, next)
    state = next
  }

  async function appendPending(): Promise<void> {
    for (;;) {
      const [event, ...rest] = pendingOf(state)
      if (event === undefined) return
      await store(event, withPending(state, rest))
    }
  }

  /** Applies an input after those before it, and appends its event and those that follow. */
  function apply(input: LedgerInput): Promise<readonly LedgerOutput[]> {
    const done = queue.then(async () => {
      await appendPending()
      const own = input.type === 'event' ? [input.event] : []
      const dropped = own.flatMap((event) => isObsolete(state, event) ?? [])
      handover.report(dropped)
      if (dropped.length > 0) return []
      const { state: next, out, diagnostics = [] } = machine.step(state, input)
      const following = out.flatMap((output) => (output.type === 'event' ? [output.event] : []))
      const [first, ...rest] = [...own, ...following]
      if (first === undefined) state = next
      else await store(first, withPending(next, rest))
      // What is left is appended later.
      await appendPending().catch(() => undefined)
      waits.update(state)
      const { returned, errors } = handover.deliver(out)
      for (const each of returned) state = machine.step(state, each).state
      handover.report(diagnostics)
      if (pendingOf(state).length > 0 || handover.hasUntaken) waits.retry()
      if (errors.length > 0) throw errors[0]
      return out
    })
    queue = done.catch(() => undefined)
    return done
  }

  waits.update(state)
  if (pendingOf(state).length > 0) apply({ type: 'time', at: time() }).catch(waits.retry)
  return {
    get state() {
      return state
    },
    async append(event) {
      await apply({ type: 'event', event })
    },
    async submit(command, sender) {
      requireSender(sender)
      return receiptIn(await apply({ type: 'command', command, sender, at: time() }))
    },
    async requests() {
      await queue
      return openRequests(state)
    },
    answer: waits.answer,
    signalOf: waits.signalOf,
    close: waits.close,
  }
}
