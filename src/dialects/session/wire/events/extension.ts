/**
 * Extensions: events that real servers and their clients send and that the specification does not define.
 *
 *     user.message | user.solve_tasks | user.replan → … → agent.final_answer | agent.error | agent.timeout | agent.interrupted
 */

import type { Metadata } from '../../../../events/metadata.ts'
import type { InSession, SessionEnvelope } from '../envelope.ts'

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
interface OfTask extends InSession {
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
export type ServerExtensionEvent =
  | AgentErrorEvent
  | AgentTimeoutEvent
  | AgentInterruptedEvent
  | SystemNoticeEvent
