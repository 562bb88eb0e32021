/**
 * The turnstream extension: whole events in the metadata of A2A, for what A2A has no fields for.
 *
 *     update   metadata: { [a2aExtensionUri]: { sequence, events } }
 *     task     metadata: { [a2aExtensionUri]: { next, events } }
 *
 * The events of a task are numbered from 0. `sequence` is the number of the first event in an update; with no
 * event in it, that of the event it belongs to, which another update carries. `next` is the number after the last event in a task, which carries the last
 * events written so far, and all of them unless they were too many. A reader that counts what it received
 * therefore reads each event once, however often an item is sent again, and detects missing ones.
 *
 * Servers store tasks and merge the metadata of updates into them. Hence the two names: a stored task with
 * `sequence` holds the events of one update only.
 */

import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { isFields } from '../../../validation/predicates.ts'

/**
 * The URI of the turnstream extension. An agent that writes it declares it in its agent card, under
 * `capabilities.extensions`, with `required: false`. A client activates it with the header `A2A-Extensions`
 * (1.0) or `X-A2A-Extensions` (0.3).
 *
 * @see https://a2a-protocol.org/v1.0.0/topics/extensions/
 */
export const a2aExtensionUri = 'urn:turnstream:a2a:events:v1'

/** Events with their numbers, as received: not validated. */
export interface NumberedEvents {
  /** The number of the first event. */
  readonly first: number
  readonly events: readonly unknown[]
  /** Whether they are the last events of a task rather than those of one update. */
  readonly isTask: boolean
}

/** Metadata of an update. */
export function toUpdateExtension(sequence: number, events: readonly unknown[]): Metadata {
  return { [a2aExtensionUri]: { sequence, events } }
}

/** Metadata of a task. */
export function toTaskExtension(next: number, events: readonly ContextAnyEvent[]): Metadata {
  return { [a2aExtensionUri]: { next, events } }
}

/** The events in the metadata of an update or task; `undefined` if it does not have the extension, or an invalid one. */
export function readExtension(metadata: Metadata | undefined): NumberedEvents | undefined {
  const value =
    metadata !== undefined && Object.hasOwn(metadata, a2aExtensionUri) ? metadata[a2aExtensionUri] : undefined
  if (!isFields(value)) return undefined
  const { sequence, next, events = [] } = value
  if (!Array.isArray(events)) return undefined
  const isTask = next !== undefined
  const first = isTask ? Number(next) - events.length : sequence
  const isNumber = (isTask ? typeof next : typeof sequence) === 'number'
  return isNumber && Number.isSafeInteger(first) && Number(first) >= 0
    ? { first: Number(first), events, isTask }
    : undefined
}

/** The values of the extension that are not read, with the keys to each. */
export function extensionIssues(metadata: Metadata | undefined): [keys: string[], value: unknown][] {
  if (metadata === undefined || !Object.hasOwn(metadata, a2aExtensionUri)) return []
  const value = metadata[a2aExtensionUri]
  if (readExtension(metadata) === undefined || !isFields(value)) return [[[a2aExtensionUri], value]]
  const number = value.next === undefined ? 'sequence' : 'next'
  const others = Object.keys(value).filter((name) => name !== number && name !== 'events')
  return others.map((name) => [[a2aExtensionUri, name], value[name]])
}

/** Metadata without the extension; `undefined` if nothing is left. */
export function withoutExtension(metadata: Metadata | undefined): Metadata | undefined {
  if (metadata === undefined) return undefined
  const { [a2aExtensionUri]: _, ...rest } = metadata
  return Object.keys(rest).length > 0 ? rest : undefined
}
