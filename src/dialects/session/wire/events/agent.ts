import type { Metadata } from '../../../../events/metadata.ts'
import type { InStep } from '../envelope.ts'

/**
 * A thought of the agent.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentThinkingEvent extends InStep {
  event: 'agent.thinking'
  /** The thought. */
  content: string
  metadata: Metadata & {
    /** The model, as the provider spells it. */
    model: string
    /** Maximum number of output tokens. */
    max_tokens: number
    /** Sampling temperature, from 0. */
    temperature: number
    /** The kind of thought. */
    thinking_type: 'analysis' | 'planning' | 'reasoning'
  }
}

/**
 * A tool call starts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentToolCallEvent extends InStep {
  event: 'agent.tool_call'
  /** The tool and its arguments. */
  content: {
    /** The name of the tool. */
    tool_name: string
    /** Human-readable description of the tool. */
    tool_description: string
    /** The arguments as an object. */
    arguments: Record<string, unknown>
  }
  metadata: Metadata & {
    /** The id of the call, which its result repeats. */
    call_id: string
    /** The kind of tool, such as `llm`. */
    tool_type: string
    /** Estimated duration in milliseconds. */
    estimated_duration_ms?: number
  }
}

/**
 * A tool call ended. There is exactly one result per call.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentToolResultEvent extends InStep {
  event: 'agent.tool_result'
  /** The result of the call. */
  content: {
    /** The result: any JSON. With `failed`, the error. */
    result: unknown
    /** Whether the tool succeeded. */
    status: 'success' | 'failed'
  }
  metadata: Metadata & {
    /** The id of the call. */
    call_id: string
    /** Duration in milliseconds. */
    execution_time_ms: number
    /** Number of tokens used. Omitted if unknown. */
    tokens_used?: number
  }
}

/**
 * A chunk of the answer, to be appended.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentPartialAnswerEvent extends InStep {
  event: 'agent.partial_answer'
  /** The text to append. */
  content: string
  metadata: Metadata & {
    /** Position in the answer, from 0 without gaps. */
    chunk_index: number
    /** Progress in percent, 0 to 100. Omitted if unknown. */
    completion_percent?: number
  }
}

/**
 * The complete answer. Once per round.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentFinalAnswerEvent extends InStep {
  event: 'agent.final_answer'
  /** The answer and its type. */
  content: {
    /** The answer as text. */
    answer: string
    /** The type of `answer`. With `json` and `structured`, `answer` is JSON text. */
    answer_type: 'text' | 'json' | 'code' | 'structured'
  }
  metadata: Metadata & {
    /** Duration in milliseconds. */
    generation_time_ms: number
    /** Total number of tokens used. */
    total_tokens_used: number
    /** The model, as the provider spells it. */
    model: string
  }
}

/** An option of a question with `confirmation_type: 'select'`. */
export interface ConfirmOption {
  /** The id of the option, unique within the question. The answer repeats it as `selected_id`. */
  id: string
  /** Human-readable label. */
  label: string
  /** Human-readable description. Omitted if the label suffices. */
  description?: string
}

/**
 * A question to the user. Answered by a `user.response` with the same `step_id`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentUserConfirmEvent extends InStep {
  event: 'agent.user_confirm'
  /** The question. */
  content: {
    /** The question as text. */
    message: string
    /** The expected answer: yes or no, one of the options, or text. */
    confirmation_type: 'approve' | 'select' | 'input'
    /** The options of a `select` question. */
    options?: ConfirmOption[]
  }
  metadata: Metadata & {
    /** Seconds until the question expires. Omitted: it does not expire. */
    timeout_seconds?: number
    /** Whether the question is critical. */
    critical: boolean
  }
}

/**
 * Raw model output, for debugging. Not part of the answer.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentLlmMessageEvent extends InStep {
  event: 'agent.llm_message'
  /** Raw model output, complete or a chunk. */
  content: string
  metadata: Metadata & {
    /** The model, as the provider spells it. */
    model: string
    /** The provider’s id of the message. Omitted if it has none. */
    message_id?: string
    /** The role of the author. Omitted if unknown. */
    role?: 'user' | 'assistant' | 'system'
    /** Index among several responses. Omitted for a single one. */
    index?: number
    /** Number of tokens of the message. Omitted if unknown. */
    tokens?: number
  }
}

/** Any event of this file. */
export type AgentEvent =
  | AgentThinkingEvent
  | AgentToolCallEvent
  | AgentToolResultEvent
  | AgentPartialAnswerEvent
  | AgentFinalAnswerEvent
  | AgentUserConfirmEvent
  | AgentLlmMessageEvent
