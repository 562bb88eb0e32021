import fastify, { type FastifyInstance } from 'fastify'
import type { Stream } from 'turnstream/streams'

/** Serves `GET /streams/<id>`. */
export function streamsApp(find: (id: string) => Stream | undefined): FastifyInstance {
  const app = fastify()
  app.get<{ Params: { id: string } }>('/streams/:id', (request, reply) => {
    const stream = find(request.params.id)
    if (stream === undefined) return reply.code(404).send()
    const { status, headers, body } = stream.respond(request.headers['last-event-id']?.toString(), {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: request.signal,
    })
    return reply.send(new Response(body, { status, headers }))
  })
  return app
}
