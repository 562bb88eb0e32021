/** The names of all event kinds. Imports no validators, so that the SSE codec can use it. */

import { requireKind } from '../core/require.ts'

export { eventKinds, externalKinds, internalKinds } from './kinds.generated.ts'

/** The prefix of internal kinds. */
export const INTERNAL_PREFIX = 'internal:'

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
