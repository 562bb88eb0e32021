// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in the folder schemas beside it. Do not edit.
import type { Metadata } from '../../../events/metadata.ts'

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

/** Any event of the agent’s work. */
export type AgentEvent =
  | AgentThinkingEvent
  | AgentToolCallEvent
  | AgentToolResultEvent
  | AgentPartialAnswerEvent
  | AgentFinalAnswerEvent
  | AgentUserConfirmEvent
  | AgentLlmMessageEvent

/**
 * The envelope of an event: its fields besides content and metadata.
 *
 * `user.ack` and `user.reconnect` refer to `seq`, `epoch` and `event_id`, which servers set. The source
 * specification mentions them without defining their place.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SessionEnvelope {
  /** The session. Omitted before a session exists. */
  session_id?: string
  /** The connection. Set by the server. */
  connection_id?: string
  /** Links related events: those of a stage or step, or a question and its answer. Opaque. */
  step_id?: string
  /**
   * When the event was created: RFC 3339 with zone. If omitted, the receiver sets it on receipt.
   * `createSessionEvent` always sets it.
   */
  timestamp?: string
  /** Increasing number of the event on its connection. Set by the server. Omitted if not numbered. */
  seq?: number
  /** The scope of `seq`: a new epoch restarts the numbers. Defaults to the connection. */
  epoch?: string
  /** The id of the event: `<connection>-<seq>`. Set by the server. Omitted if it has none. */
  event_id?: string
  /** Human-readable one-line summary. Set by the server. Omitted if there is none. */
  show_content?: string
}

/** The envelope of the events of an open session. */
export interface InSession extends SessionEnvelope {
  session_id: string
}

/** The envelope of the events of one step of a session. */
export interface InStep extends InSession {
  step_id: string
}

/**
 * A validation error.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorValidationEvent extends InStep {
  event: 'error.validation'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_VALIDATION_400'
    /** The invalid field. Omitted if the error is not about one field. */
    field?: string
    /** The violated constraint. Omitted if unknown. */
    constraint?: string
    /** Whether recovery is possible. */
    recoverable: boolean
  }
}

/**
 * A timeout.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorTimeoutEvent extends InStep {
  event: 'error.timeout'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_TIMEOUT_500'
    /** The timeout in seconds. */
    timeout_seconds: number
    /** Elapsed time in seconds. */
    elapsed_seconds: number
    /** The stage, such as `planning`. */
    stage: string
    /** The number of the failed attempt, from 1. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** Delay before the next attempt, in milliseconds. */
    retry_after_ms: number
    /** The recovery strategy of the server. */
    recovery_strategy: string
  }
}

/**
 * An error during execution.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorExecutionEvent extends InStep {
  event: 'error.execution'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    error_code: 'ERR_EXECUTION_600'
    /** The error class in the server. */
    error_type: string
    /** Further details. */
    context: Metadata
    /** Whether recovery is possible. */
    recoverable: boolean
  }
}

/**
 * The server retries after an error.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRetryEvent extends InStep {
  event: 'error.retry'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** The number of the next attempt. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** Delay before the attempt, in milliseconds. */
    delay_ms: number
    /** The error message. */
    error: string
  }
}

/**
 * The server starts to recover.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRecoveryStartedEvent extends InStep {
  event: 'error.recovery_started'
  /** Human-readable text. */
  content: string
  metadata: Metadata & {
    /** The recovery action. */
    recovery_action: string
    /** Estimated duration in milliseconds. Omitted if unknown. */
    estimated_duration_ms?: number
  }
}

/**
 * The server recovered.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRecoverySuccessEvent extends InStep {
  event: 'error.recovery_success'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** Duration of the recovery in milliseconds. */
    recovery_time_ms: number
    /** Number of attempts. */
    attempts: number
  }
}

