/**
 * The page of an agent: reads a conversation of `agentHandler`, and sends what its user does.
 *
 * @packageDocumentation
 */

export { type AgentClient, agentClient, type SendMessage } from './agent-client.ts'
export { CommandError } from './commands.ts'
export type { AgentState, Saved } from './state.ts'
