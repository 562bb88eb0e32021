/**
 * What an agent does while it works: it thinks, calls tools, asks and answers.
 *
 *     agent.tool_call → agent.tool_result            same metadata.call_id
 *     agent.partial_answer* → agent.final_answer
 *     agent.user_confirm → user.response             same step_id
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { anyObject, count, id, type Metadata, maybe, metadata, open } from '../../../events/fields.ts'
import { amount, eventOf, type InStep, inStep, text } from './envelope.ts'

/**
 * The agent thinks.
 *
 * @see docs/spec/event-payloads.md#agentthinking
 */
export interface AgentThinkingEvent extends InStep {
  event: 'agent.thinking'
  /** The thought. */
  content: string
  metadata: Metadata & {
    /** The model that thinks, in the provider’s spelling. */
    model: string
    /** How many tokens the model was allowed to write. */
    max_tokens: number
    /** The sampling temperature the model was given, from 0. */
    temperature: number
    /** What the thought is about. */
    thinking_type: 'analysis' | 'planning' | 'reasoning'
  }
}

export const agentThinkingSchema: Schema<AgentThinkingEvent> = schemaOf<AgentThinkingEvent>()(
  eventOf(
    'agent.thinking',
    inStep,
    text,
    metadata({
      model: text,
      max_tokens: count,
      temperature: amount,
      thinking_type: z.enum(['analysis', 'planning', 'reasoning']),
    }),
  ),
)

/**
 * A tool is called.
 *
 * @see docs/spec/event-payloads.md#agenttool_call
 */
export interface AgentToolCallEvent extends InStep {
  event: 'agent.tool_call'
  /** Which tool, and with what. */
  content: {
    /** The tool that is called. */
    tool_name: string
    /** What the tool does, for people. */
    tool_description: string
    /** The arguments, parsed. */
    arguments: Record<string, unknown>
  }
  metadata: Metadata & {
    /** Names the call; its result has the same. */
    call_id: string
    /** What kind of tool it is, such as `llm`. */
    tool_type: string
    /** How long the call may take, in milliseconds. A guess. */
    estimated_duration_ms?: number
  }
}

export const agentToolCallSchema: Schema<AgentToolCallEvent> = schemaOf<AgentToolCallEvent>()(
  eventOf(
    'agent.tool_call',
    inStep,
    open({ tool_name: id, tool_description: text, arguments: anyObject }),
    metadata({ call_id: id, tool_type: text, estimated_duration_ms: maybe(amount) }),
  ),
)

/**
 * A tool has finished. Exactly one for each call.
 *
 * @see docs/spec/event-payloads.md#agenttool_result
 */
export interface AgentToolResultEvent extends InStep {
  event: 'agent.tool_result'
  /** What came of the call. */
  content: {
    /** What the tool returned: any JSON. With `failed`, what went wrong. */
    result: unknown
    /** Whether the tool did what it was called for. */
    status: 'success' | 'failed'
  }
  metadata: Metadata & {
    /** The call that ended. */
    call_id: string
    /** How long the tool ran, in milliseconds. */
    execution_time_ms: number
    /** How many tokens the tool used. Absent: not counted. */
    tokens_used?: number
  }
}

export const agentToolResultSchema: Schema<AgentToolResultEvent> = schemaOf<AgentToolResultEvent>()(
  eventOf(
    'agent.tool_result',
    inStep,
    open({ result: z.unknown(), status: z.enum(['success', 'failed']) }),
    metadata({ call_id: id, execution_time_ms: amount, tokens_used: maybe(count) }),
  ),
)

/**
 * A piece of the answer, to be appended.
 *
 * @see docs/spec/event-payloads.md#agentpartial_answer
 */
export interface AgentPartialAnswerEvent extends InStep {
  event: 'agent.partial_answer'
  /** The text to append. */
  content: string
  metadata: Metadata & {
    /** Position in the answer, from 0, without gaps. */
    chunk_index: number
    /** 0 to 100. */
    completion_percent?: number
  }
}

