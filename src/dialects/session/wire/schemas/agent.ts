/** The schemas of the events in `agent.ts`. */
import * as z from 'zod/mini'
import { anyObject, count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { AgentEvent } from '../events/agent.ts'
import { amount, eventSchema, inStep, type SchemasOf, text } from './envelope.ts'

export const agentSchemas: SchemasOf<AgentEvent> = {
  'agent.thinking': eventSchema(
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
  'agent.tool_call': eventSchema(
    'agent.tool_call',
    inStep,
    open({ tool_name: id, tool_description: text, arguments: anyObject }),
    metadata({ call_id: id, tool_type: text, estimated_duration_ms: maybe(amount) }),
  ),
  'agent.tool_result': eventSchema(
    'agent.tool_result',
    inStep,
    open({ result: z.unknown(), status: z.enum(['success', 'failed']) }),
    metadata({ call_id: id, execution_time_ms: amount, tokens_used: maybe(count) }),
  ),
  'agent.partial_answer': eventSchema(
    'agent.partial_answer',
    inStep,
    text,
    metadata({ chunk_index: count, completion_percent: maybe(amount) }),
  ),
  'agent.final_answer': eventSchema(
    'agent.final_answer',
    inStep,
    open({ answer: text, answer_type: z.enum(['text', 'json', 'code', 'structured']) }),
    metadata({ generation_time_ms: amount, total_tokens_used: count, model: text }),
  ),
  'agent.user_confirm': eventSchema(
    'agent.user_confirm',
    inStep,
    open({
      message: text,
      confirmation_type: z.enum(['approve', 'select', 'input']),
      options: maybe(z.array(open({ id, label: text, description: maybe(text) }))),
    }),
    metadata({ timeout_seconds: maybe(amount), critical: z.boolean() }),
  ),
  'agent.llm_message': eventSchema(
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
}
