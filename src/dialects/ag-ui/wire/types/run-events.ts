/**
 * Events of runs, steps and subagents.
 *
 *     RUN_STARTED → … → RUN_FINISHED | RUN_ERROR
 *     SUBAGENT_STARTED → … → SUBAGENT_FINISHED | SUBAGENT_ERROR      within a run
 */
import type { AgUiRunInput } from './run-input.ts'
import type { AgUiEventBase, AgUiMetadata, AgUiOwnedEvent, AgUiUsage } from './shared.ts'

/** A run starts. The first event of every stream. */
export interface AgUiRunStarted extends AgUiEventBase {
  type: 'RUN_STARTED'
  /** The conversation. */
  threadId: string
  /** The run: one request to the agent and its answer. */
  runId: string
  /** The version of the protocol, such as `1.0`. Omitted by older servers. */
  protocolVersion?: string
  /** The run before this one, as after an interrupt. Omitted if unknown. */
  parentRunId?: string
  /** The request that started the run. Omitted if the server does not repeat it. */
  input?: AgUiRunInput
}

/** Something that only a person or the client can do. The next run answers it in `resume`. */
export interface AgUiInterrupt {
  /** The subagent that asks. Omitted: the agent of the run. */
  subagentRunId?: string
  /** The question. The answer names it as `interruptId`. */
  id: string
  /** Why the run stops, such as `approval_required`, for programs. */
  reason: string
  /** The question, for people. Omitted if `reason` is sufficient. */
  message?: string
  /** The call that waits for the answer. Omitted if none. */
  toolCallId?: string
  /** JSON Schema of the answer. Omitted if any answer is valid. */
  responseSchema?: Record<string, unknown>
  /** When the question expires: RFC 3339. Omitted if it does not. */
  expiresAt?: string
  /** Additional information. Omitted if there is none. */
  metadata?: AgUiMetadata
}

/** How a run ended. */
export type AgUiRunOutcome =
  | {
      type: 'success'
      /** The calls that the client is to execute. Omitted if none. */
      pendingToolCallIds?: string[]
    }
  | {
      type: 'interrupt'
      /** What the next run has to answer. */
      interrupts: AgUiInterrupt[]
    }
  | { type: 'cancelled' }

/** A run ended, unless it failed. */
export interface AgUiRunFinished extends AgUiEventBase {
  type: 'RUN_FINISHED'
  /** The conversation. */
  threadId: string
  /** The run. */
  runId: string
  /** The result: any JSON. Omitted if none. */
  result?: unknown
  /** How the run ended. Defaults to success. */
  outcome?: AgUiRunOutcome
  /** The tokens of the run, by model. Omitted if unknown. */
  usage?: AgUiUsage[]
}

/** A run failed. */
export interface AgUiRunError extends AgUiEventBase {
  type: 'RUN_ERROR'
  /** What went wrong, for people. */
  message: string
  /** What went wrong, for programs. Omitted if unknown. */
  code?: string
  /** The tokens of the run, by model. Omitted if unknown. */
  usage?: AgUiUsage[]
}

/** A step of the agent starts. */
export interface AgUiStepStarted extends AgUiOwnedEvent {
  type: 'STEP_STARTED'
  /** Name of the step. */
  stepName: string
}

/** A step of the agent ended. */
export interface AgUiStepFinished extends AgUiOwnedEvent {
  type: 'STEP_FINISHED'
  /** Name of the step. */
  stepName: string
}

/** A subagent starts. */
export interface AgUiSubagentStarted extends AgUiEventBase {
  type: 'SUBAGENT_STARTED'
  /** The subagent. Unique in the run. */
  subagentRunId: string
  /** Name of the subagent. */
  name: string
  /** What the subagent does. Omitted if unknown. */
  description?: string
  /** The subagent that started this one. Omitted: the agent of the run. */
  parentSubagentRunId?: string
  /** The call that started the subagent. Omitted if none. */
  parentToolCallId?: string
  /** The message that started the subagent. Omitted if none. */
  parentMessageId?: string
}

/** A subagent ended, unless it failed. */
export interface AgUiSubagentFinished extends AgUiEventBase {
  type: 'SUBAGENT_FINISHED'
  /** The subagent. */
  subagentRunId: string
  /** The result: any JSON. Omitted if none. */
  result?: unknown
  /** How it ended. `suspended`: it waits for the answer to interrupts. Defaults to success. */
  outcome?: { type: 'success' } | { type: 'suspended'; interruptIds?: string[] }
}

/** A subagent failed. */
export interface AgUiSubagentError extends AgUiEventBase {
  type: 'SUBAGENT_ERROR'
  /** The subagent. */
  subagentRunId: string
  /** What went wrong, for people. */
  message: string
  /** What went wrong, for programs. Omitted if unknown. */
  code?: string
}
