/**
 * The agent event stream: what one agent run sends to its client, and what a tool yields to its
 * agent. Types, validators, rules, and the way to the core vocabulary and back.
 *
 * @packageDocumentation
 */

// To the core vocabulary and back
export type { Coverage } from '../shared/coverage.ts'
export { fromAgentEvents } from './from/from-agent-events.ts'
export type { FromAgentEventsOptions } from './from/options.ts'
export type { CallInProgress, FromAgentEventsState } from './from/state.ts'
export { agentEventCoverage } from './to/coverage.ts'
export type { ToAgentEventsState } from './to/state.ts'
export {
  type SubAgentEnd,
  type SubAgentOptions,
  type SubAgentState,
  subAgentToolEvents,
} from './to/sub-agent.ts'
export { type ToAgentEventsOptions, toAgentEvents } from './to/to-agent-events.ts'
// Rules
export {
  type AgentEventRule,
  type AgentEventRuleName,
  type AgentEventViolation,
  agentEventRules,
  type ToolEventRuleName,
  toolEventRules,
} from './verify/rules.ts'
export { type ToolEventVerifierState, toolEventVerifier } from './verify/tool-verifier.ts'
export {
  type AgentEventVerifierState,
  agentEventVerifier,
  type VerifiedCall,
} from './verify/verifier.ts'
// From a tool's event to its agent's
export { adaptToolEvent } from './wire/adapt.ts'
// Decoding
export { decodeAgentEvent, decodeToolEvent } from './wire/decode.ts'
export type { OpenCall } from './wire/open-calls.ts'
export type { ProgressReading } from './wire/progress.ts'
// Validators
export { agentEventSchema, agentEventSchemas, toolEventSchema, toolEventSchemas } from './wire/schemas.ts'
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
} from './wire/types.ts'
