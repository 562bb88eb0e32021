/** How much of an event a mapper keeps. */

import type { EventKind } from '../../events/event.ts'
import { eventKinds } from '../../events/kinds.ts'

/**
 * How much of an event survives mapping to another format:
 *
 * - `full`: all of its own fields
 * - `partial`: some of its fields, or only some events of its kind
 * - `omitted`: nothing; the event is dropped
 */
export type Coverage = 'full' | 'partial' | 'omitted'

/** The coverage of every kind, from that of the kinds that are mapped. All others are `omitted`. */
export function coverageOf(
  mapped: Readonly<Partial<Record<EventKind, 'full' | 'partial'>>>,
): Readonly<Record<EventKind, Coverage>> {
  const entries = eventKinds.map((kind): [EventKind, Coverage] => [kind, mapped[kind] ?? 'omitted'])
  return Object.fromEntries(entries) as Record<EventKind, Coverage>
}
