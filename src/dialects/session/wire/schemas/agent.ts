/** The schemas of `agent.*` events. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { AgentEvent } from '../types.generated.ts'
import { amount, inStep, text } from './envelope.ts'

/**
 * A thought of the agent.
 *
 * @see docs/spec/event-payloads.md
 */
const agentThinkingEvent = open({
  event: z.literal('agent.thinking'),
  ...inStep,
  /** The thought. */
  content: text,
  metadata: metadata({
    /** The model, as the provider spells it. */
    model: text,
    /** Maximum number of output tokens. */
    max_tokens: count,
    /** Sampling temperature, from 0. */
    temperature: amount,
    /** The kind of thought. */
    thinking_type: z.enum(['analysis', 'planning', 'reasoning']),
  }),
})

/**
 * A tool call starts.
 *
 * @see docs/spec/event-payloads.md
 */
const agentToolCallEvent = open({
  event: z.literal('agent.tool_call'),
  ...inStep,
  /** The tool and its arguments. */
  content: open({
    /** The name of the tool. */
    tool_name: id,
    /** Human-readable description of the tool. */
    tool_description: text,
    /** The arguments as an object. */
    arguments: anyObject,
  }),
  metadata: metadata({
    /** The id of the call, which its result repeats. */
    call_id: id,
    /** The kind of tool, such as `llm`. */
    tool_type: text,
    /** Estimated duration in milliseconds. */
    estimated_duration_ms: maybe(amount),
  }),
})

/**
 * A tool call ended. There is exactly one result per call.
 *
 * @see docs/spec/event-payloads.md
 */
const agentToolResultEvent = open({
  event: z.literal('agent.tool_result'),
  ...inStep,
  /** The result of the call. */
  content: open({
    /** The result: any JSON. With `failed`, the error. */
    result: z.unknown(),
    /** Whether the tool succeeded. */
    status: z.enum(['success', 'failed']),
  }),
  metadata: metadata({
    /** The id of the call. */
    call_id: id,
    /** Duration in milliseconds. */
    execution_time_ms: amount,
    /** Number of tokens used. Omitted if unknown. */
    tokens_used: maybe(count),
  }),
})

/**
 * A chunk of the answer, to be appended.
 *
 * @see docs/spec/event-payloads.md
 */
const agentPartialAnswerEvent = open({
  event: z.literal('agent.partial_answer'),
  ...inStep,
  /** The text to append. */
  content: text,
  metadata: metadata({
    /** Position in the answer, from 0 without gaps. */
    chunk_index: count,
    /** Progress in percent, 0 to 100. Omitted if unknown. */
    completion_percent: maybe(amount),
  }),
})

/**
 * The complete answer. Once per round.
 *
 * @see docs/spec/event-payloads.md
 */
const agentFinalAnswerEvent = open({
  event: z.literal('agent.final_answer'),
  ...inStep,
  /** The answer and its type. */
  content: open({
    /** The answer as text. */
    answer: text,
    /** The type of `answer`. With `json` and `structured`, `answer` is JSON text. */
    answer_type: z.enum(['text', 'json', 'code', 'structured']),
  }),
  metadata: metadata({
    /** Duration in milliseconds. */
    generation_time_ms: amount,
    /** Total number of tokens used. */
    total_tokens_used: count,
    /** The model, as the provider spells it. */
    model: text,
  }),
})

/** An option of a question with `confirmation_type: 'select'`. */
const confirmOption = open({
  /** The id of the option, unique within the question. The answer repeats it as `selected_id`. */
  id,
  /** Human-readable label. */
  label: text,
  /** Human-readable description. Omitted if the label suffices. */
  description: maybe(text),
})

/**
 * A question to the user. Answered by a `user.response` with the same `step_id`.
 *
 * @see docs/spec/event-payloads.md
 */
const agentUserConfirmEvent = open({
  event: z.literal('agent.user_confirm'),
  ...inStep,
  /** The question. */
  content: open({
    /** The question as text. */
    message: text,
    /** The expected answer: yes or no, one of the options, or text. */
    confirmation_type: z.enum(['approve', 'select', 'input']),
    /** The options of a `select` question. */
    options: maybe(z.array(confirmOption)),
  }),
  metadata: metadata({
    /** Seconds until the question expires. Omitted: it does not expire. */
    timeout_seconds: maybe(amount),
    /** Whether the question is critical. */
    critical: z.boolean(),
  }),
})

/**
 * Raw model output, for debugging. Not part of the answer.
 *
 * @see docs/spec/event-payloads.md
 */
const agentLlmMessageEvent = open({
  event: z.literal('agent.llm_message'),
  ...inStep,
  /** Raw model output, complete or a chunk. */
  content: text,
  metadata: metadata({
    /** The model, as the provider spells it. */
    model: text,
    /** The provider’s id of the message. Omitted if it has none. */
    message_id: maybe(text),
    /** The role of the author. Omitted if unknown. */
    role: maybe(z.enum(['user', 'assistant', 'system'])),
    /** Index among several responses. Omitted for a single one. */
    index: maybe(count),
    /** Number of tokens of the message. Omitted if unknown. */
    tokens: maybe(count),
  }),
})

/** Any event of the agent’s work. */
export const agentEvent: Schema<AgentEvent> = schemaOf<AgentEvent>()(
  z.discriminatedUnion('event', [
    agentThinkingEvent,
    agentToolCallEvent,
    agentToolResultEvent,
    agentPartialAnswerEvent,
    agentFinalAnswerEvent,
    agentUserConfirmEvent,
    agentLlmMessageEvent,
  ]),
)
