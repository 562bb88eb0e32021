/**
 * The page of an agent: reads a conversation of `agentHandler`, and sends what its user does.
 *
 * @packageDocumentation
 */

export type { Receipt } from '../commands/ledger/types.ts'
export { type AgentClient, agentClient, type SendMessage } from './agent-client.ts'
export { CommandError } from './commands.ts'
export type { RequestOrId } from './find-request.ts'
export type { AgentClientOptions } from './options.ts'
export type { AgentState, ConnectionStatus, Saved } from './state.ts'
