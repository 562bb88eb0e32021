/** Sends a recorded answer through server and client. */
import {
  type ContextAnyEvent,
  type DecodedMessage,
  type Diagnostic,
  type EventOf,
  eventDecoder,
  run,
  type Usage,
} from 'turnstream'
import { encodeEvent } from 'turnstream/sse'
import { cutInto } from './recording.ts'
import { type TurnOptions, turn } from './turn.ts'

export interface ReplayOptions extends Omit<TurnOptions, 'onDiagnostic'> {
  /** Chunk sizes of the model's answer. Defaults to 1000 bytes. */
  readonly modelPieces?: readonly number[]
  /** Chunk sizes of the event stream. Defaults to small primes. */
  readonly clientPieces?: readonly number[]
}

export interface Replay {
  /** The event stream, as text. */
  readonly wire: string
  /** The messages as the client decodes them. */
  readonly received: readonly DecodedMessage[]
  /** Diagnostics of the server, then of the client. */
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
    const message = encodeEvent(event, { viewer: { audience: 'user' }, id: String(sent + 1) })
    // Empty if users may not see the event.
    if (message !== '') sent++
    wire += message
  }

  const client = run(eventDecoder(), { onDiagnostic })
  const received: DecodedMessage[] = []
  for (const bytes of cutInto(new TextEncoder().encode(wire), clientPieces)) {
    received.push(...client.push(bytes))
  }
  client.end()
  return { wire, received, diagnostics }
}

/** What a client shows at the end. */
export interface Shown {
  /** The deltas, joined. */
  readonly answer: string
  readonly thoughts: readonly EventOf<'thought-stream'>[]
  readonly tools: readonly EventOf<'tool-start'>[]
  /** Omitted if the model server stated none. */
  readonly usage?: Usage
}

/** Reduces the events of one turn to what a client shows. */
export function shown(received: readonly DecodedMessage[]): Shown {
  let answer = ''
  const thoughts: EventOf<'thought-stream'>[] = []
  const tools: EventOf<'tool-start'>[] = []
  let usage: Usage | undefined
  const show = (event: ContextAnyEvent): void => {
    if (event.kind === 'content-delta') answer += event.delta
    if (event.kind === 'thought-stream') thoughts.push(event)
    if (event.kind === 'tool-start') tools.push(event)
    if (event.kind === 'task-complete') usage = event.metadata?.usage?.[0]
  }
  for (const decoded of received) if (decoded.status === 'known') show(decoded.event)
  return usage === undefined ? { answer, thoughts, tools } : { answer, thoughts, tools, usage }
}
