import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { agentHandler, toNodeListener } from 'turnstream/server'

/** An agent at `/agent`. */
export function agentApp(options: Parameters<typeof agentHandler>[0]): FastifyInstance {
  const app = fastify()
  const listener = toNodeListener(agentHandler(options))
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    // Fastify has read the body.
    void listener(Object.assign(request.raw, { body: request.body }), reply.raw)
  }
  app.all('/agent', answer)
  app.all('/agent/*', answer)
  return app
}
