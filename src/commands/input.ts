/** Answers to `input-required`. */

/** Answers one or more requests for input. */
export interface InputRespondCommand {
  kind: 'input.respond'
  /** Identifies the command. The same for each attempt to deliver it, and unique among those of the sender. */
  commandId: string
  /** The conversation. Omitted if the receiver knows it. */
  contextId?: string
  /** The answers, at least one. Each is accepted or refused by itself. */
  responses: InputResponse[]
  /**
   * The digest of what the client sent, if the command was read from a request of another protocol: the same whenever
   * that is sent again, also if it is read as another command then. Set by readers. Omitted: the command is what was sent.
   */
  sourceDigest?: string
  /** When the sender created the command: RFC 3339 with time zone. Not used for expiry. */
  timestamp: string
}

/** The answer to one request for input. */
export interface InputResponse {
  /** The request: the `inputId` of an `input-required`. */
  inputId: string
  /**
   * The task that asks. Omitted: the only one that waits for an answer to a request with the id. If several do, the
   * response is refused as `ambiguous`.
   */
  taskId?: string
  /** `declined` if the request is refused. Defaults to `answered`; to approve a tool call, it or `value` is required. */
  outcome?: 'answered' | 'declined'
  /**
   * The answer, as the `schema` of the request describes it, or one of its `options`. To approve a tool call it is
   * `true` or omitted, or `{ arguments }` to call the tool with other arguments. Omitted if the request is declined.
   */
  value?: unknown
  /** Why the request is declined. Omitted if unknown. */
  reason?: string
  /**
   * The digest of the tool call that the user has seen, from `callDigest`. The answer is refused if it is not the
   * digest of the requested call. Omitted: not compared.
   */
  callDigest?: string
}
