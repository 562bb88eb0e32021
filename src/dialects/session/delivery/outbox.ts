/** The sending side: keeps sent events until the client acknowledges them. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireInteger, requireOnly } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { readNamed } from '../wire/coerce.ts'
import { type DeliveredEvent, readSessionAck, seqOf } from './event-id.ts'

/** The state of {@link sessionOutbox}. */
interface OutboxState<E> {
  /** The highest `seq` sent. -1 before the first. */
  readonly highest: number
  /** The highest `seq` acknowledged. -1 before the first. */
  readonly acked: number
  /** The unacknowledged events, in the order they were sent. */
  readonly kept: readonly E[]
}

/** Options of {@link sessionOutbox}. */
export interface SessionOutboxOptions {
  /**
   * Maximum number of events kept: an integer from 1.
   *
   * @defaultValue 1000
   */
  readonly limit?: number
}

/**
 * Keeps the events a server sends until the client acknowledges them. Its inputs are the server's
 * events, with their `seq`, and the client's `user.ack`; other client events are ignored. It has no
 * outputs. The state has documented fields: `kept`, the unacknowledged events in the order they were
 * sent, to pass to {@link selectReplay}; `acked` and `highest`, the highest `seq` acknowledged and sent,
 * or -1.
 *
 * Diagnostics:
 *
 * - `evicted`: an unacknowledged event was dropped, as more than `limit` are kept; `detail.seq` is its number
 * - `not-numbered`: a server event without `seq` cannot be kept
 * - `unreadable-ack`: a `user.ack` without a number
 * - `stale-ack`: a `user.ack` below an earlier one, which was ignored
 * - `invalid-event`: the input has no event name
 * - `ack-ahead`: a `user.ack` above the highest `seq` sent, which acknowledged all events
 *
 * @typeParam E - The events. They are kept unchanged.
 * @throws TypeError if `limit` is not an integer >= 1.
 */
export function sessionOutbox<E extends DeliveredEvent>(
  options: SessionOutboxOptions = {},
): Machine<
  MachineState<
    'sessionOutbox',
    { readonly highest: number; readonly acked: number; readonly kept: readonly E[] }
  >,
  E,
  never
> {
  requireOnly('options', options, ['limit'])
  const { limit = 1000 } = options
  requireInteger('limit', limit, 1)
  const machine: Machine<OutboxState<E>, E, never> = {
    initial: { highest: -1, acked: -1, kept: [] },
    step(state, input) {
      const builder = new StepBuilder<OutboxState<E>, never>(state)
      const event = readNamed(builder, input)
      if (event === undefined) return builder.done()
      if (event.event === 'user.ack') acknowledge(builder, event)
      else if (!event.event.startsWith('user.')) keep(builder, event, limit)
      return builder.done()
    },
    end: (state) => ({ state, out: [] }),
  }
  return opaque(machine)
}

type OutboxBuilder<E> = StepBuilder<OutboxState<E>, never>

function keep<E extends DeliveredEvent>(builder: OutboxBuilder<E>, event: E, limit: number): void {
  const seq = seqOf(event)
  if (seq === undefined) {
    builder.diagnostic('not-numbered', `Expected ${event.event} to have a seq, got none; cannot keep it.`)
    return
  }
  const kept = [...builder.state.kept, event]
  builder.update({ highest: Math.max(builder.state.highest, seq), kept })
  if (kept.length <= limit) return
  const [evicted] = kept
  builder.update({ kept: kept.slice(1) })
  const message = `More than ${limit} events are unacknowledged; evicted the oldest.`
  builder.diagnostic('evicted', message, { detail: { seq: evicted?.seq } })
}

function acknowledge<E extends DeliveredEvent>(builder: OutboxBuilder<E>, event: E): void {
  const { acked: before, highest, kept } = builder.state
  const seq = readSessionAck(event)
  if (seq === undefined) {
    builder.diagnostic(
      'unreadable-ack',
      'Expected user.ack to have a last_seq or last_event_id, got neither.',
    )
    return
  }
  if (seq < before) {
    builder.diagnostic('stale-ack', `Expected last_seq >= ${before}, got ${seq}.`)
    return
  }
  const acked = Math.min(seq, highest)
  builder.update({ acked, kept: kept.filter((sent) => (seqOf(sent) ?? 0) > acked) })
  if (seq > acked) builder.diagnostic('ack-ahead', `Expected last_seq <= ${acked}, got ${seq}.`)
}
