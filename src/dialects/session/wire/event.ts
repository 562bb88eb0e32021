/** The session protocol as one type. */
import type {
  AgentFinalAnswerEvent,
  AgentLlmMessageEvent,
  AgentPartialAnswerEvent,
  AgentThinkingEvent,
  AgentToolCallEvent,
  AgentToolResultEvent,
  AgentUserConfirmEvent,
} from './agent-events.ts'
import type {
  ErrorExecutionEvent,
  ErrorRecoveryFailedEvent,
  ErrorRecoveryStartedEvent,
  ErrorRecoverySuccessEvent,
  ErrorRetryEvent,
  ErrorTimeoutEvent,
  ErrorValidationEvent,
} from './error-events.ts'
import type { SessionEventName } from './names.ts'
import type {
  PlanCancelledEvent,
  PlanCoercionErrorEvent,
  PlanCompletedEvent,
  PlanStartEvent,
  PlanStepCompletedEvent,
  PlanValidationErrorEvent,
} from './plan-events.ts'
import type { AggregateCompletedEvent, AggregateStartEvent, PipelineCompletedEvent } from './result-events.ts'
import type {
  UserAckEvent,
  UserReconnectEvent,
  UserReconnectWithStateEvent,
  UserRequestStateEvent,
} from './resume-events.ts'
import type {
  SolverCancelledEvent,
  SolverCompletedEvent,
  SolverProgressEvent,
  SolverRestartedEvent,
  SolverRetryEvent,
  SolverStartEvent,
  SolverStepFailedEvent,
} from './solver-events.ts'
import type {
  AgentSessionCreatedEvent,
  AgentSessionEndEvent,
  AgentStateExportedEvent,
  AgentStateRestoredEvent,
} from './state-events.ts'
import type {
  ClientHeartbeatEvent,
  SystemConnectedEvent,
  SystemErrorEvent,
  SystemHeartbeatEvent,
} from './system-events.ts'
import type {
  UserCancelEvent,
  UserCreateSessionEvent,
  UserMessageEvent,
  UserResponseEvent,
} from './user-events.ts'

/**
 * Any event of the session protocol. Narrow it by `event`.
 *
 * @see docs/spec/event-payloads.md
 */
export type SessionEvent = SessionCommand | SessionServerEvent

/** What the user's side asks for and answers. */
export type SessionCommand =
  | UserCreateSessionEvent
  | UserMessageEvent
  | UserResponseEvent
  | UserAckEvent
  | UserCancelEvent
  | UserReconnectEvent
  | UserReconnectWithStateEvent
  | UserRequestStateEvent

/** What a client sends. */
export type SessionClientEvent = SessionCommand | ClientHeartbeatEvent

/** What a server sends. */
export type SessionServerEvent =
  // Planning
  | PlanStartEvent
  | PlanCompletedEvent
  | PlanStepCompletedEvent
  | PlanValidationErrorEvent
  | PlanCancelledEvent
  | PlanCoercionErrorEvent
  // Solving
  | SolverStartEvent
  | SolverProgressEvent
  | SolverCompletedEvent
  | SolverStepFailedEvent
  | SolverRetryEvent
  | SolverCancelledEvent
  | SolverRestartedEvent
  // Agent
  | AgentThinkingEvent
  | AgentToolCallEvent
  | AgentToolResultEvent
  | AgentPartialAnswerEvent
  | AgentFinalAnswerEvent
  | AgentUserConfirmEvent
  | AgentLlmMessageEvent
  // Session
  | AgentSessionCreatedEvent
  | AgentSessionEndEvent
  | AgentStateExportedEvent
  | AgentStateRestoredEvent
  // System
  | SystemConnectedEvent
  | SystemHeartbeatEvent
  | SystemErrorEvent
  // Errors
  | ErrorValidationEvent
  | ErrorTimeoutEvent
  | ErrorExecutionEvent
  | ErrorRetryEvent
  | ErrorRecoveryStartedEvent
  | ErrorRecoverySuccessEvent
  | ErrorRecoveryFailedEvent
  // Results
  | AggregateStartEvent
  | AggregateCompletedEvent
  | PipelineCompletedEvent

/** The event of a name. */
export type SessionEventOf<N extends SessionEventName> = Extract<SessionEvent, { event: N }>

/** An event of a name this version does not know. Its fields are as they came. */
export interface UnknownSessionEvent {
  event: string
  [field: string]: unknown
}
