import { type ContextAnyEvent, iterate, type Machine, pipe, run } from 'turnstream'
import { toA2a, wrapJsonRpc } from 'turnstream/a2a'
import { fromAgUi } from 'turnstream/ag-ui'
import { encodeUiMessageChunk, toUiMessageStream } from 'turnstream/ai-sdk'
import { encodeMessage, jsonDecoder } from 'turnstream/sse'
import { createStream, type StreamResponse, watchStream } from 'turnstream/streams'

/** One run, as the clients of each protocol read it: from the beginning, or after their last event. */
export interface Gateway {
  readonly turnstream: (lastEventId?: string) => StreamResponse
  readonly aiSdk: () => AsyncIterable<string>
  readonly a2a: (requestId: string) => AsyncIterable<string>
  /** Resolves at the end of the run, and rejects if the agent fails. */
  readonly done: Promise<void>
}

/** Reads one run of an AG-UI agent, and serves it to turnstream, AI SDK and A2A clients at once. */
export function gateway(agent: AsyncIterable<Uint8Array>): Gateway {
  const stream = createStream({ stream: 'run', epoch: crypto.randomUUID() })
  const turnstream = (lastEventId?: string) => stream.respond(lastEventId)
  const read = async () => {
    const events = iterate(pipe(jsonDecoder(), fromAgUi()), agent)
    for await (const event of events) await stream.append(event)
  }
  async function* text<S, O, E>(to: Machine<S, ContextAnyEvent, O, E>, encode: (out: O) => string) {
    const { push, end } = run(to)
    for await (const { received } of watchStream((lastEventId) => turnstream(lastEventId).body ?? []))
      if (received.type === 'events') yield received.events.flatMap(push).map(encode).join('')
    yield end().map(encode).join('')
  }
  const aiSdk = () => text(toUiMessageStream(), encodeUiMessageChunk)
  const a2a = (id: string) =>
    text(toA2a({ version: '1.0' }), (item) => encodeMessage({ data: JSON.stringify(wrapJsonRpc(id, item)) }))
  return { turnstream, aiSdk, a2a, done: read().finally(() => stream.close()) }
}
