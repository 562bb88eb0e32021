import type { AgentToolProgressEvent, AgentToolResultEvent, ToolEvent } from './types.ts'

/**
 * Says what a tool yields as the agent's own event: `progress` becomes `tool_progress`, `result`
 * becomes `tool_result`. All other fields are kept, unknown ones too. Returns a new event.
 *
 * The code in the document spreads the event after the new `type` and so keeps the old one; here the
 * new `type` wins.
 *
 * @example
 * ```ts
 * for await (const event of tool.call(input)) yield adaptToolEvent(event)
 * ```
 *
 * @see docs/spec/agent-event-stream.md#event-adaptation-flow
 */
export function adaptToolEvent(event: ToolEvent): AgentToolProgressEvent | AgentToolResultEvent {
  return event.type === 'progress' ? { ...event, type: 'tool_progress' } : { ...event, type: 'tool_result' }
}
