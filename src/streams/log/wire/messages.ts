/** The messages about a stream that stand between its events, as sent. Published as `schemas/stream`. */

/** Any message about a stream. Its SSE event name is `stream-` and its `type`; readers go by the `type`. */
export type StreamMessage =
  | StreamResetMessage
  | StreamForgottenMessage
  | StreamLossMessage
  | StreamClosedMessage

/**
 * SSE event `stream-reset`: the state built so far is invalid, and the events of a snapshot replace it.
 *
 * A large reset is several messages, numbered by `part`. All but the last have `more`, and only the last has an SSE id,
 * the cursor after the reset. Other fields are the same in all of them. Replace the state after the last one; a connection
 * that ends before it changes nothing.
 */
export interface StreamResetMessage {
  type: 'reset'
  /**
   * Why the events after the cursor cannot be sent: `malformed`, `unknown-stream`, `epoch-changed`, `filter-changed`,
   * `ahead` or `evicted`. Later versions may add reasons. All are handled in the same way.
   */
  reason: string
  /** Name of the stream. */
  stream: string
  /** The current epoch of the stream: its sequence numbers are unrelated to those of others. */
  epoch: string
  /** Identifies the filter of the reader. Omitted if it reads all events. */
  filter?: string
  /** The snapshot includes all events through this sequence number; events continue after it. −1: before the first. */
  through: number
  /** The first sequence number still in the log; the next to be assigned if the log is empty. */
  earliest: number
  /** The task before which there are older ones, in the history of the stream. Omitted: the events have all tasks. */
  older?: string
  /** The number of this message among those of the reset, from 0. Omitted: 0. */
  part?: number
  /** Whether another message of the reset follows. Omitted: `false`. */
  more?: boolean
  /**
   * Events that lead to the state after `through` if an empty state is built from them. The schema has the fields that all
   * events share; validate each with the schema of `events`. Omitted if the server has no snapshot: get the state in
   * another way.
   */
  events?: SnapshotEvent[]
}

/** An event of a snapshot, of any kind: the fields that all events share. */
export interface SnapshotEvent {
  /** The type of the event. */
  kind: string
  /** The conversation that the event belongs to. */
  contextId: string
  /** The task that the event belongs to. */
  taskId: string
  /** When the event was created, as an RFC 3339 date-time with time zone. */
  timestamp: string
  /** The task that started this one. Omitted for a task of its own. */
  parentTaskId?: string
  /** The names of the agents from the first one to the sender. Omitted if unknown. */
  path?: string[]
}

/**
 * SSE event `stream-forgotten`: tasks that the server no longer has. The reset that follows replaces the state, and has
 * nothing of them. It has no SSE id.
 */
export interface StreamForgottenMessage {
  type: 'forgotten'
  /** The tasks that this reader may see, in the order in which they were cut. */
  tasks: ForgottenTaskMessage[]
  /**
   * The latest timestamp of the tasks, as an RFC 3339 date-time with time zone: no one of them began later. Without tasks,
   * that of 1970.
   */
  before: string
  /** Whether there may be earlier ones, which nothing names any more. Omitted: `false`. */
  more?: boolean
}

/** A task that the server no longer has. */
export interface ForgottenTaskMessage {
  /** The conversation that the task belongs to. */
  contextId: string
  /** The id of the task. */
  taskId: string
  /** The task that started this one. Omitted for a task of its own. */
  parentTaskId?: string
  /** The names of the agents from the first one to that of the task. Omitted if unknown. */
  path?: string[]
  /** When it began, as an RFC 3339 date-time with time zone. */
  timestamp: string
}

/**
 * SSE event `stream-loss`: events before the next one were left out, as the reader is too slow. It has no SSE id. Only
 * thoughts and internal events are ever left out.
 */
export interface StreamLossMessage {
  type: 'loss'
  /** How many events were left out, by kind. */
  loss: { [kind: string]: number }
}

/** SSE event `stream-closed`: the stream has ended. Close the connection, and do not reconnect. */
export interface StreamClosedMessage {
  type: 'closed'
}
