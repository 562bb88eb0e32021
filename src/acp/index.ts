/**
 * ACP: agents that speak the Agent Client Protocol, as agents.
 *
 * @packageDocumentation
 */

export { type AcpAgentOptions, acpAgent } from './acp-agent.ts'
export type { AcpStream } from './connection.ts'
