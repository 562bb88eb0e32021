import { type ContextAnyEvent, eventDecoder, type MachineState, run } from 'agentwire'

/** The state of the decoder: plain JSON, to store between two requests. */
type State = MachineState<'eventDecoder'>

/** Reads the next piece of a stream. The state tells where to go on: later, or elsewhere. */
export function readOn(chunk: Uint8Array, state?: State): { events: ContextAnyEvent[]; state: State } {
  const decoder = run(eventDecoder(), {
    ...(state && { state }),
    onDiagnostic: ({ code, message }) => console.warn(code, message),
  })
  const events = decoder.push(chunk).flatMap((decoded) => (decoded.status === 'known' ? [decoded.event] : []))
  return { events, state: decoder.state }
}
