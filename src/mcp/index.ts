/**
 * The Model Context Protocol: what servers report and ask about tool calls, as events, and what agents ask, as elicitations.
 *
 * @packageDocumentation
 */

export { commandsFromMcpElicitation } from './elicit-result.ts'
export { fromMcp } from './from-mcp.ts'
export { type McpAnswer, toMcpInputResponses } from './input-responses.ts'
export type { FromMcp, McpCall } from './reading.ts'
export { toMcpElicitation } from './to-elicitation.ts'
