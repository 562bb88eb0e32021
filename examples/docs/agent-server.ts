import { createServer, type Server } from 'node:http'
import { type Agent, agentHandler, memoryStore, toNodeListener } from 'turnstream/server'

/** Serves an agent that asks before it pays. */
export function serve(agent: Agent, userOf: (request: Request) => string | undefined): Server {
  const store = memoryStore({ needsApproval: ({ toolName }) => toolName === 'pay' })
  const handler = agentHandler({ store, user: userOf, agent })
  return createServer(toNodeListener(handler)).listen(3000)
}
