/** Answers to `auth-required`. */

/** Reports how an authentication ended. Never holds a credential: the server keeps it, and `credentialRef` names it. */
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
  /** Where the server finds the credential. Only with `completed`. Omitted if `authId` is sufficient. */
  credentialRef?: string
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
