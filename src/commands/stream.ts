/** Commands about the stream itself. */

/** Asks for the events after the last one that was received. */
export interface StreamResumeCommand {
  kind: 'stream.resume'
  /** Identifies the command. The same for each attempt to deliver it, and unique among those of the sender. */
  commandId: string
  /** The conversation. Omitted if the receiver knows it. */
  contextId?: string
  /** The task whose events are asked for. Omitted: those of the whole conversation. */
  taskId?: string
  /** Id of the last event that was received, as in the SSE header `last-event-id`. Omitted: from the beginning. */
  lastEventId?: string
  /** When the sender created the command: RFC 3339 with time zone. Not used for expiry. */
  timestamp: string
}
