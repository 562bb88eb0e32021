/**
 * The envelope of an event: its fields besides content and metadata.
 *
 * `user.ack` and `user.reconnect` refer to `seq`, `epoch` and `event_id`, which servers set. The source
 * specification mentions them without defining their place.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SessionEnvelope {
  /** The session. Omitted before a session exists. */
  session_id?: string
  /** The connection. Set by the server. */
  connection_id?: string
  /** Links related events: those of a stage or step, or a question and its answer. Opaque. */
  step_id?: string
  /**
   * When the event was created: RFC 3339 with zone. If omitted, the receiver sets it on receipt.
   * `createSessionEvent` always sets it.
   */
  timestamp?: string
  /** Increasing number of the event on its connection. Set by the server. Omitted if not numbered. */
  seq?: number
  /** The scope of `seq`: a new epoch restarts the numbers. Defaults to the connection. */
  epoch?: string
  /** The id of the event: `<connection>-<seq>`. Set by the server. Omitted if it has none. */
  event_id?: string
  /** Human-readable one-line summary. Set by the server. Omitted if there is none. */
  show_content?: string
}

/** The envelope of the events of an open session. */
export interface InSession extends SessionEnvelope {
  session_id: string
}

/** The envelope of the events of one step of a session. */
export interface InStep extends InSession {
  step_id: string
}
