/** Emits drafts whose content or metadata is the sender's. */

import type { Metadata } from '../../../events/metadata.ts'
import { type Draft, emitValid } from '../../engine/draft.ts'
import type { MessageWriter } from './state.ts'

/** Emits a draft with its metadata; without, and reports it, if that is not valid. Returns whether an event was emitted. */
export function emitWith(writer: MessageWriter, draft: Draft, metadata: Metadata): boolean {
  const hasMetadata = Object.keys(metadata).length > 0
  if (hasMetadata && emitValid(writer, { ...draft, metadata } as Draft)) return true
  if (hasMetadata) writer.lossy('providerMetadata', `Expected valid metadata of ${draft.kind}.`, metadata)
  return emitValid(writer, draft)
}

/** Emits a draft; reports the chunk if it is not a valid event. Returns whether it is. */
export function emitOr(writer: MessageWriter, type: string, draft: Draft): boolean {
  const isValid = emitValid(writer, draft)
  if (!isValid) writer.dropped(type, 'invalid-content', `Expected a valid ${draft.kind} in ${type}.`)
  return isValid
}
