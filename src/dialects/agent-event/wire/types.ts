/**
 * The agent event stream: AgentEvents, which one agent run sends to its client, and ToolEvents, which a tool
 * yields to its agent. A run has no ids, times or indexes.
 *
 *     agent   thought | tool_call → tool_progress* → tool_result | stream … → final | error
 *     tool    progress* → result
 */
import type { AgentEvent, ToolEvent } from './types.generated.ts'

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

/** The {@link AgentEvent} of a type. */
export type AgentEventOf<T extends AgentEventType> = Extract<AgentEvent, { type: T }>

/** The {@link ToolEvent} of a type. */
export type ToolEventOf<T extends ToolEventType> = Extract<ToolEvent, { type: T }>

/** An event of a type that is not known to this version. Its fields are unchanged. */
export type UnknownAgentEvent = {
  type: string
  [field: string]: unknown
}
