/** The check of an event that is appended: a log replays it to every reader, for as long as it is kept. */
import { decodeEvent, isKnownEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'

/**
 * Requires an event with context, of this version or of a kind that it does not know. Returns it without optional fields
 * that are `null`.
 *
 * @throws TypeError such as `"event" must be an event with context. /contextId: Missing: expected a string.`
 */
export function requireEvent(event: unknown): ContextAnyEvent {
  if (isKnownEvent(event)) return event
  const decoded = decodeEvent(event)
  if (decoded.status !== 'invalid') return decoded.event as ContextAnyEvent
  const problems = decoded.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  throw new TypeError(`"event" must be an event with context. ${problems.join(' ')}`)
}
