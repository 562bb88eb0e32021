/** A ledger in the memory of one process. */

import type { Diagnostic } from '../../core/machine.ts'
import { optional, requireFunction, requireObject } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { type CommandLedgerState, commandLedger, type LedgerOptions } from '../ledger/ledger.ts'
import { isObsolete } from '../ledger/obsolete.ts'
import { openRequests } from '../ledger/read.ts'
import type { LedgerInput, LedgerOutput } from '../ledger/types.ts'
import type { LedgerListener, LocalLedger } from './ledger.ts'
import { handOver, receiptIn, requireSender } from './receipt-in.ts'
import { ledgerWaits } from './waits.ts'

/** Options of {@link createLedger}. */
export interface CreateLedgerOptions extends LedgerOptions {
  /** Appends an event to the stream, as the `append` of `createStream` does. Called in order, one at a time. */
  readonly append: (event: ContextAnyEvent) => unknown
  /** The `state` of an earlier ledger of the stream, perhaps parsed from JSON. Omitted: a new ledger. */
  readonly state?: CommandLedgerState
  /** Called with new input for the agent, and with tasks that are to stop. Omitted: use `signalOf`. */
  readonly onOutput?: LedgerListener
  /** Called with each diagnostic of {@link commandLedger}, and `dropped:<kind>` for events that come too late. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Returns the current time in milliseconds since 1970. Defaults to the platform's clock. */
  readonly now?: () => number
}

/**
 * Creates a ledger for a stream of this process. Requests expire by themselves.
 *
 * If an event cannot be appended, the call is rejected and has had no effect: try again. If it was not the first event
 * that follows from a command, the command is accepted, and the others are appended before anything else.
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
  let state: CommandLedgerState = restored ?? machine.initial
  /** Events that the state includes and the stream does not yet. */
  let pending: readonly ContextAnyEvent[] = []
  let queue: Promise<unknown> = Promise.resolve()
  const time = (): string => new Date(readMilliseconds(now)).toISOString()
  const waits = ledgerWaits({ initial: state, now, onExpiry: () => apply({ type: 'time', at: time() }) })

  async function appendPending(): Promise<void> {
    for (let [event] = pending; event !== undefined; [event] = pending) {
      await append(event)
      pending = pending.slice(1)
    }
  }

  /** Applies an input after those before it, and appends its event and those that follow. */
  function apply(input: LedgerInput): Promise<readonly LedgerOutput[]> {
    const done = queue.then(async () => {
      await appendPending()
      const own = input.type === 'event' ? [input.event] : []
      const dropped = own.flatMap((event) => isObsolete(state, event) ?? [])
      for (const diagnostic of dropped) onDiagnostic?.(diagnostic)
      if (dropped.length > 0) return []
      const { state: next, out, diagnostics = [] } = machine.step(state, input)
      const following = out.flatMap((output) => (output.type === 'event' ? [output.event] : []))
      const [first, ...rest] = [...own, ...following]
      if (first !== undefined) await append(first)
      state = next
      pending = rest
      // What is left is appended by the next call.
      await appendPending().catch(() => undefined)
      waits.update(state)
      for (const diagnostic of diagnostics) onDiagnostic?.(diagnostic)
      handOver(out, onOutput, (returned) => {
        state = machine.step(state, returned).state
      })
      return out
    })
    queue = done.catch(() => undefined)
    return done
  }

  waits.update(state)
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
