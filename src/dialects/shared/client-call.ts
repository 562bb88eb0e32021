/** Calls that an agent leaves to its client. */

import type { ContextEvent } from '../../events/event.ts'
import type { InputRequiredEvent } from '../../events/input.ts'
import type { ToolStartEvent } from '../../events/tool.ts'
import { parsedArguments } from '../../json/parsed.ts'
import { isFields } from '../../validation/predicates.ts'

/**
 * The start of the call that a request asks the client to run, as clients run what has started; `undefined` if it asks for something
 * else. Of a call that has started, it is a repetition.
 */
export function clientCallOf(
  event: ContextEvent<InputRequiredEvent>,
): ContextEvent<ToolStartEvent> | undefined {
  const { contextId, taskId, timestamp, metadata } = event
  const { provider, toolCall } = metadata ?? {}
  if (provider !== 'client' || toolCall === undefined) return undefined
  const { name: toolName, arguments: text } = toolCall.function
  const args = parsedArguments(text)
  if (!isFields(args)) return undefined
  const start = { toolCallId: toolCall.id, toolName, arguments: args as ToolStartEvent['arguments'] }
  return { kind: 'tool-start', contextId, taskId, timestamp, ...start, metadata: { provider } }
}
