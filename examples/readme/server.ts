import { createServer, type Server } from 'node:http'
import { createEmitter, type EventDraft, iterate } from 'agentwire'
import { encodeEvent } from 'agentwire/sse'
import { thoughtEvents } from 'agentwire/thoughts'

/** Answers each request with the events of one task. `ask` streams a model's text as it comes. */
export function serve(ask: (prompt: string) => AsyncIterable<string>): Server {
  return createServer(async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: crypto.randomUUID() })
    const send = (draft: EventDraft): boolean => response.write(encodeEvent(emit(draft)))
    send({ kind: 'task-created', initiator: 'user' })
    send({ kind: 'task-status', status: 'working' })
    // Tells `<thinking>…</thinking>` from speech, wherever the model's text is cut.
    for await (const draft of iterate(thoughtEvents(), ask(request.url ?? '/'))) send(draft)
    send({ kind: 'task-status', status: 'completed' })
    send({ kind: 'task-complete' })
    response.end()
  })
}
