/**
 * Flow: what to do for a reader that is behind.
 *
 * The log is shared and a reader is only a cursor, so a slow one takes no memory. It is behind by the
 * stretch of its next batch, and the further it is, the less of that stretch it needs as it was.
 */
import type { ContextAnyEvent, EventKind } from '../../events/event.ts'
import { INTERNAL_PREFIX } from '../../events/kinds.ts'
import type { Batch, Reset, StreamEvent } from './batch.ts'

/** What may become of events of a kind on the way to a reader that is behind. */
export interface FlowRule {
  /**
   * Whether adjacent ones may become one: `join` where each adds to the one before, `latest` where it
   * replaces it. Absent: never.
   */
  readonly merge?: 'append' | 'replace'
  /** Whether they may be left out, which the batch declares. Absent: never. */
  readonly drop?: true
}

const durable: FlowRule = {}
const join: FlowRule = { merge: 'append' }
const latest: FlowRule = { merge: 'replace' }
const drop: FlowRule = { drop: true }

/** The rule of each kind. Events of kinds this version does not know are durable. */
export const flowRules: Readonly<Record<EventKind, FlowRule>> = {
  'task-created': durable,
  'task-status': durable,
  'task-complete': durable,
  'content-delta': join,
  'content-complete': durable,
  'tool-start': durable,
  'tool-arguments-delta': join,
  'tool-progress': latest,
  'tool-complete': durable,
  'input-required': durable,
  'input-received': durable,
  'input-canceled': durable,
  'auth-required': durable,
  'auth-completed': durable,
  'auth-failed': durable,
  'file-write': join,
  'data-write': latest,
  'dataset-write': join,
  'artifact-delta': join,
  'subtask-created': durable,
  // The thought that follows repeats them whole.
  'thought-delta': { merge: 'append', drop: true },
  'thought-stream': drop,
  'task-error': durable,
  'internal:thought-process': drop,
  'internal:llm-call': drop,
  'internal:checkpoint': drop,
  'internal:tool-start': drop,
  'internal:tool-complete': drop,
}

/** The rule of any kind, known or not. */
export function flowRuleOf(kind: string): FlowRule {
  if (Object.hasOwn(flowRules, kind)) return flowRules[kind as EventKind]
  return kind.startsWith(INTERNAL_PREFIX) ? drop : durable
}

/** From how many events behind on something is done about it. Plain JSON. */
export interface FlowPolicy {
  /** Deltas are joined. @defaultValue 32 */
  readonly mergeAt?: number
  /** What may be dropped is, and counted. @defaultValue 512 */
  readonly dropAt?: number
  /** The reader starts over. Absent: never; one that falls off the end of the log gets its reset from {@link read}. */
  readonly resetAt?: number
}

/**
 * What to do with a batch:
 *
 * - `send`: as it is
 * - `merge`: with adjacent deltas joined, which loses nothing
 * - `drop-declared`: also without thoughts and internal events, which the batch counts
 * - `reset`: not at all; a snapshot is cheaper
 */
export type FlowDecision = 'send' | 'merge' | 'drop-declared' | 'reset'

/**
 * Decides what to do for a reader that is behind.
 *
 * @param lag - By how many events: of a batch, `through - after`.
 * @see docs/spec/internal-event-protocol.md#question-6-backpressure
 */
export function decideBackpressure(lag: number, policy: FlowPolicy = {}): FlowDecision {
  const { mergeAt, dropAt, resetAt } = policy
  // Null, which a policy from JSON may have, counts as absent.
  if (lag >= (resetAt ?? Number.POSITIVE_INFINITY)) return 'reset'
  if (lag >= (dropAt ?? 512)) return 'drop-declared'
  return lag >= (mergeAt ?? 32) ? 'merge' : 'send'
}

/**
 * Carries a decision out on what was read. A reset stays one.
 *
 * Only ever within one batch, and only on what the reader may see: counts of what is lost say nothing
 * of hidden events.
 *
 * @param merge - Joins what can be joined of adjacent events, such as {@link compact}. Called with
 * events of one kind and task. Absent: nothing is joined.
 *
 * @example
 * ```ts
 * const part = read(log, cursor, view)
 * const paced = part.type === 'batch' ? pace(part, decide(part.through - part.after), compact) : part
 * ```
 */
export function applyBackpressure<E extends StreamEvent = ContextAnyEvent>(
  part: Batch<E> | Reset,
  decision: FlowDecision,
  merge?: (events: readonly E[]) => readonly E[],
): Batch<E> | Reset {
  if (part.type === 'reset' || decision === 'send') return part
  if (decision === 'reset') return resetFor(part)
  const kept = decision === 'drop-declared' ? withoutDroppable(part) : part
  return merge === undefined ? kept : mergeRuns(kept, merge)
}

function resetFor({ stream, epoch, filter, after, through }: Batch<StreamEvent>): Reset {
  const source = filter === undefined ? { stream, epoch } : { stream, epoch, filter }
  return { type: 'reset', reason: 'evicted', ...source, through, earliest: after + 1 }
}

/** An event and its place. */
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
  const kept = itemsOf(batch).filter(({ event: { kind } }) => {
    if (flowRuleOf(kind).drop !== true) return true
    loss[kind] = (loss[kind] ?? 0) + 1
    return false
  })
  return kept.length === batch.events.length ? batch : { ...withItems(batch, kept), loss }
}

/** Joins each run of neighbours that can be joined into one event, which has the place of the last. */
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
    const [whole, ...more] = run.length > 1 ? merge(run.map(({ event }) => event)) : []
    const seq = run.at(-1)?.seq
    return whole !== undefined && more.length === 0 && seq !== undefined ? [{ event: whole, seq }] : run
  })
  return items.length === batch.events.length ? batch : { ...withItems(batch, items), merged: true }
}

function mayMerge(a: StreamEvent, b: StreamEvent): boolean {
  return a.kind === b.kind && flowRuleOf(a.kind).merge !== undefined && taskOf(a) === taskOf(b)
}

function taskOf(event: StreamEvent): unknown {
  return 'taskId' in event ? event.taskId : undefined
}
