/**
 * The session protocol of MyAgent-like servers: 45 events over one connection, in both directions.
 *
 * @packageDocumentation
 */

// Conversion
export type { Coverage } from '../shared/coverage.ts'
// Asking and answering
export {
  answerConfirm,
  type ConfirmAnswer,
  type ConfirmMatch,
  type ConfirmOptions,
  type ConfirmQuestion,
  createConfirm,
  matchConfirm,
} from './delivery/confirm.ts'
// Delivery
export {
  type DeliveredEvent,
  formatSessionEventId,
  parseSessionEventId,
  readSessionAck,
  type SessionEventId,
} from './delivery/event-id.ts'
export {
  restampSessionEvent,
  type SessionCursor,
  type SessionOutboxOptions,
  type SessionOutboxState,
  type SessionReplay,
  selectReplay,
  sessionOutbox,
  upsertSessionEvent,
} from './delivery/outbox.ts'
export {
  type SessionReceiverOptions,
  type SessionReceiverState,
  sessionReceiver,
} from './delivery/receiver.ts'
export { type FromSessionOptions, fromSessionEvents } from './from/from-session.ts'
export type { Call, FromSessionState, SessionInput } from './from/round.ts'
export { type ToSessionOptions, type ToSessionState, toSessionEvents } from './to/to-session.ts'
// Rules
export {
  type SessionRule,
  type SessionRuleName,
  type SessionStage,
  type SessionViolation,
  sessionRules,
  sessionStages,
} from './verify/rules.ts'
export type { SessionVerifierState } from './verify/state.ts'
export { type SessionVerifierOptions, sessionVerifier, type VerifiedEvent } from './verify/verifier.ts'
// Agent
export type {
  AgentFinalAnswerEvent,
  AgentLlmMessageEvent,
  AgentPartialAnswerEvent,
  AgentThinkingEvent,
  AgentToolCallEvent,
  AgentToolResultEvent,
  AgentUserConfirmEvent,
  ConfirmOption,
} from './wire/agent-events.ts'
export { sessionCoverage, sessionMappedFields } from './wire/coverage.ts'
// Reading and making events
export {
  type CreateSessionOptions,
  createSessionEvent,
  type SessionContentOf,
  type SessionMetadataOf,
} from './wire/create.ts'
export { type DecodedLeniently, type DecodeSessionOptions, decodeSessionEvent } from './wire/decode.ts'
export type { InSession, InStep, SessionEnvelope } from './wire/envelope.ts'
// Errors
export type {
  ErrorExecutionEvent,
  ErrorRecoveryFailedEvent,
  ErrorRecoveryStartedEvent,
  ErrorRecoverySuccessEvent,
  ErrorRetryEvent,
  ErrorTimeoutEvent,
  ErrorValidationEvent,
} from './wire/error-events.ts'
// The protocol
export type {
  SessionClientEvent,
  SessionCommand,
  SessionEvent,
  SessionEventOf,
  SessionServerEvent,
  UnknownSessionEvent,
} from './wire/event.ts'
export type { LenientOf, LenientSessionEvent } from './wire/lenient.ts'
export {
  isSessionEventName,
  type SessionDirection,
  type SessionEventName,
  sessionClientEventNames,
  sessionEventNames,
  sessionServerEventNames,
} from './wire/names.ts'
export {
  type SessionPayloadRule,
  sessionPayloadRules,
  validateSessionContent,
  validateSessionMetadata,
  validateSessionPayload,
} from './wire/payload-rules.ts'
// Planning
export type {
  CancelReason,
  PlanCancelledEvent,
  PlanCoercionErrorEvent,
  PlanCompletedEvent,
  PlanStartEvent,
  PlanStepCompletedEvent,
  PlanTask,
  PlanValidationErrorEvent,
} from './wire/plan-events.ts'
// Results
export type {
  AggregateCompletedEvent,
  AggregateStartEvent,
  PipelineCompletedEvent,
} from './wire/result-events.ts'
export type {
  UserAckEvent,
  UserReconnectEvent,
  UserReconnectWithStateEvent,
  UserRequestStateEvent,
} from './wire/resume-events.ts'
export { sessionEventSchema, sessionEventSchemas } from './wire/schemas.ts'
// Solving
export type {
  SolverCancelledEvent,
  SolverCompletedEvent,
  SolverProgressEvent,
  SolverRestartedEvent,
  SolverRetryEvent,
  SolverStartEvent,
  SolverStepFailedEvent,
  TaskResult,
} from './wire/solver-events.ts'
// Session
export type {
  AgentSessionCreatedEvent,
  AgentSessionEndEvent,
  AgentStateExportedEvent,
  AgentStateRestoredEvent,
} from './wire/state-events.ts'
export {
  type ClientHeartbeatEvent,
  clientHeartbeatSchema,
  type SystemConnectedEvent,
  type SystemErrorEvent,
  type SystemHeartbeatEvent,
} from './wire/system-events.ts'
// User
export type {
  UserCancelEvent,
  UserCreateSessionEvent,
  UserMessageEvent,
  UserResponseEvent,
} from './wire/user-events.ts'
