/**
 * ACP: agents that speak the Agent Client Protocol, as agents.
 *
 * @packageDocumentation
 */

export { type AcpAgentOptions, type AcpStream, acpAgent } from './acp-agent.ts'
