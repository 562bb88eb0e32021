/** What the laws of logs share. */
import type { ContextAnyEvent } from '../../../events/event.ts'
import { cursorAfter } from '../batch.ts'
import type { Cursor } from '../cursor.ts'
import type { EventLog } from '../event-log.ts'
import type { ReadFilter } from '../read-filter.ts'
import { DEFAULT_MAX_BYTES } from '../read-options.ts'

/** What a law gets. */
export interface LawContext {
  /** Name of a stream for this law alone. */
  readonly stream: string
  /** Opens the log of a stream, by default of this one. */
  readonly open: (stream?: string) => Promise<EventLog>
  /** See {@link EventLogLawOptions.openUnreliable}. */
  readonly openUnreliable: (() => Promise<EventLog>) | undefined
  readonly seed: number
  /** Waits until readers that were called before are waiting. */
  readonly settle: () => Promise<void>
}

/** Reads to the present end. Checks that batches are contiguous, and that each fits. */
export async function readAll(
  log: EventLog,
  start: Cursor | string | null | undefined,
  filter?: ReadFilter,
  maxBytes?: number,
): Promise<{ events: ContextAnyEvent[]; seqs: number[] }> {
  const options = { ...(filter && { filter }), ...(maxBytes !== undefined && { maxBytes }) }
  const encoder = new TextEncoder()
  const events: ContextAnyEvent[] = []
  const seqs: number[] = []
  let at = start
  for (;;) {
    const part = await log.read(at, options)
    if (part.type === 'reset') throw new Error(`Expected a batch, got a reset: ${part.reason}.`)
    if (typeof at === 'object' && at !== null) expectEqual(part.after, at.seq, '"after" of the batch')
    expectEqual(part.filter, filter?.id, '"filter" of the batch')
    const size = part.events.reduce((sum, event) => sum + encoder.encode(JSON.stringify(event)).length, 0)
    const limit = maxBytes ?? DEFAULT_MAX_BYTES
    if (part.events.length > 1 && size > limit) {
      throw new Error(`Expected at most ${limit} bytes of events, got ${size}.`)
    }
    events.push(...part.events)
    seqs.push(...part.seqs)
    if (part.after === part.through) return { events, seqs }
    at = cursorAfter(part)
  }
}

export const envelope = {
  contextId: 'ctx-1',
  taskId: 'task-1',
  timestamp: '2026-03-14T09:26:53.589Z',
} as const

export function eventOf(index: number, length: number = 1): ContextAnyEvent {
  return { kind: 'content-delta', ...envelope, delta: 'é'.repeat(length), index }
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [canonical(actual), canonical(expected)]
  if (got === wanted) return
  const start = Math.max(0, firstDifference(got, wanted) - CONTEXT)
  throw new Error(`Expected ${what} to be ${excerpt(wanted, start)}, got ${excerpt(got, start)}.`)
}

/** Length of a value in a message, and of what is shown of it before the first difference, in characters. */
const MAX_EXCERPT = 500
const CONTEXT = 200

/** A text that is too long for a message, from `start` on. */
function excerpt(text: string, start: number): string {
  if (text.length <= MAX_EXCERPT) return text
  const shown = text.slice(start, start + MAX_EXCERPT)
  return `${start > 0 ? '…' : ''}${shown}${start + MAX_EXCERPT < text.length ? '…' : ''}`
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** A value as JSON that does not depend on the order of keys. */
function canonical(value: unknown): string {
  const sorted = (_key: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  return String(JSON.stringify(value, sorted))
}
