/** The check of an event that is appended: a log replays it to every reader, for as long as it is kept. */
import { mismatch } from '../../core/require.ts'
import { decodeEvent, isKnownEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isFields } from '../../validation/predicates.ts'

/**
 * Requires an event with context, of this version or of a kind that it does not know. Returns it without optional fields
 * that are `null`.
 *
 * @throws TypeError such as `"event" must be an event with context, got a draft or an invalid event. /contextId: Missing: …`
 */
export function requireEvent(event: unknown): ContextAnyEvent {
  if (isKnownEvent(event)) return event
  if (!isFields(event)) throw mismatch('event', 'an event with context', event)
  const decoded = decodeEvent(event)
  if (decoded.status !== 'invalid') return decoded.event as ContextAnyEvent
  const problems = decoded.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  throw new TypeError(
    `"event" must be an event with context, got a draft or an invalid event. ${problems.join(' ')}`,
  )
}