/**
 * The server failed to recover.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ErrorRecoveryFailedEvent extends InStep {
  event: 'error.recovery_failed'
  /** Human-readable text. */
  content: string
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** Number of attempts. */
    attempts: number
    /** The original error. */
    original_error: string
    /** The error of the recovery. */
    recovery_error: string
  }
}

/** Any error of a step, or recovery from it. */
export type ErrorEvent =
  | ErrorValidationEvent
  | ErrorTimeoutEvent
  | ErrorExecutionEvent
  | ErrorRetryEvent
  | ErrorRecoveryStartedEvent
  | ErrorRecoverySuccessEvent
  | ErrorRecoveryFailedEvent

/** Requests to solve tasks without planning. Starts a round. An extension. */
export interface UserSolveTasksEvent extends InSession {
  event: 'user.solve_tasks'
  /** What to solve. */
  content: {
    /** The tasks, in the form of the server's plans. */
    tasks: Record<string, unknown>[]
    /** The request that the tasks answer. Omitted if there is none. */
    question?: string
    /** Human-readable summary of the tasks. Omitted if there is none. */
    plan_summary?: string
  }
  metadata?: Metadata
}

/** Which task of the plan a request concerns. */
export interface OfTask extends InSession {
  /** The task. */
  content: {
    /** The id of the task in the plan. */
    task_id: string | number
  }
  metadata?: Metadata
}

/** Requests to cancel one task of the plan. Answered by `system.notice`. An extension. */
export interface UserCancelTaskEvent extends OfTask {
  event: 'user.cancel_task'
}

/** Requests to run one task of the plan again. Answered by `system.notice`. An extension. */
export interface UserRestartTaskEvent extends OfTask {
  event: 'user.restart_task'
}

/** Requests to cancel planning. Answered by `system.notice`. An extension. */
export interface UserCancelPlanEvent extends InSession {
  event: 'user.cancel_plan'
  content?: null
  metadata?: Metadata
}

/** Requests another plan. Answered by `system.notice`. An extension. */
export interface UserReplanEvent extends InSession {
  event: 'user.replan'
  /** What to plan for. Omitted: the request of the round. */
  content?: {
    /** The new request. Omitted: the request of the round. */
    question?: string
  } | null
  metadata?: Metadata
}

/** A run failed, or a request of the client was refused. An extension. */
export interface AgentErrorEvent extends InSession {
  event: 'agent.error'
  /** Human-readable error message. */
  content: string
  metadata?: Metadata
}

/** A run exceeded its time. An extension. */
export interface AgentTimeoutEvent extends InSession {
  event: 'agent.timeout'
  /** Human-readable error message. Omitted if there is none. */
  content?: string | null
  metadata?: Metadata
}

/** A run was interrupted at the request of the client. An extension. */
export interface AgentInterruptedEvent extends InSession {
  event: 'agent.interrupted'
  /** Human-readable text. Omitted if there is none. */
  content?: string | null
  metadata?: Metadata
}

/** A notice: the outcome of a request, the end of a replay, or a retry. An extension. */
export interface SystemNoticeEvent extends SessionEnvelope {
  event: 'system.notice'
  /** Human-readable text. */
  content: string
  metadata?: Metadata & {
    /** The request, such as `cancel_task` or `replay`. Omitted for a retry. */
    action?: string
    /** Whether the request succeeded. Omitted if there was none. */
    ok?: boolean
    /** The number of the attempt that failed, from 1. Only of a retry. */
    attempt?: number
    /** Maximum number of attempts. Only of a retry. */
    total_attempts?: number
    /** Delay before the next attempt, in seconds. Only of a retry. */
    retry_delay_seconds?: number
    /** The error of the attempt. Only of a retry. */
    error?: string
  }
}

/** A request of a client that the specification does not define. */
export type ExtensionCommand =
  | UserSolveTasksEvent
  | UserCancelTaskEvent
  | UserRestartTaskEvent
  | UserCancelPlanEvent
  | UserReplanEvent

/** An event of a server that the specification does not define. */
export type ServerExtensionEvent = AgentErrorEvent | AgentTimeoutEvent | AgentInterruptedEvent | SystemNoticeEvent

