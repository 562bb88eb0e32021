/** A ledger in the memory of one process. */

import type { Diagnostic } from '../../core/machine.ts'
import { optional, requireFunction, requireObject, requireOnly } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import { type CommandLedgerState, type LedgerOptions, ledgerMachine } from '../ledger/ledger.ts'
import { isObsolete } from '../ledger/obsolete.ts'
import { openRequests } from '../ledger/read.ts'
import type { LedgerInput, LedgerOutput } from '../ledger/types.ts'
import { Handover } from './handover.ts'
import type { LedgerListener, LocalLedger } from './ledger.ts'
import { pendingOf, withPending } from './pending.ts'
import { receiptIn, requireSender } from './receipt-in.ts'
import { type Send, sendsIn, withoutUntaken, withUntaken } from './untaken.ts'
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
   * Stores the state if it has changed without an event: by a `task.send`, or a `task.cancel`. Called in order with `append`,
   * before `onOutput` is called, and again once it has taken the input. If it throws or rejects before, the command has had
   * no effect. Omitted: such commands are stored with the next event, and a process that crashes before forgets them.
   */
  readonly save?: (state: CommandLedgerState) => unknown
  /**
   * The `state` of an earlier ledger of the stream, perhaps parsed from JSON: the one that was stored last by `append` or
   * `save`. Events that followed from it and are not in the stream are appended at once, and input that `onOutput` has not
   * taken is handed over. Omitted: a new ledger.
   */
  readonly state?: CommandLedgerState
  /**
   * Called with new input for the agent, and with tasks that are to stop; see {@link LedgerListener}. Omitted: a `task.send`
   * is refused as `unsupported`, and input of an earlier ledger stays in the state.
   */
  readonly onOutput?: LedgerListener
  /**
   * Called with each diagnostic of {@link commandLedger}, `dropped:<kind>` for events that come too late, and
   * `output-not-taken` for a cancel, or the input of an earlier process, that `onOutput` has not taken, and `output-failed`
   * for a promise of `onOutput` that rejects. What it throws is ignored.
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
 * and are appended before anything else. Until then, only a `task.cancel` is accepted: its tasks stop at once.
 *
 * @throws TypeError if an option is invalid.
 *
 * @example
 * ```ts
 * const ledger = createLedger({ append: (event) => stream.append(event), onOutput: (output) => start(output) })
 * const receipt = await ledger.submit(await request.json(), { role: 'user', id: userId })
 * ```
 */
export function createLedger(options: CreateLedgerOptions): LocalLedger {
  requireOnly('options', options, [
    'append',
    'save',
    'onOutput',
    'onDiagnostic',
    'now',
    'state',
    'maxEntries',
    'maxAnswerChars',
    'validate',
  ])
  const { append, save, onOutput, onDiagnostic, now = Date.now, state: restored, ...ledgerOptions } = options
  requireFunction('append', append)
  optional(requireFunction, 'save', save)
  optional(requireFunction, 'onOutput', onOutput)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  optional(requireObject, 'state', restored)
  requireFunction('now', now)
  const machine = ledgerMachine(ledgerOptions, onOutput !== undefined)
  const handover = new Handover({ onOutput, onDiagnostic })
  let { state, untaken } = withoutUntaken(restored ?? machine.initial)
  let queue: Promise<unknown> = Promise.resolve()
  const time = (): string => new Date(readMilliseconds(now)).toISOString()
  const waits = ledgerWaits({ initial: state, now, onExpiry: () => apply({ type: 'time', at: time() }) })

  /** Whether there is input to hand over, and somebody to take it. */
  const hasWork = (): boolean => untaken.length > 0 && onOutput !== undefined

  /** Appends an event together with the state that includes it. */
  async function store(
    event: ContextAnyEvent,
    next: CommandLedgerState,
    sends: readonly Send[],
  ): Promise<void> {
    await append(event, withUntaken(next, sends))
    state = next
  }

  async function appendPending(sends: readonly Send[]): Promise<void> {
    for (;;) {
      const [event, ...rest] = pendingOf(state)
      if (event === undefined) return
      await store(event, withPending(state, rest), sends)
    }
  }

  /** What is pending still; throws if it prevents an input. A cancel does not wait for a stream that takes no events. */
  async function pendingBefore(input: LedgerInput): Promise<readonly ContextAnyEvent[]> {
    try {
      await appendPending(untaken)
    } catch (error) {
      if (!isCancel(input)) throw error
    }
    return pendingOf(state)
  }

  /** Hands over what is stored, and stores what was taken. */
  async function handOver(out: readonly LedgerOutput[]): Promise<readonly unknown[]> {
    const before = untaken
    if (onOutput !== undefined) untaken = before.filter((input) => !handover.take(input))
    const { returned, errors } = handover.deliver(out)
    for (const each of returned) state = machine.step(state, each).state
    if (untaken.length < before.length || sendsIn(out).length > 0) {
      try {
        await save?.(withUntaken(state, untaken))
      } catch {
        // It is stored with what comes next.
      }
    }
    return errors
  }

  /** Applies an input after those before it, and appends its event and those that follow. */
  function apply(input: LedgerInput): Promise<readonly LedgerOutput[]> {
    const done = queue.then(async () => {
      const pending = await pendingBefore(input)
      const own = input.type === 'event' ? [input.event] : []
      const dropped = own.flatMap((event) => isObsolete(state, event) ?? [])
      handover.report(dropped)
      if (dropped.length > 0) return []
      const before = withPending(state, [])
      const { state: next, out, diagnostics = [] } = machine.step(before, input)
      const sends = [...untaken, ...sendsIn(out)]
      const following = out.flatMap((output) => (output.type === 'event' ? [output.event] : []))
      const [first, ...rest] = [...own, ...following]
      if (first !== undefined && pending.length === 0) await store(first, withPending(next, rest), sends)
      else if (next !== before) {
        const later = withPending(next, [...pending, ...following])
        await save?.(withUntaken(later, sends))
        state = later
      }
      // What is left is appended later.
      await appendPending(sends).catch(() => undefined)
      waits.update(state)
      const errors = await handOver(out)
      handover.report(diagnostics)
      if (pendingOf(state).length > 0 || hasWork() || handover.hasUntaken) waits.retry()
      if (errors.length > 0) throw errors[0]
      return out
    })
    queue = done.catch(() => undefined)
    return done
  }

  waits.update(state)
  if (pendingOf(state).length > 0 || hasWork()) apply({ type: 'time', at: time() }).catch(waits.retry)
  return {
    get state() {
      return withUntaken(state, untaken)
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

function isCancel(input: LedgerInput): boolean {
  return input.type === 'command' && (input.command as { kind?: unknown } | null)?.kind === 'task.cancel'
}
