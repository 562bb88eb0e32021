/** SSE messages about a stream, which are not events of it: a reset, a loss, the end. */

import { escapeLineEnds } from '../../../encoding/line-ends.ts'
import type { DecodedMessage } from '../../../event-stream/event-decoder.ts'
import { isStreamMessage } from '../../../event-stream/stream-message.ts'
import { encodeMessage } from '../../../sse/encode.ts'
import { type Fields, isCount, isFields, isId, isListOf } from '../../../validation/predicates.ts'
import { isTimestamp } from '../../../validation/timestamp.ts'
import type { Forgotten, ForgottenTask } from '../../forgotten.ts'
import type { Loss, Reset } from '../batch.ts'
import { parseCursor } from '../cursor.ts'

/**
 * SSE event names of the messages about a stream. Their data is a JSON object with a `type` and no `kind`.
 * {@link encodeBatch} omits the SSE event name of an event whose kind equals one of these names.
 */
export const streamMessageNames = {
  reset: 'stream-reset',
  forgotten: 'stream-forgotten',
  loss: 'stream-loss',
  closed: 'stream-closed',
} as const

/** Encodes a message about the stream. `data` is its JSON. */
export function encodeStreamMessage(
  name: keyof typeof streamMessageNames,
  data: string,
  options: { readonly profile?: 'named' | 'data-only' },
  id?: string,
): string {
  return encodeMessage({
    ...(options.profile !== 'data-only' && { event: streamMessageNames[name] }),
    ...(id !== undefined && { id }),
    data: escapeLineEnds(data),
  })
}

/** One of the messages of a reset. */
export interface ResetMessage {
  /** The reset without its events. Its reason may be one of a later version. */
  readonly head: Reset<never>
  /** Its events, not validated. Omitted: the server has no snapshot. */
  readonly events?: readonly unknown[] | undefined
  /** Its number among the messages of the reset, from 0. */
  readonly part: number
  /** Whether another message follows. */
  readonly more: boolean
}

/** Parses a message of a reset; `undefined` for any other value. */
export function parseResetMessage(value: unknown): ResetMessage | undefined {
  if (!isStreamMessage(value, 'reset')) return undefined
  const { reason, stream, epoch, filter, through, earliest } = value
  const cursor = parseCursor({ stream, epoch, seq: through, filter })
  if (cursor === undefined || !isId(reason) || !isCount(earliest)) return undefined
  // `??`: an optional field may be null.
  const events = (value.events ?? undefined) as readonly unknown[] | undefined
  const older = (value.older ?? undefined) as string | undefined
  const part = (value.part ?? 0) as number
  const more = (value.more ?? false) as boolean
  if (!isCount(part) || typeof more !== 'boolean') return undefined
  if (events !== undefined && !Array.isArray(events)) return undefined
  if (older !== undefined && !isId(older)) return undefined
  const { seq, ...source } = cursor
  const head = {
    type: 'reset',
    reason,
    ...source,
    through: seq,
    earliest,
    ...(older && { older }),
  } as Reset<never>
  return { head, events, part, more }
}

/**
 * Whether a message that cannot be parsed may be one of a reset: by its SSE event type; or by its size if it
 * has none. Without a type, text that is not JSON is an event: no server writes a reset that way.
 */
export function mayBeReset({ issues, eventType }: Extract<DecodedMessage, { status: 'invalid' }>): boolean {
  return eventType === undefined ? issues[0]?.code === 'too-large' : eventType === streamMessageNames.reset
}

export function isLossMessage(value: unknown): value is { readonly loss: Loss } {
  return isStreamMessage(value, 'loss') && isFields(value.loss) && Object.values(value.loss).every(isCount)
}

/** Parses what the server no longer has; `undefined` for any other value. */
export function parseForgotten(value: unknown): Forgotten | undefined {
  if (!isStreamMessage(value, 'forgotten')) return undefined
  const { tasks, before } = value
  // `??`: an optional field may be null.
  const more = value.more ?? false
  if (!Array.isArray(tasks) || !isTimestamp(before) || typeof more !== 'boolean') return undefined
  const known = tasks.flatMap((task) => parseTask(task) ?? [])
  if (known.length < tasks.length) return undefined
  const forgotten = { tasks: known, before: before as string }
  return more ? { ...forgotten, more } : forgotten
}

function parseTask(value: unknown): ForgottenTask | undefined {
  if (!isFields(value)) return undefined
  const { contextId, taskId, timestamp } = value
  const parentTaskId = value.parentTaskId ?? undefined
  const path = value.path ?? undefined
  if (!isId(contextId) || !isId(taskId) || !isTimestamp(timestamp)) return undefined
  if (parentTaskId !== undefined && !isId(parentTaskId)) return undefined
  if (path !== undefined && !isListOf(path, isId)) return undefined
  const task = { contextId, taskId, timestamp } as ForgottenTask
  return { ...task, ...(parentTaskId && { parentTaskId }), ...(path && { path }) } as ForgottenTask
}

export function isClosedMessage(value: unknown): value is Fields {
  return isStreamMessage(value, 'closed')
}
