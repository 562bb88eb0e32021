/** The schemas of the events in `agent.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type {
  AgentFinalAnswerEvent,
  AgentLlmMessageEvent,
  AgentPartialAnswerEvent,
  AgentThinkingEvent,
  AgentToolCallEvent,
  AgentToolResultEvent,
  AgentUserConfirmEvent,
} from '../events/agent.ts'
import { amount, eventOf, inStep, text } from './envelope.ts'

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

export const agentToolCallSchema: Schema<AgentToolCallEvent> = schemaOf<AgentToolCallEvent>()(
  eventOf(
    'agent.tool_call',
    inStep,
    open({ tool_name: id, tool_description: text, arguments: anyObject }),
    metadata({ call_id: id, tool_type: text, estimated_duration_ms: maybe(amount) }),
  ),
)

export const agentToolResultSchema: Schema<AgentToolResultEvent> = schemaOf<AgentToolResultEvent>()(
  eventOf(
    'agent.tool_result',
    inStep,
    open({ result: z.unknown(), status: z.enum(['success', 'failed']) }),
    metadata({ call_id: id, execution_time_ms: amount, tokens_used: maybe(count) }),
  ),
)

export const agentPartialAnswerSchema: Schema<AgentPartialAnswerEvent> = schemaOf<AgentPartialAnswerEvent>()(
  eventOf(
    'agent.partial_answer',
    inStep,
    text,
    metadata({ chunk_index: count, completion_percent: maybe(amount) }),
  ),
)

export const agentFinalAnswerSchema: Schema<AgentFinalAnswerEvent> = schemaOf<AgentFinalAnswerEvent>()(
  eventOf(
    'agent.final_answer',
    inStep,
    open({ answer: text, answer_type: z.enum(['text', 'json', 'code', 'structured']) }),
    metadata({ generation_time_ms: amount, total_tokens_used: count, model: text }),
  ),
)

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
