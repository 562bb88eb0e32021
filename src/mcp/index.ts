/**
 * The Model Context Protocol: what servers report and ask about tool calls, as events, and what agents ask, as elicitations.
 *
 * @packageDocumentation
 */

export type { ReadCommands } from '../commands/wires/command-reader.ts'
export { commandsFromMcpElicitation } from './elicit-result.ts'
export { fromMcp } from './from-mcp.ts'
export { type McpAnswer, type McpInputResponses, toMcpInputResponses } from './input-responses.ts'
export type { FromMcp, McpCall } from './reading.ts'
export { type McpElicitation, toMcpElicitation } from './to-elicitation.ts'
