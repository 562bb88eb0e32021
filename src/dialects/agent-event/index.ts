/**
 * The agent event stream: AgentEvents, which one agent run sends to its client, and ToolEvents, which a tool
 * yields to its agent. Types, decoding, rules, and mappers from and to turnstream events.
 *
 * @packageDocumentation
 */

// From and to turnstream events
export { fromAgentEvents } from './from/from-agent-events.ts'
export { agentEventCoverage, agentEventLosses } from './to/coverage.ts'
export { subAgentToolEvents } from './to/sub-agent.ts'
export { toAgentEvents } from './to/to-agent-events.ts'
// Rules
export { toolEventRules, toolEventVerifier } from './verify/tool-verifier.ts'
export { agentEventRules, agentEventVerifier } from './verify/verifier.ts'
// Events
export { adaptToolEvent } from './wire/adapt.ts'
export { decodeAgentEvent, decodeToolEvent } from './wire/decode.ts'
export type { AgentEvent, ToolEvent } from './wire/types.generated.ts'
export type { UnknownAgentEvent } from './wire/types.ts'
