/** Telling events apart. */
import type { EventKind } from './event.ts'
import { INTERNAL_PREFIX } from './kinds.ts'

/**
 * Whether an event is of one of the kinds; narrows its type.
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
  return (kinds as readonly string[]).includes(event.kind)
}

/**
 * Whether an event is meant for operators only: its kind begins with `internal:`. Also true of
 * internal kinds this version does not know.
 *
 * @see docs/spec/internal-event-protocol.md#internal-and-external-events
 */
export function isInternal<E extends { kind: string }>(
  event: E,
): event is E & { kind: `${typeof INTERNAL_PREFIX}${string}` } {
  return event.kind.startsWith(INTERNAL_PREFIX)
}

/** Whether an event is meant for clients: the opposite of {@link isInternal}. */
export function isExternal<E extends { kind: string }>(
  event: E,
): event is Exclude<E, { kind: `${typeof INTERNAL_PREFIX}${string}` }> {
  return !event.kind.startsWith(INTERNAL_PREFIX)
}
