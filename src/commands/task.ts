/** Commands about tasks: start one, add to one, cancel. */
import type { JsonValue } from '../core/json-value.ts'
import type { Metadata } from '../events/metadata.ts'

/** Input for an agent: starts a task, or adds to one. */
export interface TaskSendCommand {
  kind: 'task.send'
  /** Identifies the command. The same for each attempt to deliver it, and unique among those of the sender. */
  commandId: string
  /** The conversation. Omitted if the receiver knows it, or to begin one. */
  contextId?: string
  /** The task that the input is for. Omitted: a new task. */
  taskId?: string
  /** The user’s message, or a structured request. */
  input: JsonValue
  /**
   * The digest of what the client sent, if the command was read from a request of another protocol: the same whenever
   * that is sent again, also if it is read as another command then. Set by readers. Omitted: the command is what was sent.
   */
  sourceDigest?: string
  /** When the sender created the command: RFC 3339 with time zone. Not used for expiry. */
  timestamp: string
  /** Additional information for the agent. Omitted if there is none. */
  metadata?: Metadata
}

/** Asks to cancel a task and its subtasks. The only command that does: a client that disconnects cancels nothing. */
export interface TaskCancelCommand {
  kind: 'task.cancel'
  /** Identifies the command. The same for each attempt to deliver it, and unique among those of the sender. */
  commandId: string
  /** The conversation. Omitted if the receiver knows it. */
  contextId?: string
  /** The task to cancel. Omitted: every task of the conversation that has not ended. */
  taskId?: string
  /** Human-readable reason. Omitted if unknown. */
  reason?: string
  /** When the sender created the command: RFC 3339 with time zone. Not used for expiry. */
  timestamp: string
}
