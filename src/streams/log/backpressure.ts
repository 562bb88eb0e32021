/**
 * Backpressure: what to send to a reader that is behind.
 *
 * Readers are cursors on a shared log, so a slow one uses no memory. The further behind it is, the larger
 * its next batch, and the more that batch can be reduced.
 */

import { mismatch, optional, requireFunction, requireOneOf, requireOnly } from '../../core/require.ts'
import type { ContextAnyEvent, EventKind } from '../../events/event.ts'
import type { BackpressureRule } from '../../events/kind.ts'
import { kindBackpressure } from '../../events/kinds.generated.ts'
import { INTERNAL_PREFIX } from '../../events/kinds.ts'
import { type Batch, type Reset, requirePart, type StreamEvent } from './batch.ts'

/** Thresholds, in pending events. Plain JSON; null counts as omitted. */
export interface BackpressurePolicy {
  /** Deltas are merged. @defaultValue 32 */
  readonly mergeAt?: number
  /** Thoughts, transient and internal events are also dropped, and counted. @defaultValue 512 */
  readonly dropAt?: number
  /** The reader gets a reset. Omitted: only if events after its cursor are no longer in the log. */
  readonly resetAt?: number
}

/**
 * What to send to a reader that is behind:
 *
 * - `send`: the batch, unchanged
 * - `merge`: the batch with adjacent deltas merged, which loses nothing
 * - `drop-declared`: merged, and without thoughts, transient and internal events, which the batch counts as `loss`
 * - `reset`: a reset, because a snapshot is cheaper
 */
export type BackpressureDecision = 'send' | 'merge' | 'drop-declared' | 'reset'

/**
 * Decides what to send to a reader that is behind.
 *
 * @param lag - Number of pending events that the reader may see: those of its next batch.
 * @throws TypeError if `lag` or a threshold is not a number >= 0, or `policy` has another field.
 * @see docs/spec/internal-event-protocol.md#question-6-backpressure
 */
export function decideBackpressure(lag: number, policy: BackpressurePolicy = {}): BackpressureDecision {
  requireThreshold('lag', lag)
  requireOnly('policy', policy, ['mergeAt', 'dropAt', 'resetAt'])
  for (const [name, threshold] of Object.entries(policy)) {
    if (threshold !== undefined && threshold !== null) requireThreshold(name, threshold)
  }
  const { mergeAt, dropAt, resetAt } = policy
  // `??`: a policy from JSON may hold null.
  if (lag >= (resetAt ?? Number.POSITIVE_INFINITY)) return 'reset'
  if (lag >= (dropAt ?? 512)) return 'drop-declared'
  return lag >= (mergeAt ?? 32) ? 'merge' : 'send'
}

/** Requires a number of events; infinite for never. */
function requireThreshold(name: string, value: unknown): void {
  if (!(typeof value === 'number' && value >= 0)) throw mismatch(name, 'a number >= 0', value)
}

/**
 * Applies a decision to a batch. A reset is returned unchanged.
 *
 * Merges and drops within this batch only. Apply it after the {@link ReadFilter}, so that loss counts reveal
 * no hidden events.
 *
 * @param merge - Merges adjacent events where possible, such as {@link compact}. Called with events of the
 * same kind and task. Omitted: nothing is merged.
 *
 * @throws TypeError if `part` is not a batch or reset, `decision` is unknown, or `merge` is not a function.
 *
 * @example
 * ```ts
 * const lag = part.type === 'batch' ? part.events.length : 0
 * response.write(encodeBatch(applyBackpressure(part, decideBackpressure(lag), compact)))
 * ```
 */
export function applyBackpressure<E extends StreamEvent = ContextAnyEvent>(
  part: Batch<E> | Reset<E>,
  decision: BackpressureDecision,
  merge?: (events: readonly E[]) => readonly E[],
): Batch<E> | Reset<E> {
  requirePart(part)
  requireOneOf('decision', decision, ['send', 'merge', 'drop-declared', 'reset'])
  optional(requireFunction, 'merge', merge)
  if (part.type === 'reset' || decision === 'send') return part
  if (decision === 'reset') return resetFor(part)
  const kept = decision === 'drop-declared' ? withoutDroppable(part) : part
  return merge === undefined ? kept : mergeRuns(kept, merge)
}

function resetFor({ stream, epoch, filter, after, through }: Batch<StreamEvent>): Reset<never> {
  const source = filter === undefined ? { stream, epoch } : { stream, epoch, filter }
  return { type: 'reset', reason: 'evicted', ...source, through, earliest: after + 1 }
}

/** An event and its sequence number. */
interface Item<E> {
  readonly event: E
  readonly seq: number
}

function itemsOf<E extends StreamEvent>({ events, seqs, through }: Batch<E>): Item<E>[] {
  return events.map((event, i) => ({ event, seq: seqs[i] ?? through }))
}

function withItems<E extends StreamEvent>(batch: Batch<E>, items: readonly Item<E>[]): Batch<E> {
  return { ...batch, events: items.map(({ event }) => event), seqs: items.map(({ seq }) => seq) }
}

function withoutDroppable<E extends StreamEvent>(batch: Batch<E>): Batch<E> {
  const loss: Record<string, number> = { ...batch.loss }
  const kept = itemsOf(batch).filter(({ event }) => {
    const { kind } = event
    if (backpressureRuleOf(kind).drop !== true && !isTransient(event)) return true
    loss[kind] = (loss[kind] ?? 0) + 1
    return false
  })
  return kept.length === batch.events.length ? batch : { ...withItems(batch, kept), loss }
}

function isTransient(event: StreamEvent): boolean {
  return event.kind === 'custom' && 'transient' in event && event.transient === true
}

/** Merges each run of adjacent mergeable events into one event with the sequence number of the last. */
function mergeRuns<E extends StreamEvent>(
  batch: Batch<E>,
  merge: (events: readonly E[]) => readonly E[],
): Batch<E> {
  const runs: Item<E>[][] = []
  for (const item of itemsOf(batch)) {
    const run = runs.at(-1)
    const last = run?.at(-1)?.event
    if (
      run !== undefined &&
      last !== undefined &&
      mayMerge(last, item.event) &&
      merge([last, item.event]).length === 1
    ) {
      run.push(item)
    } else runs.push([item])
  }
  const items = runs.flatMap((run) => {
    const [merged, ...more] = run.length > 1 ? merge(run.map(({ event }) => event)) : []
    const seq = run.at(-1)?.seq
    return merged !== undefined && more.length === 0 && seq !== undefined ? [{ event: merged, seq }] : run
  })
  return items.length === batch.events.length ? batch : { ...withItems(batch, items), merged: true }
}

function mayMerge(a: StreamEvent, b: StreamEvent): boolean {
  return a.kind === b.kind && backpressureRuleOf(a.kind).merge !== undefined && taskOf(a) === taskOf(b)
}

function taskOf(event: StreamEvent): unknown {
  return 'taskId' in event ? event.taskId : undefined
}

const durable: BackpressureRule = {}
const drop: BackpressureRule = { drop: true }

/** The rule of any kind. Kinds this version does not know are never merged; internal ones are dropped. */
export function backpressureRuleOf(kind: string): BackpressureRule {
  if (kind.startsWith(INTERNAL_PREFIX)) return drop
  return Object.hasOwn(kindBackpressure, kind) ? (kindBackpressure[kind as EventKind] ?? durable) : durable
}
