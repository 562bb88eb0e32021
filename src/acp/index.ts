/**
 * ACP: agents that speak the Agent Client Protocol, as agents, and agents for editors that speak it.
 *
 * @packageDocumentation
 */

export { acpAgent } from './acp-agent.ts'
export type { AcpStream } from './connection.ts'
export { serveAcp } from './serve/serve-acp.ts'
export { acpCoverage, acpLosses } from './to/losses.ts'
export { toAcp } from './to/to-acp.ts'
export type { AcpOutput } from './to/updates.ts'
