import { agentHandler, memoryStore } from 'turnstream/server'
import { agent } from './agent.ts'

/** The server: here it runs in this page. */
export function createHandler(): (request: Request) => Promise<Response> {
  const store = memoryStore({ needsApproval: ({ toolName }) => toolName === 'book' })
  return agentHandler({ store, user: () => 'you', agent })
}
