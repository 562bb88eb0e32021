import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createEmitter, type EventDraft, iterate } from 'agentwire'
import { encodeEvent, eventStreamHeaders } from 'agentwire/sse'
import { thoughtEvents } from 'agentwire/thoughts'

/** Streams the text of a model's answer, and stops when `signal` is aborted. */
export type Model = (prompt: string, signal: AbortSignal) => AsyncIterable<string>

/** Answers each request with the events of one task, such as `/?prompt=Hello`. */
export function serve(model: Model): Server {
  return createServer((request, response) => {
    answer(model, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
}

async function answer(model: Model, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const prompt = new URL(request.url ?? '/', 'http://localhost').searchParams.get('prompt') ?? ''
  const disconnected = new AbortController()
  const { signal } = disconnected
  response.on('error', console.error).on('close', () => disconnected.abort())
  response.writeHead(200, eventStreamHeaders)

  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: crypto.randomUUID() })
  const send = async (draft: EventDraft): Promise<void> => {
    signal.throwIfAborted()
    if (!response.write(encodeEvent(emit(draft)))) await once(response, 'drain', { signal })
  }
  try {
    await send({ kind: 'task-created', initiator: 'user' })
    await send({ kind: 'task-status', status: 'working' })
    // Separates `<thinking>…</thinking>` from the answer, wherever the text is cut.
    for await (const draft of iterate(thoughtEvents(), model(prompt, signal), { signal })) await send(draft)
    await send({ kind: 'task-status', status: 'completed' })
    await send({ kind: 'task-complete' })
  } catch (error) {
    if (signal.aborted) return // The client disconnected, and the model was stopped.
    console.error(error) // Details stay on the server.
    const failure = { code: 'provider_error', message: 'The model failed.', retry: 'retryable' } as const
    await send({ kind: 'task-status', status: 'failed', error: failure })
  }
  response.end()
}
