/** Reading a response body as events: the one call most frontends need. */
import type { DecodeResult } from '../core/decode-result.ts'
import { iterateBatches, type Source } from '../core/iterate.ts'
import type { Diagnostic } from '../core/machine.ts'
import { optional, requireFunction, requireObject } from '../core/require.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { type EventDecoderOptions, eventDecoder } from './event-decoder.ts'

/** Options of {@link readEvents}. */
export interface ReadEventsOptions extends EventDecoderOptions {
  /** Called with each event of an unknown kind. Omitted: they are ignored. */
  readonly onUnknown?: (
    decoded: Extract<DecodeResult<ContextAnyEvent>, { status: 'unknown' }> & { id: string },
  ) => void
  /** Called with each message that is not a valid event. Omitted: they are ignored. */
  readonly onInvalid?: (
    decoded: Extract<DecodeResult<ContextAnyEvent>, { status: 'invalid' }> & { id: string },
  ) => void
  /** Called with each diagnostic of {@link eventDecoder}. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Aborting it cancels the body and makes the generator throw the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * Reads the known events of a body. Unknown events and invalid messages go to the callbacks; reading continues.
 *
 * Leaving the loop early cancels the body. An error of the body, such as a lost connection, is rethrown.
 *
 * @param body - A `Response`, its body, or any (async) iterable of chunks.
 *
 * @throws TypeError at the first event if an option is invalid, such as a limit that is not an integer >= 1.
 *
 * @example
 * ```ts
 * for await (const event of readEvents(await fetch('/chat'))) {
 *   if (event.kind === 'content-delta') show(event.delta)
 * }
 * ```
 */
export async function* readEvents(
  body: Source<string | Uint8Array> | Response,
  options: ReadEventsOptions = {},
): AsyncGenerator<ContextAnyEvent, void, undefined> {
  requireObject('options', options)
  const { onUnknown, onInvalid, onDiagnostic, signal, ...limits } = options
  optional(requireFunction, 'onUnknown', onUnknown)
  optional(requireFunction, 'onInvalid', onInvalid)
  const source = 'body' in body ? body.body : body
  if (source === null) return
  const callbacks = {
    ...(onDiagnostic !== undefined && { onDiagnostic }),
    ...(signal !== undefined && { signal }),
  }
  for await (const batch of iterateBatches(eventDecoder(limits), source, callbacks)) {
    for (const decoded of batch) {
      if (decoded.status === 'known') yield decoded.event
      else if (decoded.status === 'unknown') onUnknown?.(decoded)
      else onInvalid?.(decoded)
    }
  }
}
