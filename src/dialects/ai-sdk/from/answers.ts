/** Requests for input, and their answers. */

import type { Metadata } from '../../../events/metadata.ts'
import { emitValid } from '../../engine/draft.ts'
import type { MessageWriter, Request } from './state.ts'

/** Emits `input-received`. The stream does not name the user; who posted the request, the caller knows. */
export function answerInput(
  writer: MessageWriter,
  inputId: string,
  outcome: 'answered' | 'declined',
  carried?: Metadata,
): void {
  if (writer.options.posted === undefined)
    writer.inferred('userId', 'A response does not state who answered.')
  emitValid(writer, {
    kind: 'input-received',
    inputId,
    providedBy: 'user',
    userId: 'user',
    ...(outcome === 'declined' && { outcome }),
    ...(carried !== undefined && { metadata: { aiSdk: carried } }),
  })
  closeRequest(writer, inputId)
}

/** Emits `input-canceled`. */
export function cancelRequest(
  writer: MessageWriter,
  inputId: string,
  reason: 'withdrawn' | 'expired' | 'task-ended',
): void {
  emitValid(writer, { kind: 'input-canceled', inputId, reason })
  closeRequest(writer, inputId)
}

/** Marks a request as answered. */
export function closeRequest(writer: MessageWriter, inputId: string): void {
  const request = writer.item('requests', inputId)
  if (request !== undefined) writer.setItem('requests', inputId, { ...request, isOpen: false })
}

/** The requests for input that are open, the latest last. */
export function openInputs(writer: MessageWriter): [inputId: string, request: Request][] {
  return writer.itemsOf('requests', 'input')
}

/** Takes the open requests about a call, which are followed from the latest to those before it, the latest last. */
export function takeRequests(writer: MessageWriter, toolCallId: string): string[] {
  const call = writer.item('calls', toolCallId)
  const found: string[] = []
  let id = call?.request
  for (let last = Infinity; id != null; ) {
    const request: Request | undefined = writer.item('requests', id)
    // One that was removed may have been made again.
    if (request?.order == null || request.order >= last) break
    if (request.isOpen) found.unshift(id)
    last = request.order
    id = request.before
  }
  if (call?.request != null) writer.setItem('calls', toolCallId, { ...call, request: null })
  return found
}
