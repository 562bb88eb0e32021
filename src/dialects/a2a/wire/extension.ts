/**
 * The extension: whole events in the metadata of A2A updates, for what A2A has no words for.
 *
 *     metadata: { [a2aExtensionUri]: event }                 one event
 *     metadata: { [a2aExtensionUri]: { events: [event…] } }  none or several
 *     task metadata: { [a2aExtensionUri]: { resume, events: [event…] } }
 *
 * An event in it lacks `contextId` and `taskId`, and the field whose content the update itself
 * says ({@link saidByUpdate}). Who knows the extension takes these events and nothing else from an
 * update that has it; who does not, reads the update.
 */

import type { EventKind } from '../../../events/event.ts'
import type { Metadata } from '../../../events/fields.ts'
import { isFields } from '../../../validation/predicates.ts'

/**
 * The URI of the extension. An agent that writes it declares it in its card, under
 * `capabilities.extensions`, with `required: false`; a client asks for it in the header
 * `A2A-Extensions` (1.0) or `X-A2A-Extensions` (0.3).
 *
 * @see https://a2a-protocol.org/v1.0.0/topics/extensions/
 */
export const a2aExtensionUri = 'urn:agentwire:a2a:events:v1'

/** An event as the extension carries it. */
export interface CarriedEvent extends Metadata {
  kind: string
}

/** The field of a kind that is not repeated where the update itself says it. */
export const saidByUpdate: Readonly<Partial<Record<EventKind, string>>> = {
  'content-delta': 'delta',
  'content-complete': 'content',
  'file-write': 'data',
  'data-write': 'data',
  'dataset-write': 'rows',
}

/** Metadata of an update that carries events. */
export function carry(events: readonly CarriedEvent[]): Metadata {
  const [only] = events
  return { [a2aExtensionUri]: events.length === 1 && only !== undefined ? only : { events } }
}

/**
 * Metadata of a task that carries events.
 *
 * Servers keep it and merge into it what updates carry, and send the task again to whoever asks.
 * Hence its own shape, and the count of the tasks sent: only a number not seen before is news.
 */
export function carryOnTask(resume: number, events: readonly CarriedEvent[]): Metadata {
  return { [a2aExtensionUri]: { resume, events } }
}

/** The events an update carries; `undefined` when it does not have the extension. */
export function carriedBy(metadata: Metadata | undefined): readonly CarriedEvent[] | undefined {
  const value = extensionOf(metadata)
  if (value === undefined || 'resume' in value) return undefined
  return isCarried(value) ? [value] : eventsOf(value)
}

/** What a task carries; `undefined` when it does not have the extension, or only as merged into it. */
export function carriedByTask(
  metadata: Metadata | undefined,
): { resume: number; events: readonly CarriedEvent[] } | undefined {
  const value = extensionOf(metadata)
  return value !== undefined && typeof value.resume === 'number'
    ? { resume: value.resume, events: eventsOf(value) ?? [] }
    : undefined
}

/** Metadata without the extension; `undefined` when nothing is left. */
export function withoutExtension(metadata: Metadata | undefined): Metadata | undefined {
  if (metadata === undefined) return undefined
  const { [a2aExtensionUri]: _, ...rest } = metadata
  return Object.keys(rest).length > 0 ? rest : undefined
}

function extensionOf(metadata: Metadata | undefined): Metadata | undefined {
  const value =
    metadata !== undefined && Object.hasOwn(metadata, a2aExtensionUri) ? metadata[a2aExtensionUri] : undefined
  return isFields(value) ? (value as Metadata) : undefined
}

function eventsOf(value: Metadata): readonly CarriedEvent[] | undefined {
  return Array.isArray(value.events) ? value.events.filter(isCarried) : undefined
}

function isCarried(value: unknown): value is CarriedEvent {
  return isFields(value) && typeof value.kind === 'string'
}
