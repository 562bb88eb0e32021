/**
 * ACP: agents that speak the Agent Client Protocol, as agents, and agents for editors that speak it.
 *
 * @packageDocumentation
 */

export { type AcpAgentOptions, acpAgent } from './acp-agent.ts'
export type { AcpStream } from './connection.ts'
export type { AcpMode } from './serve/modes.ts'
export { type ServeAcpOptions, serveAcp } from './serve/serve-acp.ts'
export type { AcpSession, AcpSessionFilter, AcpSessionInfo, AcpSessionPage } from './serve/sessions.ts'
export { acpCoverage, acpLosses } from './to/losses.ts'
export { type ToAcpOptions, toAcp } from './to/to-acp.ts'
export type {
  AcpContent,
  AcpFailure,
  AcpOutput,
  AcpPromptResponse,
  AcpResource,
  AcpToolCall,
  AcpToolContent,
  AcpUpdate,
  AcpUsage,
} from './to/updates.ts'
