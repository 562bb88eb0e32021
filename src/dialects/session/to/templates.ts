/** Templates of session events: those of core events that map independently of others, and of rounds. */

import type { AnyEvent, ContextAnyEvent, EventKind, EventOf } from '../../../events/event.ts'
import type { InputType } from '../../../events/input.ts'
import { jsonText } from '../../../json/json-text.ts'
import type { SessionEventName } from '../wire/names.ts'
import type {
  AgentSessionCreatedEvent,
  AgentUserConfirmEvent,
  ConfirmOption,
  SystemConnectedEvent,
} from '../wire/types.generated.ts'

/** A session event without its envelope. */
export interface Template {
  readonly event: SessionEventName
  readonly content: unknown
  readonly metadata: Record<string, unknown>
  /** Fields of the core event without an equivalent, to preserve in `metadata.core`. */
  readonly preserved?: object
  /** Defaults to the task id. */
  readonly step_id?: string
}

/** The fields of an event besides its timestamp. */
export type EventFields<E extends AnyEvent> = Omit<E, 'timestamp'>

/** An event without the ids of its context, which its session event states. */
export function withoutContext(event: ContextAnyEvent): AnyEvent {
  const { contextId: _contextId, taskId: _taskId, ...fields } = event
  return fields as AnyEvent
}

/** The template of a core event, by kind. */
export const templates: { readonly [K in EventKind]?: (event: EventFields<EventOf<K>>) => Template } = {
  'content-complete': ({ content, ...rest }) => ({
    event: 'agent.llm_message',
    content,
    metadata: { model: '', role: 'assistant' },
    preserved: rest,
  }),
  'tool-start': ({ toolCallId, toolName, arguments: args, ...rest }) => ({
    event: 'agent.tool_call',
    content: { tool_name: toolName, tool_description: '', arguments: args },
    metadata: { call_id: toolCallId, tool_type: rest.metadata?.provider ?? '' },
    preserved: rest,
  }),
  'tool-progress': ({ toolCallId, ...rest }) => {
    const { stepsCompleted = 0, stepsTotal = 0 } = rest.metadata ?? {}
    return {
      event: 'solver.progress',
      step_id: toolCallId,
      content: { current_task: toolCallId, status: rest.message ?? '' },
      metadata: {
        progress_percent: rest.progress * 100,
        current_step: stepsCompleted,
        completed_steps: stepsCompleted,
        total_steps: Math.max(stepsTotal, stepsCompleted),
        elapsed_time_ms: 0,
      },
      preserved: rest,
    }
  },
  'tool-complete': ({ toolCallId, toolName, success, ...rest }) => {
    const { result, ...others } = rest
    const value = (success ? result : rest.error) ?? null
    return {
      event: 'agent.tool_result',
      content: { result: value, status: success ? 'success' : 'failed', tool_name: toolName },
      metadata: { call_id: toolCallId, execution_time_ms: rest.metadata?.duration ?? 0 },
      // A result that the content states is not repeated.
      preserved: success && value !== null ? others : rest,
    }
  },
  'input-required': ({ inputId, prompt, ...rest }) => {
    const { timeout } = rest.metadata ?? {}
    return {
      event: 'agent.user_confirm',
      step_id: inputId,
      content: { message: prompt, ...confirmationOf(rest.inputType, rest.options) },
      metadata: {
        ...(timeout !== undefined && { timeout_seconds: timeout }),
        critical: rest.requireUser === true,
      },
      preserved: rest,
    }
  },
  'thought-stream': ({ content, ...rest }) => {
    const { thoughtType: type } = rest
    const isNamed = /^(planning|reasoning)$/.test(type) && rest.metadata?.thinking_type !== 'analysis'
    const thinking_type = isNamed ? type : 'analysis'
    const metadata = { model: '', max_tokens: 0, temperature: 0, thinking_type }
    return { event: 'agent.thinking', content, metadata, preserved: rest }
  },
  'task-error': (rest) => {
    const { code, message, retry, attempt = 1, maxAttempts = attempt, retryAfterMs = 0 } = rest.error
    if (retry === 'retrying') {
      const metadata = { attempt, max_attempts: maxAttempts, delay_ms: retryAfterMs, error: message }
      return { event: 'error.retry', content: message, metadata, preserved: rest }
    }
    const error_code = 'ERR_EXECUTION_600'
    const metadata = { error_code, error_type: code, context: {}, recoverable: retry === 'retryable' }
    return { event: 'error.execution', content: message, metadata, preserved: rest }
  },
}

