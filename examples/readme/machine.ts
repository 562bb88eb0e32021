import { type ContextAnyEvent, eventDecoder, run, type SseState } from 'agentwire'

/** Reads the next piece of a stream. The state tells where to go on: later, or elsewhere. */
export function readOn(chunk: Uint8Array, state?: SseState): { events: ContextAnyEvent[]; state: SseState } {
  const decoder = run(eventDecoder(), {
    ...(state && { state }),
    onDiagnostic: ({ code, message }) => console.warn(code, message),
  })
  const events = decoder.push(chunk).flatMap((decoded) => (decoded.status === 'known' ? [decoded.event] : []))
  return { events, state: decoder.state }
}
