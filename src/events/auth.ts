/**
 * Authentication: the agent needs access that only the user can grant.
 *
 *     auth-required → auth-completed | auth-failed
 *
 * All events of one request share an `authId`. They always go to the user.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../core/schema.ts'
import { id, type Metadata, maybe, metadata, open, timestamp } from './fields.ts'

/** How the user is to authenticate. */
export type AuthType = 'oauth2' | 'api-key' | 'password' | 'biometric' | 'custom'

/**
 * The user must authenticate before the task can go on.
 *
 * @see docs/spec/internal-event-protocol.md#authentication-events
 * @example full
 * ```json
 * {
 *   "kind": "auth-required",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "authId": "auth-calendar-1",
 *   "authType": "oauth2",
 *   "provider": "example-calendar",
 *   "scopes": [
 *     "events.read",
 *     "events.write"
 *   ],
 *   "prompt": "Let me put the trip into your calendar",
 *   "authUrl": "https://calendar.example/authorize?client=agent",
 *   "timestamp": "2026-03-14T08:00:12Z",
 *   "metadata": {
 *     "expiresIn": 900
 *   }
 * }
 * ```
 */
export interface AuthRequiredEvent {
  kind: 'auth-required'
  /** Names this request; unique in the context. */
  authId: string
  /** How the user is to authenticate. */
  authType: AuthType
  /** Whose access is needed, such as `google` or `github`. */
  provider?: string
  /** The permissions asked for, in the provider's spelling. */
  scopes?: string[]
  /** What is asked, for people. */
  prompt: string
  /** Where to send the user, with `oauth2`. */
  authUrl?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** How long the request stands. Absent: it does not expire. */
  metadata?: AuthRequiredMetadata
}

/** Well-known metadata of {@link AuthRequiredEvent}; set by the agent that asks. */
export interface AuthRequiredMetadata extends Metadata {
  /** Seconds after `timestamp` until the request expires. Absent: it does not. */
  expiresIn?: number
}

export const authRequiredEventSchema: Schema<AuthRequiredEvent> = schemaOf<AuthRequiredEvent>()(
  open({
    kind: z.literal('auth-required'),
    authId: id,
    authType: z.enum(['oauth2', 'api-key', 'password', 'biometric', 'custom']),
    provider: maybe(z.string()),
    scopes: maybe(z.array(z.string())),
    prompt: z.string(),
    authUrl: maybe(z.string()),
    timestamp,
    metadata: maybe(metadata({ expiresIn: maybe(z.number().check(z.minimum(0))) })),
  }),
)

/**
 * The user authenticated.
 *
 * @see docs/spec/internal-event-protocol.md#authentication-events
 * @example full
 * ```json
 * {
 *   "kind": "auth-completed",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "authId": "auth-calendar-1",
 *   "userId": "user-maren",
 *   "timestamp": "2026-03-14T08:00:55Z",
 *   "metadata": {
 *     "expiresAt": "2026-03-14T20:00:55Z"
 *   }
 * }
 * ```
 */
export interface AuthCompletedEvent {
  kind: 'auth-completed'
  /** The request that was answered. */
  authId: string
  /** Who authenticated. */
  userId: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
  /** How long the access lasts. Absent: not told. */
  metadata?: AuthCompletedMetadata
}

/** Well-known metadata of {@link AuthCompletedEvent}; set by the server. */
export interface AuthCompletedMetadata extends Metadata {
  /** When the access ends: RFC 3339 with zone. Absent: not told. */
  expiresAt?: string
}

export const authCompletedEventSchema: Schema<AuthCompletedEvent> = schemaOf<AuthCompletedEvent>()(
  open({
    kind: z.literal('auth-completed'),
    authId: id,
    userId: id,
    timestamp,
    metadata: maybe(metadata({ expiresAt: maybe(timestamp) })),
  }),
)

/**
 * The user did not authenticate.
 * @example full
 * ```json
 * {
 *   "kind": "auth-failed",
 *   "contextId": "ctx-harbour-7",
 *   "taskId": "task-tides-1",
 *   "authId": "auth-marina-1",
 *   "reason": "denied",
 *   "message": "The user closed the window.",
 *   "timestamp": "2026-03-14T08:00:58Z"
 * }
 * ```
 */
export interface AuthFailedEvent {
  kind: 'auth-failed'
  /** The request that failed. */
  authId: string
  /** `denied`: the user refused. `expired`: nobody answered in time. `failed`: it did not work. */
  reason: 'denied' | 'expired' | 'failed'
  /** For people. */
  message?: string
  /** When the producer emitted the event: RFC 3339 with zone. Never used for ordering. */
  timestamp: string
}

export const authFailedEventSchema: Schema<AuthFailedEvent> = schemaOf<AuthFailedEvent>()(
  open({
    kind: z.literal('auth-failed'),
    authId: id,
    reason: z.enum(['denied', 'expired', 'failed']),
    message: maybe(z.string()),
    timestamp,
  }),
)
