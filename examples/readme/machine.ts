import { type ContextAnyEvent, eventDecoder, run } from 'agentwire'

const decoder = eventDecoder()
type DecoderState = typeof decoder.initial

/** Decodes the next chunk of a stream. The returned state is plain JSON: resume with it later or elsewhere. */
export function decodeChunk(
  chunk: Uint8Array,
  state: DecoderState = decoder.initial,
): { events: ContextAnyEvent[]; state: DecoderState } {
  const runner = run(decoder, {
    state,
    onDiagnostic: ({ code, message }) => console.warn(code, message),
  })
  const events = runner.push(chunk).flatMap((decoded) => (decoded.status === 'known' ? [decoded.event] : []))
  return { events, state: runner.state }
}