/**
 * Planning starts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanStartEvent extends InStep {
  event: 'plan.start'
  /** The request to plan for. */
  content: {
    /** The request of the user. */
    question: string
    /** Further context. Omitted if there is none. */
    context?: string
  }
  metadata: Metadata & {
    /** The id of the plan, unique in the session. */
    plan_id: string
    /** Timeout of planning in seconds. */
    timeout_seconds: number
    /** The model that plans, as the provider spells it. */
    model: string
  }
}

/** One task of a plan. A task of the core vocabulary corresponds to a whole round. */
export interface PlanTask {
  /** The id of the task, unique in the plan. */
  id: string
  /** Human-readable title. */
  title: string
  /** Full description. */
  description: string
  /** Estimated duration in seconds. Omitted if unknown. */
  estimated_duration_sec?: number
}

/**
 * The plan is complete.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanCompletedEvent extends InStep {
  event: 'plan.completed'
  /** The plan. */
  content: {
    /** The tasks, in the order of the plan. */
    tasks: PlanTask[]
  }
  metadata: Metadata & {
    /** Number of tasks. */
    task_count: number
    /** Human-readable one-sentence summary. */
    plan_summary: string
    /** Estimated number of tokens to execute the plan. */
    total_estimated_tokens: number
    /** Number of model calls made for planning. */
    llm_calls: number
    /** Duration of planning in milliseconds. */
    planning_time_ms: number
    /** One entry per model call. */
    statistics?: Metadata[]
    /** Metrics of agents, tools and models so far. */
    metrics?: Metadata
  }
}

/**
 * A planning step is complete.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanStepCompletedEvent extends InStep {
  event: 'plan.step_completed'
  /** The step and its result. */
  content: {
    /** The name of the step. */
    step_name: string
    /** The result of the step: any JSON. */
    step_result: unknown
  }
  metadata: Metadata & {
    /** Index of the step among those of planning. */
    step_index: number
    /** Duration of the step in milliseconds. */
    step_duration_ms: number
    /** Number of tokens used. */
    tokens_used: number
  }
}

/**
 * The plan is invalid.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanValidationErrorEvent extends InStep {
  event: 'plan.validation_error'
  /** The error. */
  content: {
    /** Human-readable error message. */
    error_message: string
    /** The invalid field of the plan. Omitted if the error is not about one field. */
    field?: string
    /** The violated constraint. Omitted if unknown. */
    constraint?: string
  }
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** All validation errors, human-readable. */
    validation_errors: string[]
  }
}

/**
 * Planning was cancelled.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanCancelledEvent extends InStep {
  event: 'plan.cancelled'
  /** Human-readable reason. */
  content?: string | null
  metadata: Metadata & {
    /** The reason. */
    reason: 'user_request' | 'timeout' | 'error' | 'resource_limit'
    /** The tasks planned so far. */
    partial_plan?: (Metadata & {
      /** The id of the task, unique in the plan. */
      id: string
      /** Human-readable title. */
      title: string
      /** Full description. */
      description: string
    })[]
    /** Duration of planning until the cancellation, in milliseconds. */
    cancellation_time_ms: number
  }
}

/**
 * The output of the model is not a list of tasks.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanCoercionErrorEvent extends InStep {
  event: 'plan.coercion_error'
  /** Human-readable error message. */
  content?: string | null
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** The output of the model. */
    raw_output?: string
    /** The error class in the server, such as `ValueError`. */
    error_type: string
    /** How the server reacts. */
    recovery_action: 'retry' | 'manual_input' | 'fallback' | 'abort'
    /** The number of the failed attempt, from 1. */
    attempt?: number
    /** Maximum number of attempts. Omitted if unknown. */
    max_attempts?: number
  }
}

