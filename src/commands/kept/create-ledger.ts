/** A ledger in the memory of one process. */

import { optional, requireFunction, requireObject } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { type CommandLedgerState, commandLedger, type LedgerOptions } from '../ledger/ledger.ts'
import type { LedgerInput, LedgerOutput } from '../ledger/types.ts'
import type { LedgerListener, LocalLedger } from './ledger.ts'
import { receiptIn, requireSender } from './receipt-in.ts'
import { ledgerWaits } from './waits.ts'

/** Options of {@link createLedger}. */
export interface CreateLedgerOptions extends LedgerOptions {
  /** Appends an event to the stream, as the `append` of `createStream` does. Called in order, one at a time. */
  readonly append: (event: ContextAnyEvent) => unknown
  /** Called with new input for the agent, and with tasks that are to stop. Omitted: use `signalOf`. */
  readonly onOutput?: LedgerListener
  /** Returns the current time in milliseconds since 1970. Defaults to the platform's clock. */
  readonly now?: () => number
}

/**
 * Creates a ledger for a stream of this process. Requests expire by themselves.
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
  const { append, onOutput, now = Date.now, ...ledgerOptions } = options
  requireFunction('append', append)
  optional(requireFunction, 'onOutput', onOutput)
  requireFunction('now', now)
  const machine = commandLedger(ledgerOptions)
  let state: CommandLedgerState = machine.initial
  let appended: Promise<unknown> = Promise.resolve()
  const time = (): string => new Date(readMilliseconds(now)).toISOString()
  const waits = ledgerWaits({
    initial: state,
    now,
    onExpiry: () => {
      // An event that cannot be appended is reported to whoever appends next.
      apply({ type: 'time', at: time() }).done.catch(() => undefined)
    },
  })

  /** Applies an input at once, and appends the events in order. */
  function apply(input: LedgerInput, ...events: readonly ContextAnyEvent[]): Applied {
    const step = machine.step(state, input)
    state = step.state
    const following = step.out.flatMap((output) => (output.type === 'event' ? [output.event] : []))
    const all = [...events, ...following]
    const done = appended.then(async () => {
      for (const event of all) await append(event)
      waits.update(state)
    })
    appended = done.catch(() => undefined)
    for (const output of step.out) if (output.type === 'send' || output.type === 'cancel') onOutput?.(output)
    return { out: step.out, done }
  }

  return {
    append: (event) => apply({ type: 'event', event }, event).done,
    async submit(command, sender) {
      requireSender(sender)
      const { out, done } = apply({ type: 'command', command, sender, at: time() })
      await done
      return receiptIn(out)
    },
    answer: waits.answer,
    signalOf: waits.signalOf,
    close: waits.close,
  }
}

interface Applied {
  readonly out: readonly LedgerOutput[]
  readonly done: Promise<void>
}
