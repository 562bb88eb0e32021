/** A recorded answer all the way to the client, and what the client makes of it. */
import {
  type ContextAnyEvent,
  type DecodedMessage,
  type Diagnostic,
  eventDecoder,
  run,
  type ThoughtStreamEvent,
  type ToolStartEvent,
} from 'agentwire'
import { encodeEvent } from 'agentwire/sse'
import { cutInto } from './recording.ts'
import { type TurnOptions, turn } from './turn.ts'

export interface ReplayOptions extends Omit<TurnOptions, 'onDiagnostic'> {
  /** Sizes of the pieces in which the bytes come from the model server. Absent: 1000. */
  readonly modelPieces?: readonly number[]
  /** Sizes of the pieces in which they reach the client. Absent: small primes. */
  readonly clientPieces?: readonly number[]
}

export interface Replay {
  /** The event stream, as text. */
  readonly wire: string
  /** What the client decodes. */
  readonly received: readonly DecodedMessage[]
  /** What no event tells of: remarks of the server's side, then of the client's. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Sends a recording through server and client: bytes in, typed events out. */
export async function replay(recording: Uint8Array, options: ReplayOptions): Promise<Replay> {
  const { modelPieces = [1000], clientPieces = [1, 2, 3, 5, 7, 11, 13], ...turnOptions } = options
  const diagnostics: Diagnostic[] = []
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic)

  let wire = ''
  const answer = cutInto(recording, modelPieces)
  let sent = 0
  for await (const event of turn(answer, { ...turnOptions, onDiagnostic })) {
    wire += encodeEvent(event, { id: String(++sent) })
  }

  const client = run(eventDecoder(), { onDiagnostic })
  const received: DecodedMessage[] = []
  for (const bytes of cutInto(new TextEncoder().encode(wire), clientPieces)) {
    received.push(...client.push(bytes))
  }
  client.end()
  return { wire, received, diagnostics }
}

/** What a client shows in the end. */
export interface Shown {
  /** The deltas, joined. */
  readonly answer: string
  readonly thoughts: readonly ThoughtStreamEvent[]
  readonly tools: readonly ToolStartEvent[]
}

/** Folds the events of one turn into what a client shows. */
export function shown(received: readonly DecodedMessage[]): Shown {
  let answer = ''
  const thoughts: ThoughtStreamEvent[] = []
  const tools: ToolStartEvent[] = []
  const show = (event: ContextAnyEvent): void => {
    if (event.kind === 'content-delta') answer += event.delta
    if (event.kind === 'thought-stream') thoughts.push(event)
    if (event.kind === 'tool-start') tools.push(event)
  }
  for (const decoded of received) if (decoded.status === 'known') show(decoded.event)
  return { answer, thoughts, tools }
}
