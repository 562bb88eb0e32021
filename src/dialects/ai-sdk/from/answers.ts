/** Requests for input, and their answers. */

import { boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { setCall } from './calls.ts'
import type { EventWriter } from './event-writer.ts'
import type { Request } from './state.ts'

/** Emits `input-received`. The user is not named in the stream. */
export function answerInput(
  writer: EventWriter,
  inputId: string,
  outcome: 'answered' | 'declined',
  carried?: Metadata,
): void {
  writer.inferred('userId', 'A response does not state who answered.')
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
  if (request !== undefined) {
    state.requests = writer.store(state.requests, inputId, { ...request, isOpen: false })
  }
}

/** The requests for input that are open, the latest last. */
export function openInputs({ state }: EventWriter): (readonly [inputId: string, request: Request])[] {
  return [...boundedEntries(state.requests)]
    .filter(([, { isOpen, order }]) => isOpen && order !== null)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
}

/** Takes the open requests about a call, which are followed from the latest to those before it, the latest last. */
export function takeRequests(writer: EventWriter, toolCallId: string): string[] {
  const call = boundedGet(writer.state.calls, toolCallId)
  const found: string[] = []
  let id = call?.request
  for (let last = Infinity; id != null; ) {
    const request: Request | undefined = boundedGet(writer.state.requests, id)
    // One that was removed may have been made again.
    if (request?.order == null || request.order >= last) break
    if (request.isOpen) found.unshift(id)
    last = request.order
    id = request.before
  }
  if (call?.request != null) setCall(writer, toolCallId, { ...call, request: null })
  return found
}
