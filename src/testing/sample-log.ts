/** The events of the laws, and logs that have them. */
import type { ContextAnyEvent } from '../events/event.ts'
import { type Batch, cursorAfter, type Reset } from '../streams/log/batch.ts'
import type { Cursor, Position } from '../streams/log/cursor.ts'
import type { EventLog } from '../streams/log/event-log.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { DEFAULT_MAX_BYTES } from '../streams/log/read-options.ts'
import { expectEqual } from './expect-equal.ts'
import type { LawContext } from './law.ts'

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

/** A thought that users do not see. */
export function thoughtOf(index: number): ContextAnyEvent {
  const labels = { thoughtId: `thought-${index}`, thoughtType: 'planning', verbosity: 'detailed' } as const
  return { kind: 'thought-stream', ...envelope, ...labels, content: 'Not for users', index }
}

/** A log of 40 events, some large and some hidden from users. */
export async function filled(
  open: LawContext['open'],
  seed: number,
): Promise<{ log: EventLog; events: ContextAnyEvent[]; at: Position }> {
  const logs = [await open(), await open()]
  const events: ContextAnyEvent[] = []
  let at: Position | undefined
  // Multiplier and modulus of MINSTD.
  for (let random = seed + 1; events.length < 40; random = (random * 48_271) % 2_147_483_647) {
    const n = events.length
    const event = random % 3 === 0 ? thoughtOf(n) : eventOf(n, random % 7 === 0 ? 1000 : 1)
    events.push(event)
    at = await (logs[random % 2] as EventLog).append(event)
  }
  return { log: logs[0] as EventLog, events, at: at as Position }
}

export function visible(
  events: readonly ContextAnyEvent[],
  filter: ReadFilter | undefined,
  after: number,
): { shown: ContextAnyEvent[]; seqs: number[] } {
  const shown: ContextAnyEvent[] = []
  const seqs: number[] = []
  for (const [seq, event] of events.entries()) {
    const one = seq <= after ? undefined : filter === undefined ? event : filter.apply(event)
    if (one === undefined) continue
    shown.push(one)
    seqs.push(seq)
  }
  return { shown, seqs }
}

export function cursorOf({ stream, epoch }: Position, seq: number, filter?: ReadFilter): Cursor {
  return filter === undefined ? { stream, epoch, seq } : { stream, epoch, seq, filter: filter.id }
}

export function endAt({ stream, epoch, seq }: Position): Batch {
  return { type: 'batch', stream, epoch, after: seq, through: seq, events: [], seqs: [], closed: true }
}

export function summaryOf(part: Batch | Reset): [number, unknown] {
  return [part.through, part.type === 'batch' ? part.events : part.reason]
}
