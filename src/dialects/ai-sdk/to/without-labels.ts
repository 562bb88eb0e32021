/** What of the metadata of events is for those who serve them, and not for pages. */

import type { ContextAnyEvent } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'

/** The kinds whose signature is sent back to the model. */
const signedKinds: readonly string[] = ['thought-stream', 'tool-start']

/** The keys of the metadata of an event that no chunk has: the label that its projection has followed, and signatures. */
export function labelKeys({ kind }: ContextAnyEvent): readonly string[] {
  return signedKinds.includes(kind) ? ['audience'] : ['audience', 'signature']
}

/** The event without some keys of its metadata; the event itself if it has none of them. */
export function withoutLabels(event: ContextAnyEvent, keys: readonly string[]): ContextAnyEvent {
  const { metadata } = event as { metadata?: unknown }
  if (!isFields(metadata) || !keys.some((key) => Object.hasOwn(metadata, key))) return event
  const kept = Object.entries(metadata).filter(([key]) => !keys.includes(key))
  const { metadata: _, ...rest } = event as { metadata?: unknown } & ContextAnyEvent
  return (kept.length === 0 ? rest : { ...rest, metadata: Object.fromEntries(kept) }) as ContextAnyEvent
}
