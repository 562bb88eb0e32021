// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in schemas.ts beside it. Do not edit.

/**
 * A thought of the agent.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentThoughtEvent {
  type: 'thought'
  /** The whole thought. */
  content: string
}

/**
 * The agent calls a tool.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentToolCallEvent {
  type: 'tool_call'
  /** The name of the tool. Not empty. */
  toolName: string
  /** The arguments, a JSON object as text. */
  toolArgs: string
  /**
   * The id of the call, set by the agent: an extension. Omitted: events belong to the newest open call of their
   * tool.
   */
  toolCallId?: string
}

/**
 * Intermediate output of a running tool.
 *
 * @see docs/spec/agent-event-stream.md#example-tool_progress-payloads
 */
export interface AgentToolProgressEvent {
  type: 'tool_progress'
  /** The name of the tool, as in its `tool_call`. */
  toolName: string
  /** Any JSON, in a shape the tool defines. `undefined`, or omitted on the wire, if the tool has no data. */
  data: unknown
  /** The id of the call, as in its `tool_call`: an extension. Omitted: the newest open call of the tool. */
  toolCallId?: string
}

/**
 * A tool has finished.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentToolResultEvent {
  type: 'tool_result'
  /** The name of the tool, as in its `tool_call`. */
  toolName: string
  /** The result of the tool, often JSON text; with `isError`, the error message. */
  output: string
  /** Whether the tool failed. Defaults to `false`. */
  isError?: boolean
  /** The id of the call, as in its `tool_call`: an extension. Omitted: the newest open call of the tool. */
  toolCallId?: string
}

/**
 * A piece of the agent's answer.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentStreamEvent {
  type: 'stream'
  /** The text to append. */
  content: string
}

/**
 * The agent has finished. No event follows.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentFinalEvent {
  type: 'final'
}

/**
 * The agent has failed. No event follows, not even `final`.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentErrorEvent {
  type: 'error'
  /** The error message, for people. */
  error: string
}

/**
 * Intermediate output of a tool.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
export interface ToolRunProgressEvent {
  type: 'progress'
  /** The name of the tool. Not empty. */
  toolName: string
  /** Any JSON, in a shape the tool defines. `undefined`, or omitted on the wire, if the tool has no data. */
  data: unknown
  /** The id of the call: an extension. Omitted if the tool does not know it. */
  toolCallId?: string
}

/**
 * The tool has finished. The last event of a tool.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
export interface ToolRunResultEvent {
  type: 'result'
  /** The name of the tool. Not empty. */
  toolName: string
  /** The result of the tool, often JSON text; with `isError`, the error message. */
  output: string
  /** Whether the tool failed. Defaults to `false`. */
  isError?: boolean
  /** The id of the call: an extension. Omitted if the tool does not know it. */
  toolCallId?: string
}

/**
 * An event an agent sends to its client. Narrow it by `type`.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export type AgentEvent =
  | AgentThoughtEvent
  | AgentToolCallEvent
  | AgentToolProgressEvent
  | AgentToolResultEvent
  | AgentStreamEvent
  | AgentFinalEvent
  | AgentErrorEvent

/**
 * An event a tool yields to the agent that runs it. Never sent to a client as it is:
 * {@link adaptToolEvent} converts it.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
export type ToolEvent = ToolRunProgressEvent | ToolRunResultEvent
