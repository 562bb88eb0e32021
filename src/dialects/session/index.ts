/**
 * The session protocol of MyAgent-like servers: 45 events over one connection, in both directions.
 *
 * @packageDocumentation
 */

// Conversion
export type { Coverage } from '../../coverage.ts'
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
} from './agent-events.ts'
// Asking and answering
export {
  answerConfirm,
  type ConfirmAnswer,
  type ConfirmMatch,
  type ConfirmOptions,
  type ConfirmQuestion,
  createConfirm,
  matchConfirm,
} from './confirm.ts'
export { sessionCarried, sessionCoverage } from './coverage.ts'
// Reading and making events
export {
  type CreateSessionOptions,
  createSessionEvent,
  type SessionContentOf,
  type SessionMetadataOf,
} from './create.ts'
export { type DecodedLeniently, type DecodeSessionOptions, decodeSessionEvent } from './decode.ts'
export type { InSession, InStep, SessionEnvelope } from './envelope.ts'
// Errors
export type {
  ErrorExecutionEvent,
  ErrorRecoveryFailedEvent,
  ErrorRecoveryStartedEvent,
  ErrorRecoverySuccessEvent,
  ErrorRetryEvent,
  ErrorTimeoutEvent,
  ErrorValidationEvent,
} from './error-events.ts'
// The protocol
export type {
  SessionClientEvent,
  SessionCommand,
  SessionEvent,
  SessionEventOf,
  SessionServerEvent,
  UnknownSessionEvent,
} from './event.ts'
// Delivery
export {
  type DeliveredEvent,
  formatSessionEventId,
  parseSessionEventId,
  readSessionAck,
  type SessionEventId,
} from './event-id.ts'
export { type FromSessionOptions, fromSessionEvents } from './from-session.ts'
export type { LenientOf, LenientSessionEvent } from './lenient.ts'
export {
  isSessionEventName,
  type SessionDirection,
  type SessionEventName,
  sessionClientEventNames,
  sessionEventNames,
  sessionServerEventNames,
} from './names.ts'
export {
  restampSessionEvent,
  type SessionCursor,
  type SessionOutboxOptions,
  type SessionOutboxState,
  type SessionReplay,
  selectReplay,
  sessionOutbox,
  upsertSessionEvent,
} from './outbox.ts'
export {
  type SessionPayloadRule,
  sessionPayloadRules,
  validateSessionContent,
  validateSessionMetadata,
  validateSessionPayload,
} from './payload-rules.ts'
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
} from './plan-events.ts'
export { type SessionReceiverOptions, type SessionReceiverState, sessionReceiver } from './receiver.ts'
// Results
export type { AggregateCompletedEvent, AggregateStartEvent, PipelineCompletedEvent } from './result-events.ts'
export type {
  UserAckEvent,
  UserReconnectEvent,
  UserReconnectWithStateEvent,
  UserRequestStateEvent,
} from './resume-events.ts'
export type { Call, FromSessionState, SessionInput } from './round.ts'
// Rules
export {
  type SessionRule,
  type SessionRuleName,
  type SessionStage,
  type SessionViolation,
  sessionRules,
  sessionStages,
} from './rules.ts'
export { sessionEventSchema, sessionEventSchemas } from './schemas.ts'
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
} from './solver-events.ts'
// Session
export type {
  AgentSessionCreatedEvent,
  AgentSessionEndEvent,
  AgentStateExportedEvent,
  AgentStateRestoredEvent,
} from './state-events.ts'
export {
  type ClientHeartbeatEvent,
  clientHeartbeatSchema,
  type SystemConnectedEvent,
  type SystemErrorEvent,
  type SystemHeartbeatEvent,
} from './system-events.ts'
export { type ToSessionOptions, type ToSessionState, toSessionEvents } from './to-session.ts'
// User
export type {
  UserCancelEvent,
  UserCreateSessionEvent,
  UserMessageEvent,
  UserResponseEvent,
} from './user-events.ts'
export { type SessionVerifierOptions, sessionVerifier, type VerifiedEvent } from './verifier.ts'
export type { SessionVerifierState } from './verifier-state.ts'
