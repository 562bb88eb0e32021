/** Messages about a stream, which {@link readEvents} reports: they stand between the events of a log. */
import type { Diagnostic } from '../core/machine.ts'
import { describeValue } from '../core/require.ts'
import { type Fields, isFields } from '../validation/predicates.ts'

/** Whether a value is a message of a type about the stream. A value with a `kind` is an event, valid or not. */
export function isStreamMessage(value: unknown, type: string): value is Fields {
  return isFields(value) && value.type === type && value.kind === undefined
}

/**
 * What is reported of a message about the stream: a diagnostic; `null` if nothing is lost, as at the end of the stream or
 * in the middle of a reset. `undefined` for any other value.
 */
export function reportStreamMessage(value: unknown): Diagnostic | null | undefined {
  if (!isFields(value) || value.kind !== undefined) return undefined
  const { type, loss, tasks, before, part, reason, stream, epoch, through, earliest } = value
  if (type === 'closed') return null
  if (type === 'loss' && isFields(loss)) {
    return { code: 'stream-loss', message: 'Expected all events, got a loss.', detail: { loss } }
  }
  if (type === 'forgotten' && Array.isArray(tasks)) {
    const message = `Expected all tasks, got a snapshot without ${tasks.length} that began until ${describeValue(before)}.`
    return { code: 'stream-forgotten', message, detail: { tasks, before } }
  }
  if (type !== 'reset') return undefined
  // Once for a reset of several messages.
  if (typeof part === 'number' && part > 0) return null
  const message = `Expected the next events, got a reset for the reason ${describeValue(reason)}. Its snapshot was dropped.`
  return { code: 'stream-reset', message, detail: { reason, stream, epoch, through, earliest } }
}
