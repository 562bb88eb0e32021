/** The events of the session protocol as union types. */

import type { SessionEventName } from './names.ts'
import type {
  AgentEvent,
  ClientHeartbeatEvent,
  ErrorEvent,
  ExtensionCommand,
  PlanEvent,
  ResultEvent,
  ResumeEvent,
  ServerExtensionEvent,
  SolverEvent,
  StateEvent,
  SystemEvent,
  UserEvent,
} from './types.generated.ts'

/**
 * Any event of the session protocol. Narrow it by `event`.
 *
 * @see docs/spec/event-payloads.md
 */
export type SessionEvent = SessionCommand | SessionServerEvent

/** A request or answer of the user's side. */
export type SessionCommand = UserEvent | ResumeEvent | ExtensionCommand

/** Any event a client sends. */
export type SessionClientEvent = SessionCommand | ClientHeartbeatEvent

/** Any event a server sends. */
export type SessionServerEvent =
  | PlanEvent
  | SolverEvent
  | AgentEvent
  | StateEvent
  | SystemEvent
  | ErrorEvent
  | ResultEvent
  | ServerExtensionEvent

/** The event with one name, such as `SessionEventOf<'plan.start'>`. */
export type SessionEventOf<N extends SessionEventName> = Extract<SessionEvent, { event: N }>

/** An event with an unknown name. Its fields are unchanged. */
export type UnknownSessionEvent = {
  event: string
  [field: string]: unknown
}
