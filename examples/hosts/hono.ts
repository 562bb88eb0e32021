import { Hono } from 'hono'
import { agentHandler } from 'turnstream/server'

/** An agent at `/agent`. */
export function agentApp(options: Parameters<typeof agentHandler>[0]): Hono {
  const handler = agentHandler(options)
  return new Hono().all('/agent/*', (c) => handler(c.req.raw))
}
