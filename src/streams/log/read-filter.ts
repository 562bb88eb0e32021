/** Views: what one reader may and wants to see of a stream. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { type EventFilter, filterFor } from '../access/filter.ts'
import { project, type Viewer } from '../access/project.ts'
import type { StreamEvent } from './batch.ts'

/** What a reader sees of each event of a stream. */
export interface ReadFilter<E extends StreamEvent = ContextAnyEvent> {
  /**
   * Names what is shown: two views with one id show the same. It is part of the reader's cursor, so
   * that a reader whose view has changed starts again from a snapshot instead of mixing the two.
   */
  readonly id: string
  /** The event as the reader sees it; `undefined` when it does not. Must always say the same. */
  see(event: E): E | undefined
}

/**
 * The view of a viewer: what {@link project} leaves of the events that pass a filter.
 *
 * @param filter - What the viewer wants of what it may see. Absent: all of it.
 */
export function readFilter<E extends StreamEvent = ContextAnyEvent>(
  viewer: Viewer,
  filter: EventFilter = { internal: true },
): ReadFilter<E> {
  const passes = filterFor(filter)
  return {
    id: fingerprint({ viewer, filter }),
    see: (event) => (passes(event) ? project(event, viewer) : undefined),
  }
}

/** A short text that is the same for the same value, whatever the order of its keys. */
function fingerprint(value: unknown): string {
  const text = canonical(value)
  return hash(text, 0x811c9dc5).toString(36) + hash(text, 0x2d3c5af1).toString(36).padStart(7, '0')
}

function canonical(value: unknown): string {
  const sorted = (_key: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  return JSON.stringify(value, sorted)
}

/** FNV-1a over UTF-16 code units, with the bits spread once more at the end. */
function hash(text: string, seed: number): number {
  let bits = seed
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
  return (bits ^ (bits >>> 13)) >>> 0
}