/** Any event of planning. */
export type PlanEvent =
  | PlanStartEvent
  | PlanCompletedEvent
  | PlanStepCompletedEvent
  | PlanValidationErrorEvent
  | PlanCancelledEvent
  | PlanCoercionErrorEvent

/**
 * Aggregation of the results starts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AggregateStartEvent extends InSession {
  event: 'aggregate.start'
  content?: null
  metadata: Metadata & {
    /** Sum of `completed_tasks` and `failed_tasks`. */
    task_count: number
    /** Number of completed tasks. */
    completed_tasks: number
    /** Number of failed tasks. */
    failed_tasks: number
  }
}

/**
 * The results are aggregated.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AggregateCompletedEvent extends InSession {
  event: 'aggregate.completed'
  /** The result. Omitted or `null` if there is none. */
  content?: {
    /** The aggregated result: any JSON. */
    final_result: unknown
  } | null
  metadata: Metadata & {
    /** Duration of the aggregation in milliseconds. */
    aggregation_time_ms: number
    /** Size of the result in bytes. */
    result_size_bytes: number
  }
}

/**
 * A round is complete. Its last event.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PipelineCompletedEvent extends InSession {
  event: 'pipeline.completed'
  content?: null
  metadata: Metadata & {
    /** Duration of the round in milliseconds: at least the sum of its three stages. */
    total_time_ms: number
    /** Duration of planning in milliseconds. */
    plan_time_ms: number
    /** Duration of solving in milliseconds. */
    solve_time_ms: number
    /** Duration of the aggregation in milliseconds. */
    aggregate_time_ms: number
    /** The outcome of the round. */
    status: 'success' | 'partial_success' | 'failed'
    /** Human-readable one-sentence summary of the result. */
    result_summary: string
    /** One entry per model call. */
    statistics?: Metadata[]
    /** Metrics of agents, tools and models so far. */
    metrics?: Metadata
  }
}

/** Any event of the end of a round. */
export type ResultEvent = AggregateStartEvent | AggregateCompletedEvent | PipelineCompletedEvent

/**
 * Acknowledges received events, which the server may then drop.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserAckEvent extends InSession {
  event: 'user.ack'
  /** The acknowledged position. Omitted: nothing is acknowledged. */
  content?: {
    /** The highest `seq` received. */
    last_seq: number
  } | null
  metadata?: Metadata & {
    /** Number of events received. Omitted if unknown. */
    received_count?: number
    /** Size of the client’s buffer, in client-specific units. Omitted if unknown. */
    buffer_size?: number
  }
}

/**
 * Reconnects to a session after a short connection loss.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserReconnectEvent extends SessionEnvelope {
  event: 'user.reconnect'
  /** The session and position to resume from. */
  content: {
    /** The session to reconnect to. */
    session_id: string
    /** The highest `seq` received. Omitted: replay all events. */
    last_seq?: number
  }
  metadata?: Metadata
}

/**
 * Reconnects with an exported state. Answered by `agent.state_restored`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserReconnectWithStateEvent extends SessionEnvelope {
  event: 'user.reconnect_with_state'
  /** The state as an object, where real servers expect it. An extension. See `encodeReconnectWithState`. */
  signed_state?: Record<string, unknown>
  /** The state and position to resume from. */
  content: {
    /** The state from `agent.state_exported`, unchanged. It identifies the session. */
    signed_state: string
    /** The highest `seq` received. */
    last_seq: number
    /** The `event_id` received last. Takes precedence over `last_seq`. */
    last_event_id?: string
  }
  metadata?: Metadata & {
    /** Time offline in milliseconds. */
    offline_duration_ms: number
    /** Version of the state format, from `agent.state_exported`. */
    state_version: string
  }
}

/**
 * Requests the state. Answered by `agent.state_exported`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserRequestStateEvent extends InSession {
  event: 'user.request_state'
  content?: null
  metadata?: Metadata & {
    /** Whether to include all events. Omitted: the server decides. */
    include_history?: boolean
    /** The compression of the state. Omitted: the server decides. */
    compression?: 'gzip' | 'none'
  }
}

