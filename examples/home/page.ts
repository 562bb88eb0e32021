import { type AgentClient, agentClient } from 'turnstream/client'
import type { Network } from './network.ts'

/** The page: `getSnapshot().view` is what it shows. */
export function createPage(network: Network): AgentClient {
  return agentClient('http://localhost/agent', { fetch: network.fetch })
}
