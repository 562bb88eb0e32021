/** Encoding one event. */
import { requireEnvelope, requireObject } from '../../core/require.ts'
import { projectionFor, requireReader } from '../../streams/access/reader.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { type EventMessageOptions, eventMessage, idLine, requireProfile } from '../encode.ts'

/** Options of {@link encodeEvent}. */
export interface EncodeEventOptions extends EventMessageOptions {
  /**
   * Who reads it: the event is projected for this viewer. `'all'`: it is encoded with all fields, for readers that
   * may see everything, or if it was projected before.
   */
  readonly viewer: Viewer | 'all'
  /** The event id, which clients send as `Last-Event-ID`. Omitted: no `id:` line. */
  readonly id?: string
}

/**
 * Encodes one event as a viewer may see it, including the blank line. An empty string if it is hidden from the viewer.
 *
 * A kind that cannot be an event type (`error`, `open`, `message`, or one with a line ending) gets no `event:` line.
 *
 * Checks the viewer in each call, and knows the parent of a task only if the event states it. To send many events,
 * {@link eventStream} checks the viewer once.
 *
 * @throws TypeError if `viewer` is missing, an option is invalid, `id` contains a CR, LF or NUL, the event is a draft, without
 * `kind`, `contextId`, `taskId` or `timestamp`, or is not JSON: it contains a cycle or a bigint.
 *
 * @example
 * ```ts
 * encodeEvent(event, { viewer: { audience: 'user' } })
 * ```
 *
 * @see docs/spec/internal-event-protocol.md#wire-format
 */
export function encodeEvent(event: { readonly kind: string }, options: EncodeEventOptions): string {
  requireEnvelope(event)
  // Without options, the viewer is what is missing.
  const given: Partial<EncodeEventOptions> = options === undefined ? {} : options
  requireObject('options', given)
  requireProfile(given)
  const { viewer, id, profile } = given
  requireReader('viewer', viewer)
  const head = id === undefined ? '' : idLine(id)
  const visible = projectionFor(viewer)(event)
  return visible === undefined ? '' : eventMessage(visible, head, profile !== 'data-only')
}