/** Any event about what was received and how to go on. */
export type ResumeEvent =
  | UserAckEvent
  | UserReconnectEvent
  | UserReconnectWithStateEvent
  | UserRequestStateEvent

/**
 * Solving starts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverStartEvent extends InStep {
  event: 'solver.start'
  content?: null
  metadata: Metadata & {
    /** Number of tasks to solve. */
    task_count: number
    /** Equal to `task_count`. */
    total_tasks: number
    /** Estimated duration of solving in seconds. */
    estimated_duration_sec: number
  }
}

/**
 * Progress of solving.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverProgressEvent extends InStep {
  event: 'solver.progress'
  /** The current activity. Omitted or `null` if unknown. */
  content?: {
    /** The id of the current task in the plan. */
    current_task: string
    /** Human-readable status. */
    status: string
  } | null
  metadata: Metadata & {
    /** Progress in percent, 0 to 100. Does not decrease within a step. */
    progress_percent: number
    /** The number of the current step. */
    current_step: number
    /** Number of completed steps, at most `total_steps`. */
    completed_steps: number
    /** Total number of steps. */
    total_steps: number
    /** Elapsed time in milliseconds. */
    elapsed_time_ms: number
    /** Estimated remaining time in milliseconds. Omitted if unknown. */
    estimated_remaining_ms?: number
  }
}

/** The result of one task of the plan. */
export interface TaskResult {
  /** The id of the task in the plan. */
  task_id: string
  /** The result: any JSON. */
  result: unknown
  /** The outcome of the task. */
  status: 'success' | 'failed' | 'partial'
}

/**
 * All tasks ended, successfully or not.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverCompletedEvent extends InStep {
  event: 'solver.completed'
  /** The results. */
  content: {
    /** One result per task. */
    task_results: TaskResult[]
  }
  metadata: Metadata & {
    /** Total number of tasks. */
    total_tasks: number
    /** Number of successful tasks. */
    successful_tasks: number
    /** Number of failed tasks. */
    failed_tasks: number
    /** Duration of solving in milliseconds. */
    total_execution_time_ms: number
    /** Total number of tokens used. */
    total_tokens_used: number
    /** One entry per model call. */
    statistics?: Metadata[]
  }
}

/**
 * A solving step failed.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverStepFailedEvent extends InStep {
  event: 'solver.step_failed'
  /** The step and its error. */
  content: {
    /** Human-readable error message. */
    error_message: string
    /** The name of the step. */
    step_name: string
  }
  metadata: Metadata & {
    /** Index of the step among those of solving. */
    step_index: number
    /** Error code, for programs. */
    error_code: string
    /** The error class in the server, such as `TimeoutError`. */
    error_type: string
    /** Whether the server can continue. */
    recovery_possible: boolean
  }
}

/**
 * A step is retried.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverRetryEvent extends InStep {
  event: 'solver.retry'
  /** The step. Omitted or `null` if unknown. */
  content?: {
    /** The name of the step. */
    step_name: string
  } | null
  metadata: Metadata & {
    /** The number of the next attempt. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** Delay before the attempt, in milliseconds. */
    backoff_ms: number
  }
}

/**
 * A task of the plan was cancelled.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverCancelledEvent extends InStep {
  event: 'solver.cancelled'
  /** Human-readable reason. */
  content?: string | null
  metadata: Metadata & {
    /** The id of the task in the plan. */
    task_id: string
    /** The reason. */
    reason: 'user_request' | 'dependency_failed' | 'timeout' | 'resource_limit'
    /** Duration of the task until the cancellation, in milliseconds. */
    execution_time_ms: number
    /** The partial result. Omitted if there is none. */
    partial_result?: Metadata
  }
}

