/**
 * Extensions: events that real servers and their clients send and that the specification does not define.
 *
 *     user.message | user.solve_tasks | user.replan → … → agent.final_answer | agent.error | agent.timeout | agent.interrupted
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, count, maybe, maybeNull, metadata, open } from '../../../../events/records/fields.ts'
import type { ExtensionCommand, ServerExtensionEvent } from '../types.generated.ts'
import { amount, inSession, noContent, sessionEnvelope, text } from './envelope.ts'

const anyMetadata = maybe(metadata({}))

/** Requests to solve tasks without planning. Starts a round. An extension. */
const userSolveTasksEvent = open({
  event: z.literal('user.solve_tasks'),
  ...inSession,
  /** What to solve. */
  content: open({
    /** The tasks, in the form of the server's plans. */
    tasks: z.array(anyObject),
    /** The request that the tasks answer. Omitted if there is none. */
    question: maybe(text),
    /** Human-readable summary of the tasks. Omitted if there is none. */
    plan_summary: maybe(text),
  }),
  metadata: anyMetadata,
})

/** Which task of the plan a request concerns. */
const ofTask = {
  ...inSession,
  /** The task. */
  content: open({
    /** The id of the task in the plan. */
    task_id: z.union([text, amount]),
  }),
  metadata: anyMetadata,
}

/** Requests to cancel one task of the plan. Answered by `system.notice`. An extension. */
const userCancelTaskEvent = open({
  event: z.literal('user.cancel_task'),
  ...ofTask,
})

/** Requests to run one task of the plan again. Answered by `system.notice`. An extension. */
const userRestartTaskEvent = open({
  event: z.literal('user.restart_task'),
  ...ofTask,
})

/** Requests to cancel planning. Answered by `system.notice`. An extension. */
const userCancelPlanEvent = open({
  event: z.literal('user.cancel_plan'),
  ...inSession,
  content: noContent,
  metadata: anyMetadata,
})

/** Requests another plan. Answered by `system.notice`. An extension. */
const userReplanEvent = open({
  event: z.literal('user.replan'),
  ...inSession,
  /** What to plan for. Omitted: the request of the round. */
  content: maybeNull(
    open({
      /** The new request. Omitted: the request of the round. */
      question: maybe(text),
    }),
  ),
  metadata: anyMetadata,
})

/** A run failed, or a request of the client was refused. An extension. */
const agentErrorEvent = open({
  event: z.literal('agent.error'),
  ...inSession,
  /** Human-readable error message. */
  content: text,
  metadata: anyMetadata,
})

/** A run exceeded its time. An extension. */
const agentTimeoutEvent = open({
  event: z.literal('agent.timeout'),
  ...inSession,
  /** Human-readable error message. Omitted if there is none. */
  content: maybeNull(text),
  metadata: anyMetadata,
})

/** A run was interrupted at the request of the client. An extension. */
const agentInterruptedEvent = open({
  event: z.literal('agent.interrupted'),
  ...inSession,
  /** Human-readable text. Omitted if there is none. */
  content: maybeNull(text),
  metadata: anyMetadata,
})

/** A notice: the outcome of a request, the end of a replay, or a retry. An extension. */
const systemNoticeEvent = open({
  event: z.literal('system.notice'),
  ...sessionEnvelope,
  /** Human-readable text. */
  content: text,
  metadata: maybe(
    metadata({
      /** The request, such as `cancel_task` or `replay`. Omitted for a retry. */
      action: maybe(text),
      /** Whether the request succeeded. Omitted if there was none. */
      ok: maybe(z.boolean()),
      /** The number of the attempt that failed, from 1. Only of a retry. */
      attempt: maybe(count),
      /** Maximum number of attempts. Only of a retry. */
      total_attempts: maybe(count),
      /** Delay before the next attempt, in seconds. Only of a retry. */
      retry_delay_seconds: maybe(amount),
      /** The error of the attempt. Only of a retry. */
      error: maybe(text),
    }),
  ),
})

/** A request of a client that the specification does not define. */
export const extensionCommand: Schema<ExtensionCommand> = schemaOf<ExtensionCommand>()(
  z.discriminatedUnion('event', [
    userSolveTasksEvent,
    userCancelTaskEvent,
    userRestartTaskEvent,
    userCancelPlanEvent,
    userReplanEvent,
  ]),
)

/** An event of a server that the specification does not define. */
export const serverExtensionEvent: Schema<ServerExtensionEvent> = schemaOf<ServerExtensionEvent>()(
  z.discriminatedUnion('event', [
    agentErrorEvent,
    agentTimeoutEvent,
    agentInterruptedEvent,
    systemNoticeEvent,
  ]),
)
