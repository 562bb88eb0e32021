/** Type guards for events. */
import { requireKind } from '../core/require.ts'
import type { EventKind } from './event.ts'
import { INTERNAL_PREFIX } from './kinds.ts'

/**
 * Whether an event has one of the kinds. Narrows its type.
 *
 * @throws TypeError if the event is no object with a `kind`.
 *
 * @example
 * ```ts
 * if (isKind(event, 'content-delta', 'thought-delta')) append(event.delta)
 * ```
 */
export function isKind<E extends { kind: string }, K extends EventKind>(
  event: E,
  ...kinds: readonly K[]
): event is Extract<E, { kind: K }> {
  requireKind(event)
  return (kinds as readonly string[]).includes(event.kind)
}

/**
 * Whether an event is for operators only: its kind starts with `internal:`. Also true for internal kinds
 * that this version does not know.
 *
 * @throws TypeError if the event is no object with a `kind`.
 * @see docs/spec/internal-event-protocol.md#internal-and-external-events
 */
export function isInternal<E extends { kind: string }>(
  event: E,
): event is E & { kind: `${typeof INTERNAL_PREFIX}${string}` } {
  requireKind(event)
  return event.kind.startsWith(INTERNAL_PREFIX)
}

/**
 * Whether an event is for clients: the opposite of {@link isInternal}.
 *
 * @throws TypeError if the event is no object with a `kind`.
 */
export function isExternal<E extends { kind: string }>(
  event: E,
): event is Exclude<E, { kind: `${typeof INTERNAL_PREFIX}${string}` }> {
  return !isInternal(event)
}
