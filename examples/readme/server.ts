import { createServer, type Server } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { iterate, taskEvents } from 'turnstream'
import { eventStream, eventStreamHeaders } from 'turnstream/sse'
import { thoughtEvents } from 'turnstream/thoughts'

/** Streams the text of a model's answer, and stops when `signal` is aborted. */
export type Model = (prompt: string, signal: AbortSignal) => AsyncIterable<string>

/** Answers each request with the events of one task, such as `/?prompt=Hello`. */
export const serve = (model: Model): Server =>
  createServer((request, response) => {
    const input = new URLSearchParams(request.url?.split('?')[1]).get('prompt') ?? ''
    const client = new AbortController()
    response.on('close', () => client.abort())
    // Separates `<thinking>…</thinking>` from the answer, wherever the text is cut.
    const answer = (signal: AbortSignal) => iterate(thoughtEvents(), model(input, signal), { signal })
    const task = { contextId: 'ctx-1', taskId: crypto.randomUUID(), input, signal: client.signal }
    response.writeHead(200, eventStreamHeaders)
    const body = eventStream(taskEvents(answer, { ...task, onError: console.error }))
    pipeline(body, response).catch(() => response.destroy())
  })
