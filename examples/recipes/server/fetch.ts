import type { Stream } from 'agentwire/streams'

/** Answers a request for a stream: the `GET` of a Next.js route, the `fetch` of Bun, Deno and workers. */
export function respondTo(request: Request, stream: Stream | undefined): Response {
  if (stream === undefined) return new Response(null, { status: 404 })
  const { status, headers, body } = stream.respond(request.headers.get('last-event-id'), {
    viewer: { audience: 'user' }, // Of the user you have authenticated.
    signal: request.signal,
  })
  return new Response(body, { status, headers })
}
