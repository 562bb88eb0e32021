/** Metadata that writers do not give to clients: who may see an event, which its projection has followed, and signatures. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { EventWriter } from './event-writer.ts'

type Reporter = Pick<EventWriter<unknown, unknown>, 'isCarried' | 'diagnostic'>

/** Reports a key of the metadata that readers do not get, unless the event is carried whole. */
export function lostMetadata(writer: Reporter, key: string): void {
  const message = `Readers do not get the ${key}.`
  if (!writer.isCarried) writer.diagnostic('lossy:metadata', message, { path: `/metadata/${key}` })
}

/** The event without the metadata that is not for clients, which is reported. Signatures of thoughts and calls go back to the model. */
export function withoutPrivate(writer: Reporter, event: ContextAnyEvent): ContextAnyEvent {
  const { kind, metadata } = event as ContextAnyEvent & { readonly metadata?: object }
  const isPrivate = (key: string): boolean =>
    key === 'audience' || (key === 'signature' && kind !== 'thought-stream' && kind !== 'tool-start')
  if (!metadata || !Object.keys(metadata).some(isPrivate)) return event
  const { metadata: _, ...others } = event as ContextAnyEvent & { readonly metadata?: object }
  const left = Object.entries(metadata).filter(([key]) => !isPrivate(key))
  for (const key of Object.keys(metadata).filter(isPrivate)) lostMetadata(writer, key)
  return (left.length === 0 ? others : { ...others, metadata: Object.fromEntries(left) }) as ContextAnyEvent
}