/**
 * A task of the plan restarts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverRestartedEvent extends InStep {
  event: 'solver.restarted'
  /** Human-readable reason. */
  content?: string | null
  metadata: Metadata & {
    /** The id of the task in the plan. */
    task_id: string
    /** The error of the previous attempt. Omitted if unknown. */
    previous_error?: string
    /** The number of the next attempt. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** The reason. */
    reason: 'retry_after_error' | 'user_request' | 'escalation'
    /** Delay before the attempt, in milliseconds. */
    backoff_ms: number
  }
}

/** Any event of solving. */
export type SolverEvent =
  | SolverStartEvent
  | SolverProgressEvent
  | SolverCompletedEvent
  | SolverStepFailedEvent
  | SolverRetryEvent
  | SolverCancelledEvent
  | SolverRestartedEvent

/**
 * A session was created; its id is `session_id`. The source specification names the event without a
 * payload: the one here is an extension.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentSessionCreatedEvent extends InSession {
  event: 'agent.session_created'
  /** The settings the client requested. */
  content?: {
    /** Human-readable name of the session. */
    session_name?: string
    /** The project the session belongs to. */
    project_name?: string
    /** Settings of the session. */
    config?: Record<string, unknown>
  } | null
  /** Information about the server. Omitted if there is none. */
  metadata?: Metadata & {
    /** Creation time: RFC 3339. */
    created_at?: string
    /** Version of the server software. */
    server_version?: string
    /** The position from which to resume. */
    resume?: Metadata & {
      /** The scope of `seq`. */
      epoch: string
      /** The number of the event to resume after. */
      seq: number
    }
  }
}

/**
 * The session ended. Only `system.*` events may follow.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentSessionEndEvent extends InSession {
  event: 'agent.session_end'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** The reason. */
    reason: 'user_request' | 'timeout' | 'error' | 'completion'
    /** Duration of the session in milliseconds. */
    total_duration_ms: number
    /** Total number of messages. Omitted if unknown. */
    total_messages?: number
    /** The outcome of the session. Omitted if unknown. */
    completion_status?: 'success' | 'partial' | 'failed'
  }
}

/**
 * The state of the session, for the client to store.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentStateExportedEvent extends InSession {
  event: 'agent.state_exported'
  /** The state. Omitted or `null` if nothing was exported. */
  content?: {
    /** The state in readable form. Not authenticated. */
    exported_state: Record<string, unknown>
    /** The state that `user.reconnect_with_state` returns. An extension: the specification defines no field. */
    signed_state?: string
  } | null
  metadata: Metadata & {
    /** Export time: RFC 3339. */
    exported_at: string
    /** Expiry time of the state, later than `exported_at`: RFC 3339. */
    valid_until: string
    /** Size of the state in bytes. */
    state_size_bytes?: number
    /** Checksum. Detects corruption, not forgery. */
    checksum?: string
    /** Version that `user.reconnect_with_state` repeats. An extension. */
    state_version?: string
    /** The highest `seq` sent. An extension. */
    last_seq?: number
  }
}

/**
 * The state of the client was restored, or rejected if `state_integrity` is `failed`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentStateRestoredEvent extends InSession {
  event: 'agent.state_restored'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** Time of restoration: RFC 3339. */
    restored_at: string
    /** Duration of restoring in milliseconds. */
    restoration_time_ms: number
    /** The stage of the session at the export, such as `solving`. */
    previous_stage: string
    /** Number of resumed tasks. Omitted if unknown. */
    recovered_tasks?: number
    /** Whether the state is intact. `failed`: it was rejected. */
    state_integrity: 'verified' | 'partial' | 'failed'
  }
}

/** Any event about the session itself. */
export type StateEvent =
  | AgentSessionCreatedEvent
  | AgentSessionEndEvent
  | AgentStateExportedEvent
  | AgentStateRestoredEvent

/**
 * The connection is open. The first event the server sends.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SystemConnectedEvent extends SessionEnvelope {
  event: 'system.connected'
  /** The id of the connection. Events are numbered within it. */
  connection_id: string
  /** Information about the server. */
  content: {
    /** Version of the server software. */
    server_version: string
    /** Time of the server: RFC 3339. */
    server_time: string
  }
  metadata: Metadata & {
    /** Uptime of the server in seconds. */
    server_uptime_seconds: number
    /** Number of open sessions. */
    active_sessions: number
  }
}

