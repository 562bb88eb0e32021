/** Events of shared state, activities and conversations, and events without a meaning of their own. */

import type { AgUiMessage } from './messages.ts'
import type { AgUiEventBase, AgUiOwnedEvent, AgUiPatch } from './shared.ts'

/** The state that agent and client share, whole. */
export interface AgUiStateSnapshot extends AgUiOwnedEvent {
  type: 'STATE_SNAPSHOT'
  /** The state: any JSON. */
  snapshot: unknown
}

/** A change of the state. */
export interface AgUiStateDelta extends AgUiOwnedEvent {
  type: 'STATE_DELTA'
  /** The change, from the state so far. */
  delta: AgUiPatch
}

/** What an activity shows, whole. */
export interface AgUiActivitySnapshot extends AgUiOwnedEvent {
  type: 'ACTIVITY_SNAPSHOT'
  /** The message of the activity. */
  messageId: string
  /** The type of the activity, by which a client chooses how to show it. */
  activityType: string
  /** What to show. */
  content: Record<string, unknown>
  /** `false`: does nothing if the message exists. Defaults to `true`. */
  replace?: boolean
}

/** A change of what an activity shows. */
export interface AgUiActivityDelta extends AgUiOwnedEvent {
  type: 'ACTIVITY_DELTA'
  /** The message of the activity. */
  messageId: string
  /** The type of the activity. */
  activityType: string
  /** The change of its content. */
  patch: AgUiPatch
}

/** All messages of the conversation. Replaces those of the client. */
export interface AgUiMessagesSnapshot extends AgUiEventBase {
  type: 'MESSAGES_SNAPSHOT'
  /** The messages, oldest first. */
  messages: AgUiMessage[]
}

/** An event of another system, unchanged. */
export interface AgUiRaw extends AgUiOwnedEvent {
  type: 'RAW'
  /** The event: any JSON. */
  event: unknown
  /** Where it comes from. Omitted if unknown. */
  source?: string
}

/** An event of the application. */
export interface AgUiCustom extends AgUiOwnedEvent {
  type: 'CUSTOM'
  /** What the event is. */
  name: string
  /** The content: any JSON. */
  value: unknown
}
