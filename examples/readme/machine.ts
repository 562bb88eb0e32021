import { type ContextAnyEvent, eventDecoder, run, type SseState } from 'agentwire'

/** Decodes the next chunk of a stream. The returned state resumes decoding: later, or in another process. */
export function decodeChunk(
  chunk: Uint8Array,
  state?: SseState,
): { events: ContextAnyEvent[]; state: SseState } {
  const decoder = run(eventDecoder(), {
    ...(state && { state }),
    onDiagnostic: ({ code, message }) => console.warn(code, message),
  })
  const events = decoder.push(chunk).flatMap((decoded) => (decoded.status === 'known' ? [decoded.event] : []))
  return { events, state: decoder.state }
}
