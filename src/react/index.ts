/**
 * The page of an agent in React: `agentClient` as a hook.
 *
 * @packageDocumentation
 */

export type { AgentClient } from '../client/agent-client.ts'
export type { AgentState } from '../client/state.ts'
export { useAgent } from './use-agent.ts'
