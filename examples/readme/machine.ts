import { type ContextAnyEvent, eventDecoder, run } from 'turnstream'

type DecoderState = ReturnType<typeof eventDecoder>['initial']

/** Decodes the next chunk of a stream. The returned state is plain JSON: resume with it later or elsewhere. */
export function decodeChunk(
  chunk: Uint8Array,
  state?: DecoderState,
): { events: ContextAnyEvent[]; state: DecoderState } {
  const runner = run(eventDecoder(), {
    ...(state && { state }),
    onDiagnostic: ({ code, message }) => console.warn(code, message),
  })
  const events = runner.push(chunk).flatMap((decoded) => (decoded.status === 'known' ? [decoded.event] : []))
  return { events, state: runner.state }
}
