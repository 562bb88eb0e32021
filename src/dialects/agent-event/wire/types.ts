/**
 * The words of the agent event stream: what one agent run sends to its client, and what a tool
 * yields to its agent. A run has no ids, no times and no numbers in this dialect.
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
 * Anything an agent sends to its client. Narrow it by `type`.
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
 * Anything a tool yields to the agent that runs it. Never sent to a client as it is: see
 * {@link adaptToolEvent}.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
export type ToolEvent = ToolRunProgressEvent | ToolRunResultEvent

/** The {@link ToolEvent} of a type. */
export type ToolEventOf<T extends ToolEventType> = Extract<ToolEvent, { type: T }>

/** An event of a type this version does not know. Its fields are as they came. */
export interface UnknownAgentEvent {
  type: string
  [field: string]: unknown
}

/**
 * What the agent says to itself.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentThoughtEvent {
  type: 'thought'
  /** The thought, whole. */
  content: string
}

/**
 * The agent decides to use a tool.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentToolCallEvent {
  type: 'tool_call'
  /** The tool that is called. Not empty. */
  toolName: string
  /** The arguments as the text of a JSON object. */
  toolArgs: string
  /**
   * Names the call: an extension, set by the agent. Absent: events belong to the oldest open call of
   * their tool.
   */
  toolCallId?: string
}

/**
 * Output of a running tool that is not its result.
 *
 * @see docs/spec/agent-event-stream.md#example-tool_progress-payloads
 */
export interface AgentToolProgressEvent {
  type: 'tool_progress'
  /** The tool that runs, as in its `tool_call`. */
  toolName: string
  /** Any JSON; the tool says what it means. Absent: as good as `undefined`, which JSON cannot say. */
  data?: unknown
  /** The call, as in its `tool_call`: an extension. Absent: the oldest open call of the tool. */
  toolCallId?: string
}

/**
 * A tool has finished.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentToolResultEvent {
  type: 'tool_result'
  /** The tool that ran, as in its `tool_call`. */
  toolName: string
  /** What the tool returned, often JSON text; with `isError`, what went wrong. */
  output: string
  /** Whether the tool failed. Absent: it did not, as with `false`. */
  isError?: boolean
  /** The call, as in its `tool_call`: an extension. Absent: the oldest open call of the tool. */
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
 * The agent has finished. Nothing follows.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentFinalEvent {
  type: 'final'
}

/**
 * The agent has failed. Nothing follows, no `final` either.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
export interface AgentErrorEvent {
  type: 'error'
  /** What went wrong, for people. */
  error: string
}

/**
 * Output of a tool that is not its result.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
export interface ToolRunProgressEvent {
  type: 'progress'
  /** The tool itself. Not empty. */
  toolName: string
  /** Any JSON; the tool says what it means. Absent: as good as `undefined`, which JSON cannot say. */
  data?: unknown
  /** The call the tool runs for: an extension. Absent: the tool does not know it. */
  toolCallId?: string
}

/**
 * The tool has finished. The last event of a tool.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
export interface ToolRunResultEvent {
  type: 'result'
  /** The tool itself. Not empty. */
  toolName: string
  /** What the tool returns, often JSON text; with `isError`, what went wrong. */
  output: string
  /** Whether the tool failed. Absent: it did not, as with `false`. */
  isError?: boolean
  /** The call the tool runs for: an extension. Absent: the tool does not know it. */
  toolCallId?: string
}
