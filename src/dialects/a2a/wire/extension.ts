/**
 * The agentwire extension: whole events in the metadata of A2A updates, for what A2A has no fields for.
 *
 *     metadata: { [a2aExtensionUri]: event }                 one event
 *     metadata: { [a2aExtensionUri]: { events: [event…] } }  any other number of events
 *     task metadata: { [a2aExtensionUri]: { resume, events: [event…] } }
 *
 * An event in it lacks `contextId` and `taskId`, and the field whose value is in the update itself
 * (`contentFieldOf`). A client that knows the extension reads these events and ignores the rest of the
 * update; any other client reads the update.
 */

import type { EventKind } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { isFields } from '../../../validation/predicates.ts'

/**
 * The URI of the agentwire extension. An agent that writes it declares it in its agent card, under
 * `capabilities.extensions`, with `required: false`. A client activates it with the header `A2A-Extensions`
 * (1.0) or `X-A2A-Extensions` (0.3).
 *
 * @see https://a2a-protocol.org/v1.0.0/topics/extensions/
 */
export const a2aExtensionUri = 'urn:agentwire:a2a:events:v1'

/** An event inside the extension: without its ids. */
export interface ExtensionEvent extends Metadata {
  kind: string
}

/** The field of each kind that the extension omits where the update itself holds its value. */
export const contentFieldOf: Readonly<Partial<Record<EventKind, string>>> = {
  'content-delta': 'delta',
  'content-complete': 'content',
  'file-write': 'data',
  'data-write': 'data',
  'dataset-write': 'rows',
}

/** Update metadata with the events. */
export function toExtension(events: readonly ExtensionEvent[]): Metadata {
  const [only] = events
  return { [a2aExtensionUri]: events.length === 1 && only !== undefined ? only : { events } }
}

/**
 * Task metadata with the events.
 *
 * Servers store task metadata, merge the metadata of updates into it, and send the task again on request.
 * Hence the different shape, and the counter: a reader skips a number it has already seen.
 */
export function toTaskExtension(resume: number, events: readonly ExtensionEvent[]): Metadata {
  return { [a2aExtensionUri]: { resume, events } }
}

/** The events in the metadata of an update; `undefined` if it does not have the extension. */
export function fromExtension(metadata: Metadata | undefined): readonly ExtensionEvent[] | undefined {
  const value = extensionOf(metadata)
  if (value === undefined || 'resume' in value) return undefined
  return isExtensionEvent(value) ? [value] : eventsOf(value)
}

/**
 * The events in the metadata of a task; `undefined` if it does not have the extension, or only the one a
 * server merged into it from an update.
 */
export function fromTaskExtension(
  metadata: Metadata | undefined,
): { resume: number; events: readonly ExtensionEvent[] } | undefined {
  const value = extensionOf(metadata)
  return value !== undefined && typeof value.resume === 'number'
    ? { resume: value.resume, events: eventsOf(value) ?? [] }
    : undefined
}

/** Metadata without the extension; `undefined` if nothing is left. */
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

function eventsOf(value: Metadata): readonly ExtensionEvent[] | undefined {
  return Array.isArray(value.events) ? value.events.filter(isExtensionEvent) : undefined
}

function isExtensionEvent(value: unknown): value is ExtensionEvent {
  return isFields(value) && typeof value.kind === 'string'
}