/** The expected answer of a question to the user. A selection without options, which the protocol does not have, asks for text. */
function confirmationOf(
  inputType: InputType,
  options: readonly unknown[] = [],
): Omit<AgentUserConfirmEvent['content'], 'message'> {
  if (inputType === 'selection' && options.length > 0) {
    return { confirmation_type: 'select', options: options.map(toOption) }
  }
  return { confirmation_type: /^(tool-execution|confirmation)$/.test(inputType) ? 'approve' : 'input' }
}

function toOption(option: unknown, i: number): ConfirmOption {
  const { id, label, description } = Object(option) as Partial<ConfirmOption>
  if (typeof id === 'string' && id !== '' && typeof label === 'string') {
    return { id, label, ...(typeof description === 'string' && { description }) }
  }
  return { id: String(i), label: (typeof option === 'string' ? option : jsonText(option)) ?? '' }
}

/** The start of a connection. What a server of the protocol would state about itself is `0` and `''`. */
export function connectedTemplate(connection_id: string, timestamp: string): SystemConnectedEvent {
  return {
    event: 'system.connected',
    timestamp,
    connection_id,
    content: { server_version: '', server_time: timestamp },
    metadata: { server_uptime_seconds: 0, active_sessions: 0 },
  }
}

/** The start of a session. */
export function createdTemplate(
  connection_id: string,
  session_id: string,
  timestamp: string,
): AgentSessionCreatedEvent {
  return { event: 'agent.session_created', timestamp, session_id, connection_id, content: null }
}

/** The start of a round: a plan whose only task is the core task. */
export function planTemplates(taskId: string, input: unknown, model: string, preserved: object): Template[] {
  const question = typeof input === 'string' ? input : ''
  return [
    {
      event: 'plan.start',
      content: { question },
      metadata: { plan_id: taskId, timeout_seconds: 0, model },
      preserved: { taskId, ...preserved },
    },
    {
      event: 'plan.completed',
      content: { tasks: [{ id: taskId, title: question, description: question }] },
      metadata: {
        task_count: 1,
        plan_summary: question,
        total_estimated_tokens: 0,
        llm_calls: 0,
        planning_time_ms: 0,
      },
    },
  ]
}

/** The results of a successful round. */
export function resultTemplates(
  taskId: string,
  answer: string,
  duration: number,
  tokens: number,
): Template[] {
  return [
    {
      event: 'agent.final_answer',
      content: { answer, answer_type: 'text' },
      metadata: { generation_time_ms: duration, total_tokens_used: tokens, model: '' },
    },
    {
      event: 'solver.completed',
      content: { task_results: [{ task_id: taskId, result: answer, status: 'success' }] },
      metadata: {
        total_tasks: 1,
        successful_tasks: 1,
        failed_tasks: 0,
        total_execution_time_ms: duration,
        total_tokens_used: tokens,
      },
    },
    {
      event: 'aggregate.start',
      content: null,
      metadata: { task_count: 1, completed_tasks: 1, failed_tasks: 0 },
    },
    {
      event: 'aggregate.completed',
      content: null,
      metadata: { aggregation_time_ms: 0, result_size_bytes: 0 },
    },
  ]
}

/** The end of a round. */
export function endTemplate(status: 'success' | 'failed', summary: string, duration: number): Template {
  return {
    event: 'pipeline.completed',
    content: null,
    metadata: {
      total_time_ms: duration,
      plan_time_ms: 0,
      solve_time_ms: duration,
      aggregate_time_ms: 0,
      status,
      result_summary: summary,
    },
  }
}
