/**
 * The agent event stream: AgentEvents, which one agent run sends to its client, and ToolEvents, which a tool
 * yields to its agent. A run has no ids, times or indexes.
 *
 *     agent   thought | tool_call → tool_progress* → tool_result | stream … → final | error
 *     tool    progress* → result
 */

/** The types of {@link AgentEvent}. */
export const agentEventTypes = [
  'thought',
  'tool_call',
  'tool_progress',
  'tool_result',
  'stream',
  'final',
  'error',
] as const

/** The types of {@link ToolEvent}. */
export const toolEventTypes = ['progress', 'result'] as const

/** The discriminant of {@link AgentEvent}. */
export type AgentEventType = (typeof agentEventTypes)[number]

/** The discriminant of {@link ToolEvent}. */
export type ToolEventType = (typeof toolEventTypes)[number]

/**
 * An event an agent sends to its client. Narrow it by `type`.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export type AgentEvent =
  | AgentThoughtEvent
  // Tool
  | AgentToolCallEvent
  | AgentToolProgressEvent
  | AgentToolResultEvent
  // Answer
  | AgentStreamEvent
  // End
  | AgentFinalEvent
  | AgentErrorEvent

/** The {@link AgentEvent} of a type. */
export type AgentEventOf<T extends AgentEventType> = Extract<AgentEvent, { type: T }>

/**
 * An event a tool yields to the agent that runs it. Never sent to a client as it is:
 * {@link adaptToolEvent} converts it.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
export type ToolEvent = ToolRunProgressEvent | ToolRunResultEvent

/** The {@link ToolEvent} of a type. */
export type ToolEventOf<T extends ToolEventType> = Extract<ToolEvent, { type: T }>

/** An event of a type that is not known to this version. Its fields are unchanged. */
export interface UnknownAgentEvent {
  type: string
  [field: string]: unknown
}

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