/**
 * The server's heartbeat: the connection is alive.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SystemHeartbeatEvent extends SessionEnvelope {
  event: 'system.heartbeat'
  /** Information about the server. Omitted or `null` if there is none. */
  content?: {
    /** Time of the server: RFC 3339. */
    server_time: string
  } | null
  metadata: Metadata & {
    /** The highest `seq` sent. */
    seq: number
    /** Uptime of the server in seconds. */
    server_uptime_seconds: number
  }
}

/**
 * The client's heartbeat: like the server's, without uptime.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ClientHeartbeatEvent extends SessionEnvelope {
  event: 'system.heartbeat'
  content?: null
  metadata: Metadata & {
    /** The highest `seq` received. */
    seq: number
  }
}

/**
 * An error of the connection or the server.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SystemErrorEvent extends SessionEnvelope {
  event: 'system.error'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** Severity. */
    severity: 'info' | 'warning' | 'error'
  }
}

/** Any event about the connection, sent by a server. */
export type SystemEvent = SystemConnectedEvent | SystemHeartbeatEvent | SystemErrorEvent

/**
 * Creates a session. Answered by `agent.session_created`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserCreateSessionEvent extends SessionEnvelope {
  event: 'user.create_session'
  /** Settings of the session. Omitted: the server decides. */
  content?: {
    /** The project the session belongs to. */
    project_name?: string
    /** Human-readable name of the session. */
    session_name?: string
    /** Server-specific settings of the session. */
    config?: Record<string, unknown>
  } | null
  /** Information about the client. Omitted if there is none. */
  metadata?: Metadata & {
    /** Version of the client software. */
    client_version?: string
    /** The id of the client. Omitted if unknown. */
    client_id?: string
  }
}

/**
 * A query or instruction of the user. Starts a round of planning and solving.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserMessageEvent extends InSession {
  event: 'user.message'
  /** The text of the message. */
  content: string
  metadata?: Metadata & {
    /** The kind of message. Omitted if unknown. */
    message_type?: 'query' | 'instruction' | 'feedback'
    /** The priority. Omitted if unknown. */
    priority?: 'low' | 'normal' | 'high'
    /** The source of the message, such as a part of the user interface. */
    source?: string
  }
}

/**
 * The answer to an `agent.user_confirm`, which has the same `step_id`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserResponseEvent extends InStep {
  event: 'user.response'
  /** The answer. */
  content: {
    /** Whether the user agrees. */
    approved: boolean
    /** Feedback of the user. */
    feedback?: string
    /** Corrected data. */
    data?: Record<string, unknown>
    /** The selected option of a `select` question. An extension: the specification defines no field. */
    selected_id?: string
    /** The text for an `input` question. An extension: the specification defines no field. */
    value?: string
    /** Same as `approved`, which some servers do not read. An extension. */
    confirmed?: boolean
    /** The plan as the user edited it. Omitted: it is unchanged. An extension. */
    tasks?: Record<string, unknown>[]
  }
  metadata?: Metadata & {
    /** Duration in milliseconds. */
    response_time_ms?: number
    /** The action of the user. Omitted if unknown. */
    user_action?: 'approve' | 'reject' | 'modify'
  }
}

/**
 * Requests to cancel the current work. The server reports whether and how it stops.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserCancelEvent extends InSession {
  event: 'user.cancel'
  /** The reason. Omitted if unknown. */
  content?: {
    /** Human-readable reason. Omitted if unknown. */
    reason?: string
  } | null
  metadata?: Metadata
}

/** Any event of the client but those of {@link ResumeEvent} and extensions. */
export type UserEvent = UserCreateSessionEvent | UserMessageEvent | UserResponseEvent | UserCancelEvent
