/** Answers to requests for input. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { EventWriter } from './event-writer.ts'

/** Emits `input-received`. The user is not named in the stream. */
export function answerInput(
  writer: EventWriter,
  inputId: string,
  outcome: 'answered' | 'declined',
  carried?: Metadata,
): void {
  writer.inferred('userId', 'A response does not state who answered; "user" is used instead.')
  writer.emitDraft({
    kind: 'input-received',
    inputId,
    providedBy: 'user',
    userId: 'user',
    ...(outcome === 'declined' && { outcome }),
    ...(carried !== undefined && { metadata: { aiSdk: carried } }),
  })
  closeRequest(writer, inputId)
}

/** Marks a request as answered. */
export function closeRequest(writer: EventWriter, inputId: string): void {
  const { state } = writer
  const request = boundedGet(state.requests, inputId)
  state.openInputs = state.openInputs.filter((id) => id !== inputId)
  state.requests = writer.store(state.requests, inputId, {
    isOpen: false,
    toolCallId: request?.toolCallId ?? null,
  })
}
