/** Answers to `auth-required`. */

/** Claims how an authentication ended. The server verifies it, and keeps the credential: a command never holds or names one. */
export interface AuthRespondCommand {
  kind: 'auth.respond'
  /** Identifies the command. The same for each attempt to deliver it, and unique among those of the sender. */
  commandId: string
  /** The conversation. Omitted if the receiver knows it. */
  contextId?: string
  /**
   * The task that asks. Omitted: the only one that waits for an authentication with the id. If several do, the command is
   * refused as `ambiguous`.
   */
  taskId?: string
  /** The request: the `authId` of an `auth-required`. */
  authId: string
  /** `denied`: the user refused. `failed`: authentication failed. */
  outcome: 'completed' | 'denied' | 'failed'
  /** What the server is to verify, such as the `code` and `state` of an OAuth redirect. Any JSON. Omitted if `authId` is sufficient. */
  claim?: unknown
  /** When the access expires: RFC 3339 with time zone. Only with `completed`. Omitted if unknown. */
  expiresAt?: string
  /** Human-readable explanation. Omitted if the outcome needs none. */
  message?: string
  /**
   * The digest of what the client sent, if the command was read from a request of another protocol: the same whenever
   * that is sent again, also if it is read as another command then. Set by readers. Omitted: the command is what was sent.
   */
  sourceDigest?: string
  /** When the sender created the command: RFC 3339 with time zone. Not used for expiry. */
  timestamp: string
}
