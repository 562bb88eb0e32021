import type { Stream } from 'turnstream/streams'

/** Answers a request for a stream, as `fetch` of Bun, Deno and workers returns it. */
export function respondTo(request: Request, stream: Stream | undefined): Response {
  if (stream === undefined) return new Response(null, { status: 404 })
  const { status, headers, body } = stream.respond(request.headers.get('last-event-id'), {
    viewer: { audience: 'user' }, // Of the user you have authenticated.
    signal: request.signal,
  })
  return new Response(body, { status, headers })
}
