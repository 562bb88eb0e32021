/**
 * The agent event stream: what one agent run sends to its client, and what a tool yields to its
 * agent. Types, validators, rules, and the way to the core vocabulary and back.
 *
 * @packageDocumentation
 */

// To the core vocabulary and back
export type { Coverage } from '../../coverage.ts'
// From a tool's event to its agent's
export { adaptToolEvent } from './adapt.ts'
// Decoding
export { decodeAgentEvent, decodeToolEvent } from './decode.ts'
export {
  type CallInProgress,
  type FromAgentEventsOptions,
  type FromAgentEventsState,
  fromAgentEvents,
} from './from-agent-events.ts'
export type { OpenCall } from './open-calls.ts'
export type { ProgressReading } from './progress.ts'
// Rules
export {
  type AgentEventRule,
  type AgentEventRuleName,
  type AgentEventViolation,
  agentEventRules,
  type ToolEventRuleName,
  toolEventRules,
} from './rules.ts'
// Validators
export { agentEventSchema, agentEventSchemas, toolEventSchema, toolEventSchemas } from './schemas.ts'
export {
  type SubAgentEnd,
  type SubAgentOptions,
  type SubAgentState,
  subAgentToolEvents,
} from './sub-agent.ts'
export {
  agentEventCoverage,
  type ToAgentEventsOptions,
  type ToAgentEventsState,
  toAgentEvents,
} from './to-agent-events.ts'
export { type ToolEventVerifierState, toolEventVerifier } from './tool-verifier.ts'
// The vocabulary
export {
  type AgentErrorEvent,
  type AgentEvent,
  type AgentEventOf,
  type AgentEventType,
  type AgentFinalEvent,
  type AgentStreamEvent,
  type AgentThoughtEvent,
  type AgentToolCallEvent,
  type AgentToolProgressEvent,
  type AgentToolResultEvent,
  agentEventTypes,
  type ToolEvent,
  type ToolEventOf,
  type ToolEventType,
  type ToolRunProgressEvent,
  type ToolRunResultEvent,
  toolEventTypes,
  type UnknownAgentEvent,
} from './types.ts'
export {
  type AgentEventVerifierState,
  agentEventVerifier,
  type VerifiedCall,
} from './verifier.ts'
