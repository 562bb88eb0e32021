/** The events of the session protocol as union types. */
import type {
  AgentFinalAnswerEvent,
  AgentLlmMessageEvent,
  AgentPartialAnswerEvent,
  AgentThinkingEvent,
  AgentToolCallEvent,
  AgentToolResultEvent,
  AgentUserConfirmEvent,
} from './events/agent.ts'
import type {
  ErrorExecutionEvent,
  ErrorRecoveryFailedEvent,
  ErrorRecoveryStartedEvent,
  ErrorRecoverySuccessEvent,
  ErrorRetryEvent,
  ErrorTimeoutEvent,
  ErrorValidationEvent,
} from './events/error.ts'
import type {
  PlanCancelledEvent,
  PlanCoercionErrorEvent,
  PlanCompletedEvent,
  PlanStartEvent,
  PlanStepCompletedEvent,
  PlanValidationErrorEvent,
} from './events/plan.ts'
import type { AggregateCompletedEvent, AggregateStartEvent, PipelineCompletedEvent } from './events/result.ts'
import type {
  UserAckEvent,
  UserReconnectEvent,
  UserReconnectWithStateEvent,
  UserRequestStateEvent,
} from './events/resume.ts'
import type {
  SolverCancelledEvent,
  SolverCompletedEvent,
  SolverProgressEvent,
  SolverRestartedEvent,
  SolverRetryEvent,
  SolverStartEvent,
  SolverStepFailedEvent,
} from './events/solver.ts'
import type {
  AgentSessionCreatedEvent,
  AgentSessionEndEvent,
  AgentStateExportedEvent,
  AgentStateRestoredEvent,
} from './events/state.ts'
import type {
  ClientHeartbeatEvent,
  SystemConnectedEvent,
  SystemErrorEvent,
  SystemHeartbeatEvent,
} from './events/system.ts'
import type {
  UserCancelEvent,
  UserCreateSessionEvent,
  UserMessageEvent,
  UserResponseEvent,
} from './events/user.ts'
import type { SessionEventName } from './names.ts'

/**
 * Any event of the session protocol. Narrow it by `event`.
 *
 * @see docs/spec/event-payloads.md
 */
export type SessionEvent = SessionCommand | SessionServerEvent

/** A request or answer of the user's side. */
export type SessionCommand =
  | UserCreateSessionEvent
  | UserMessageEvent
  | UserResponseEvent
  | UserAckEvent
  | UserCancelEvent
  | UserReconnectEvent
  | UserReconnectWithStateEvent
  | UserRequestStateEvent

/** Any event a client sends. */
export type SessionClientEvent = SessionCommand | ClientHeartbeatEvent

/** Any event a server sends. */
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

/** The event with one name, such as `SessionEventOf<'plan.start'>`. */
export type SessionEventOf<N extends SessionEventName> = Extract<SessionEvent, { event: N }>

/** An event with an unknown name. Its fields are unchanged. */
export interface UnknownSessionEvent {
  event: string
  [field: string]: unknown
}
