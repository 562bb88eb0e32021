/**
 * Authentication: the agent requests access that only the user can grant.
 *
 *     auth-required → auth-completed | auth-failed
 *
 * All events of one request share an `authId`. They are always delivered to the user.
 */
import type { Metadata } from './metadata.ts'

/** Authentication method. */
export type AuthType = 'oauth2' | 'api-key' | 'password' | 'biometric' | 'custom'

/**
 * Asks the user to authenticate. The task waits until the user has.
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
  /** The request. Unique in the context. */
  authId: string
  /** Authentication method. */
  authType: AuthType
  /** The service to authenticate with, such as `google` or `github`. Omitted if unknown. */
  provider?: string
  /** Requested permissions, as named by the provider. Omitted if unknown. */
  scopes?: string[]
  /** Human-readable text of the request. */
  prompt: string
  /**
   * URL of the authorization page. Only with `oauth2`. Not checked when decoded: it may be `javascript:…`, so open
   * it only if `isSafeAuthUrl` returns true.
   */
  authUrl?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Lifetime of the request. Omitted if it does not expire. */
  metadata?: AuthRequiredMetadata
}

/** Well-known metadata of {@link AuthRequiredEvent}. Set by the agent that asks. */
export interface AuthRequiredMetadata extends Metadata {
  /** Seconds from `timestamp` until the request expires. Omitted if it does not expire. */
  expiresIn?: number
}

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
  /** The request that was granted. */
  authId: string
  /** The user who authenticated. */
  userId: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
  /** Lifetime of the access. Omitted if unknown. */
  metadata?: AuthCompletedMetadata
}

/** Well-known metadata of {@link AuthCompletedEvent}. Set by the server. */
export interface AuthCompletedMetadata extends Metadata {
  /** When the access expires: RFC 3339 with time zone. Omitted if unknown. */
  expiresAt?: string
}

/**
 * The authentication failed.
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
  /** `denied`: the user refused. `expired`: the user did not answer in time. `failed`: authentication failed. */
  reason: 'denied' | 'expired' | 'failed'
  /** Human-readable explanation. Omitted if `reason` is sufficient. */
  message?: string
  /** When the producer emitted the event: RFC 3339 with time zone. Not used for ordering. */
  timestamp: string
}
