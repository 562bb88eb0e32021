/** SSE messages about a stream, which are not events of it: a reset, a loss, the end. */
import { type Fields, isCount, isFields, isId } from '../../validation/predicates.ts'
import type { Loss, Reset } from './batch.ts'
import { parseCursor } from './cursor.ts'

/**
 * SSE event names of the messages about a stream: a reset, a loss and the end. Listen for them as well if
 * you use `EventSource`. Their data is a JSON object with a `type` and no `kind`. {@link encodeBatch} omits the
 * SSE event name of an event whose kind equals one of these names.
 */
export const streamMessageNames = {
  reset: 'stream-reset',
  loss: 'stream-loss',
  closed: 'stream-closed',
} as const

/** Parses a reset; `undefined` for any other value. Its reason may be one of a later version. */
export function parseReset(value: unknown): Reset | undefined {
  if (!hasType(value, 'reset')) return undefined
  const { filter, ...rest } = value
  const { reason, stream, epoch, through: seq, earliest } = rest
  const isValid =
    isId(reason) && isCount(earliest) && parseCursor({ stream, epoch, seq, filter }) !== undefined
  if (!isValid) return undefined
  return (filter === null ? rest : value) as unknown as Reset
}

export function isLossMessage(value: unknown): value is { readonly loss: Loss } {
  return hasType(value, 'loss') && isFields(value.loss) && Object.values(value.loss).every(isCount)
}

export function isClosedMessage(value: unknown): value is Fields {
  return hasType(value, 'closed')
}

/** Whether a value is a message of a type. A value with a `kind` is an event, valid or not. */
function hasType(value: unknown, type: string): value is Fields {
  return isFields(value) && value.type === type && value.kind === undefined
}
