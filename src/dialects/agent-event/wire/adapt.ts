/** From ToolEvents to AgentEvents. */

import { requireObject } from '../../../core/require.ts'
import type { AgentToolProgressEvent, AgentToolResultEvent, ToolEvent } from './types.generated.ts'

/**
 * Converts a ToolEvent to the AgentEvent to send: `progress` becomes `tool_progress`, `result` becomes
 * `tool_result`. Keeps all other fields, unknown ones too. Returns a new event.
 *
 * @example
 * ```ts
 * for await (const event of tool.call(input)) yield adaptToolEvent(event)
 * ```
 *
 * @throws TypeError if `event` is not an object.
 *
 * @see docs/spec/agent-event-stream.md#event-adaptation-flow
 */
export function adaptToolEvent(event: ToolEvent): AgentToolProgressEvent | AgentToolResultEvent {
  requireObject('event', event)
  return event.type === 'progress' ? { ...event, type: 'tool_progress' } : { ...event, type: 'tool_result' }
}
