/** The validators of AgentEvents and ToolEvents, by type and as unions. */

import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { id, maybe, open } from '../../../events/records/fields.ts'
import type {
  AgentErrorEvent,
  AgentEvent,
  AgentEventOf,
  AgentEventType,
  AgentFinalEvent,
  AgentStreamEvent,
  AgentThoughtEvent,
  AgentToolCallEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
  ToolEvent,
  ToolEventOf,
  ToolEventType,
  ToolRunProgressEvent,
  ToolRunResultEvent,
} from './types.ts'

/** Optional on the wire, as JSON has no `undefined`; in the types a field like any other, as in the protocol's own. */
const data = maybe(z.unknown()) as unknown as z.ZodMiniUnknown

/** The validator of each `AgentEvent` type. */
export const agentEventSchemas: { readonly [T in AgentEventType]: Schema<AgentEventOf<T>> } = {
  thought: schemaOf<AgentThoughtEvent>()(open({ type: z.literal('thought'), content: z.string() })),
  tool_call: schemaOf<AgentToolCallEvent>()(
    open({ type: z.literal('tool_call'), toolName: id, toolArgs: z.string(), toolCallId: maybe(id) }),
  ),
  tool_progress: schemaOf<AgentToolProgressEvent>()(
    open({
      type: z.literal('tool_progress'),
      toolName: id,
      data,
      toolCallId: maybe(id),
    }),
  ),
  tool_result: schemaOf<AgentToolResultEvent>()(
    open({
      type: z.literal('tool_result'),
      toolName: id,
      output: z.string(),
      isError: maybe(z.boolean()),
      toolCallId: maybe(id),
    }),
  ),
  stream: schemaOf<AgentStreamEvent>()(open({ type: z.literal('stream'), content: z.string() })),
  final: schemaOf<AgentFinalEvent>()(open({ type: z.literal('final') })),
  error: schemaOf<AgentErrorEvent>()(open({ type: z.literal('error'), error: z.string() })),
}

/** The validator of each `ToolEvent` type. */
export const toolEventSchemas: { readonly [T in ToolEventType]: Schema<ToolEventOf<T>> } = {
  progress: schemaOf<ToolRunProgressEvent>()(
    open({ type: z.literal('progress'), toolName: id, data, toolCallId: maybe(id) }),
  ),
  result: schemaOf<ToolRunResultEvent>()(
    open({
      type: z.literal('result'),
      toolName: id,
      output: z.string(),
      isError: maybe(z.boolean()),
      toolCallId: maybe(id),
    }),
  ),
}

/** The validator of any `AgentEvent`. */
export const agentEventSchema: Schema<AgentEvent> = unionByType<AgentEvent>(agentEventSchemas)

/** The validator of any `ToolEvent`. */
export const toolEventSchema: Schema<ToolEvent> = unionByType<ToolEvent>(toolEventSchemas)

/** The field that events of all types have. */
export const envelopeSchema: z.ZodMiniType<{ type: string }> = open({ type: id })

function unionByType<T>(schemas: object): Schema<T> {
  const options = Object.values(schemas) as [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]]
  return z.discriminatedUnion('type', options) as unknown as Schema<T>
}
