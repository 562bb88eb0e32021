/** The schemas of AgentEvents and ToolEvents, by type and as unions. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { byTag, id, maybe, open } from '../../../events/records/fields.ts'
import type { AgentEvent, ToolEvent } from './types.generated.ts'
import type { AgentEventOf, AgentEventType, ToolEventOf, ToolEventType } from './types.ts'

/** Optional on the wire, as JSON has no `undefined`; in the types a field like any other, as in the protocol's own. */
const data = maybe(z.unknown()) as unknown as z.ZodMiniType<unknown>

/**
 * A thought of the agent.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
const agentThoughtEvent = open({
  type: z.literal('thought'),
  /** The whole thought. */
  content: z.string(),
})

/**
 * The agent calls a tool.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
const agentToolCallEvent = open({
  type: z.literal('tool_call'),
  /** The name of the tool. Not empty. */
  toolName: id,
  /** The arguments, a JSON object as text. */
  toolArgs: z.string(),
  /**
   * The id of the call, set by the agent: an extension. Omitted: events belong to the newest open call of their
   * tool.
   */
  toolCallId: maybe(id),
})

/**
 * Intermediate output of a running tool.
 *
 * @see docs/spec/agent-event-stream.md#example-tool_progress-payloads
 */
const agentToolProgressEvent = open({
  type: z.literal('tool_progress'),
  /** The name of the tool, as in its `tool_call`. */
  toolName: id,
  /** Any JSON, in a shape the tool defines. `undefined`, or omitted on the wire, if the tool has no data. */
  data,
  /** The id of the call, as in its `tool_call`: an extension. Omitted: the newest open call of the tool. */
  toolCallId: maybe(id),
})

/**
 * A tool has finished.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
const agentToolResultEvent = open({
  type: z.literal('tool_result'),
  /** The name of the tool, as in its `tool_call`. */
  toolName: id,
  /** The result of the tool, often JSON text; with `isError`, the error message. */
  output: z.string(),
  /** Whether the tool failed. Defaults to `false`. */
  isError: maybe(z.boolean()),
  /** The id of the call, as in its `tool_call`: an extension. Omitted: the newest open call of the tool. */
  toolCallId: maybe(id),
})

/**
 * A piece of the agent's answer.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
const agentStreamEvent = open({
  type: z.literal('stream'),
  /** The text to append. */
  content: z.string(),
})

/**
 * The agent has finished. No event follows.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
const agentFinalEvent = open({
  type: z.literal('final'),
})

/**
 * The agent has failed. No event follows, not even `final`.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
const agentErrorEvent = open({
  type: z.literal('error'),
  /** The error message, for people. */
  error: z.string(),
})

/**
 * Intermediate output of a tool.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
const toolRunProgressEvent = open({
  type: z.literal('progress'),
  /** The name of the tool. Not empty. */
  toolName: id,
  /** Any JSON, in a shape the tool defines. `undefined`, or omitted on the wire, if the tool has no data. */
  data,
  /** The id of the call: an extension. Omitted if the tool does not know it. */
  toolCallId: maybe(id),
})

/**
 * The tool has finished. The last event of a tool.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
const toolRunResultEvent = open({
  type: z.literal('result'),
  /** The name of the tool. Not empty. */
  toolName: id,
  /** The result of the tool, often JSON text; with `isError`, the error message. */
  output: z.string(),
  /** Whether the tool failed. Defaults to `false`. */
  isError: maybe(z.boolean()),
  /** The id of the call: an extension. Omitted if the tool does not know it. */
  toolCallId: maybe(id),
})

/**
 * An event an agent sends to its client. Narrow it by `type`.
 *
 * @see docs/spec/agent-event-stream.md#agentevent
 */
const agentEvent = z.discriminatedUnion('type', [
  agentThoughtEvent,
  agentToolCallEvent,
  agentToolProgressEvent,
  agentToolResultEvent,
  agentStreamEvent,
  agentFinalEvent,
  agentErrorEvent,
])

/**
 * An event a tool yields to the agent that runs it. Never sent to a client as it is:
 * {@link adaptToolEvent} converts it.
 *
 * @see docs/spec/agent-event-stream.md#toolevent
 */
const toolEvent = z.discriminatedUnion('type', [toolRunProgressEvent, toolRunResultEvent])

/** The schema of any `AgentEvent`. */
export const agentEventSchema: Schema<AgentEvent> = schemaOf<AgentEvent>()(agentEvent)

/** The schema of any `ToolEvent`. */
export const toolEventSchema: Schema<ToolEvent> = schemaOf<ToolEvent>()(toolEvent)

/** The schema of each `AgentEvent` type. */
export const agentEventSchemas: { readonly [T in AgentEventType]: Schema<AgentEventOf<T>> } = byTag('type', [
  agentEvent,
]) as never

/** The schema of each `ToolEvent` type. */
export const toolEventSchemas: { readonly [T in ToolEventType]: Schema<ToolEventOf<T>> } = byTag('type', [
  toolEvent,
]) as never

/** The field that events of all types have. */
export const envelopeSchema: z.ZodMiniType<{ type: string }> = open({ type: id })
