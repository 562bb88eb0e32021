/** Read filters: which events of a stream one reader gets, and which of their fields. */
import { mismatch, requireText } from '../../core/require.ts'
import { fnv1a } from '../../encoding/fnv1a.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { compileFilter, type EventFilter } from '../access/filter.ts'
import { projectFor } from '../access/project.ts'
import { requireFilter, requireViewer } from '../access/require-viewer.ts'
import type { Viewer } from '../access/viewer.ts'
import type { StreamEvent } from './batch.ts'

/** Selects and redacts the events of a stream for one reader. */
export interface ReadFilter<E extends StreamEvent = ContextAnyEvent> {
  /**
   * Identifies the filter: filters with equal ids must return equal results. The id is part of the
   * reader's cursor, so that a reader whose filter changed gets a reset instead of a mix of both.
   */
  readonly id: string
  /**
   * Returns the event as the reader may see it, or `undefined` to hide it. Must be deterministic, and must
   * not change the event.
   */
  apply(event: E): E | undefined
}

/**
 * Creates the filter of a viewer: what {@link project} returns for the events that match `filter`.
 *
 * @param filter - Which of the visible events the viewer wants. Defaults to all of them.
 * @throws TypeError if the viewer or the filter has an invalid field or an unknown one: an unknown audience, thought
 * type, verbosity or kind.
 */
export function readFilter<E extends StreamEvent = ContextAnyEvent>(
  viewer: Viewer,
  filter: EventFilter = { internal: true },
): ReadFilter<E> {
  requireViewer('viewer', viewer)
  requireFilter('filter', filter)
  const matches = compileFilter(filter)
  return {
    id: hashOf({ viewer, filter }),
    apply: (event) => (matches(event) ? projectFor(event, viewer) : undefined),
  }
}

/** Requires a filter, and not for example the viewer or the {@link EventFilter} it is made of. */
export function requireReadFilter(name: string, value: unknown): void {
  const { id, apply } = (value ?? {}) as Partial<ReadFilter>
  if (typeof apply !== 'function') throw mismatch(name, 'a filter with id and apply', value)
  requireText(`${name}.id`, id)
}

/** A short hash of a JSON value that does not depend on the order of object keys. */
function hashOf(value: unknown): string {
  const text = canonicalJson(value)
  return mixedHash(text, 0x811c9dc5).toString(36) + mixedHash(text, 0x2d3c5af1).toString(36).padStart(7, '0')
}

function canonicalJson(value: unknown): string {
  const sorted = (_key: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  return JSON.stringify(value, sorted)
}

/** FNV-1a over UTF-16 code units, with a final mix that spreads the last units over all bits. */
function mixedHash(text: string, seed: number): number {
  let bits = fnv1a(seed, text)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
  return (bits ^ (bits >>> 13)) >>> 0
}
