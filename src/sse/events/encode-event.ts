/** Encoding one event. */
import type { Diagnostic } from '../../core/machine.ts'
import { requireEnvelope, requireOnly } from '../../core/require.ts'
import { projectionFor } from '../../streams/access/reader.ts'
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
  /**
   * Called with what the viewer does not see because no schema allows it: `hidden:<field>` for each undeclared field, once per
   * kind, and `invalid-event` for an event that is hidden as it is not valid. Must not throw. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * Encodes one event as a viewer may see it, including the blank line. An empty string if it is hidden from the viewer or not
 * valid.
 *
 * A kind that cannot be an event type (`error`, `open`, `message`, or one with a line ending) gets no `event:` line.
 *
 * Knows the parent of a task only if the event states it. For many events, {@link eventStream} checks the viewer once.
 *
 * @throws TypeError if `viewer` is missing, an option is invalid or unknown, `id` contains a CR, LF or NUL, the event is a draft, without
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
  requireOnly('options', given, ['viewer', 'id', 'profile', 'onDiagnostic'])
  requireProfile(given)
  const { viewer, id, profile, onDiagnostic } = given
  const visible = projectionFor(viewer, onDiagnostic)(event)
  const head = id === undefined ? '' : idLine(id)
  return visible === undefined ? '' : eventMessage(visible, head, profile !== 'data-only')
}
