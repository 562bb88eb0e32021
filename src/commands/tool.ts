/** Results of tools that the client runs. */

/** The outcome of a tool that the client has run. */
export interface ToolResultCommand {
  kind: 'tool.result'
  /** Identifies the command. The same for each attempt to deliver it, and unique among those of the sender. */
  commandId: string
  /** The conversation. Omitted if the receiver knows it. */
  contextId?: string
  /**
   * The task of the call. Omitted: the only one that waits for a result of a call with the id. If several do, the command
   * is refused as `ambiguous`.
   */
  taskId?: string
  /**
   * The tool call: the `toolCallId` of a `tool-start`, or the `metadata.toolCall.id` of an `input-required`, with the
   * `metadata.provider` `client`. Results of other calls are refused.
   */
  toolCallId: string
  /** Whether the call succeeded. */
  success: boolean
  /** The result: any JSON. Omitted if there is none, or if the call failed. */
  result?: unknown
  /** Human-readable reason of the failure. Only with `success: false`. Omitted if unknown. */
  error?: string
  /**
   * The digest of what the client sent, if the command was read from a request of another protocol: the same whenever
   * that is sent again, also if it is read as another command then. Set by readers. Omitted: the command is what was sent.
   */
  sourceDigest?: string
  /** When the sender created the command: RFC 3339 with time zone. Not used for expiry. */
  timestamp: string
}
