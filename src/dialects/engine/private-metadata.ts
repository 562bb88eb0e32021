/** Metadata that writers do not give to clients: who may see an event, which its projection has followed, and signatures. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { isFields } from '../../validation/predicates.ts'
import type { EventWriter } from './event-writer.ts'

/** The kinds whose signature goes back to the model. */
const SIGNED = ['thought-stream', 'tool-start']

type Reporter = Pick<EventWriter<unknown, unknown>, 'isCarried' | 'diagnostic'>

/** Reports a key of the metadata that readers do not get, unless the event is carried whole. */
export function lostMetadata(writer: Reporter, key: string): void {
  const message = `The ${key} of an event is not for readers of the format.`
  if (!writer.isCarried) writer.diagnostic('lossy:metadata', message, { path: `/metadata/${key}` })
}

/** The event without the metadata that is not for clients, which is reported. */
export function withoutPrivate(writer: Reporter, event: ContextAnyEvent): ContextAnyEvent {
  const { metadata } = event as { readonly metadata?: unknown }
  if (!isFields(metadata)) return event
  const hidden = SIGNED.includes(event.kind) ? ['audience'] : ['audience', 'signature']
  const keys = hidden.filter((key) => Object.hasOwn(metadata, key))
  if (keys.length === 0) return event
  for (const key of keys) lostMetadata(writer, key)
  const { metadata: _, ...others } = event as ContextAnyEvent & { readonly metadata?: object }
  const left = Object.entries(metadata).filter(([key]) => !keys.includes(key))
  return (left.length === 0 ? others : { ...others, metadata: Object.fromEntries(left) }) as ContextAnyEvent
}