export const agentPartialAnswerSchema: Schema<AgentPartialAnswerEvent> = schemaOf<AgentPartialAnswerEvent>()(
  eventOf(
    'agent.partial_answer',
    inStep,
    text,
    metadata({ chunk_index: count, completion_percent: maybe(amount) }),
  ),
)

/**
 * The answer, whole. Once a round.
 *
 * @see docs/spec/event-payloads.md#agentfinal_answer
 */
export interface AgentFinalAnswerEvent extends InStep {
  event: 'agent.final_answer'
  /** The answer, and its form. */
  content: {
    /** The answer, for people. */
    answer: string
    /** What `answer` is; with `json` and `structured` it is JSON text. */
    answer_type: 'text' | 'json' | 'code' | 'structured'
  }
  metadata: Metadata & {
    /** How long the answer took, in milliseconds. */
    generation_time_ms: number
    /** How many tokens were used in all. */
    total_tokens_used: number
    /** The model that answered, in the provider’s spelling. */
    model: string
  }
}

export const agentFinalAnswerSchema: Schema<AgentFinalAnswerEvent> = schemaOf<AgentFinalAnswerEvent>()(
  eventOf(
    'agent.final_answer',
    inStep,
    open({ answer: text, answer_type: z.enum(['text', 'json', 'code', 'structured']) }),
    metadata({ generation_time_ms: amount, total_tokens_used: count, model: text }),
  ),
)

/** What may be chosen, with `confirmation_type: 'select'`. */
export interface ConfirmOption {
  /** What the answer names as `selected_id`; unique among the options. */
  id: string
  /** What is shown for it. */
  label: string
  /** What choosing it means, for people. Absent: the label says it all. */
  description?: string
}

/**
 * The agent asks the user. Answered by a `user.response` with the same `step_id`.
 *
 * @see docs/spec/event-payloads.md#agentuser_confirm
 */
export interface AgentUserConfirmEvent extends InStep {
  event: 'agent.user_confirm'
  /** The question. */
  content: {
    /** What is asked. */
    message: string
    /** What is asked for: a yes or no, a choice, or a text. */
    confirmation_type: 'approve' | 'select' | 'input'
    /** What to choose from, with `select`. */
    options?: ConfirmOption[]
  }
  metadata: Metadata & {
    /** Seconds until the question expires. Absent: it does not. */
    timeout_seconds?: number
    /** Whether it matters much. */
    critical: boolean
  }
}

export const agentUserConfirmSchema: Schema<AgentUserConfirmEvent> = schemaOf<AgentUserConfirmEvent>()(
  eventOf(
    'agent.user_confirm',
    inStep,
    open({
      message: text,
      confirmation_type: z.enum(['approve', 'select', 'input']),
      options: maybe(z.array(open({ id, label: text, description: maybe(text) }))),
    }),
    metadata({ timeout_seconds: maybe(amount), critical: z.boolean() }),
  ),
)

/**
 * What the model said, raw: for debugging. Not part of the answer.
 *
 * @see docs/spec/event-payloads.md#agentllm_message
 */
export interface AgentLlmMessageEvent extends InStep {
  event: 'agent.llm_message'
  /** What the model said, raw: the whole or a piece of it. */
  content: string
  metadata: Metadata & {
    /** The model, in the provider’s spelling. */
    model: string
    /** The provider’s name for the message. Absent: it has none. */
    message_id?: string
    /** Who speaks. Absent: not told. */
    role?: 'user' | 'assistant' | 'system'
    /** Which of several responses it is. */
    index?: number
    /** How many tokens the message has. Absent: not counted. */
    tokens?: number
  }
}

export const agentLlmMessageSchema: Schema<AgentLlmMessageEvent> = schemaOf<AgentLlmMessageEvent>()(
  eventOf(
    'agent.llm_message',
    inStep,
    text,
    metadata({
      model: text,
      message_id: maybe(text),
      role: maybe(z.enum(['user', 'assistant', 'system'])),
      index: maybe(count),
      tokens: maybe(count),
    }),
  ),
)
