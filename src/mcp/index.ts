/**
 * The Model Context Protocol: what servers report about tool calls, as events, and what agents ask, as elicitations.
 *
 * @packageDocumentation
 */

export { type FromMcp, fromMcp, type McpCall, type McpMap } from './from-mcp.ts'
export { type McpElicitation, toMcpElicitation } from './to-elicitation.ts'
