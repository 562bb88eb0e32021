/** The schemas of the session protocol, by name and as a union. */
import * as z from 'zod/mini'
import type { Schema } from '../../../../core/schema.ts'
import { id, maybe, open } from '../../../../events/records/fields.ts'
import type { SessionEvent, SessionEventOf } from '../event.ts'
import type { SessionEventName } from '../names.ts'
import {
  agentFinalAnswerSchema,
  agentLlmMessageSchema,
  agentPartialAnswerSchema,
  agentThinkingSchema,
  agentToolCallSchema,
  agentToolResultSchema,
  agentUserConfirmSchema,
} from './agent.ts'
import { bag, content, envelope, textOrBag } from './envelope.ts'
import {
  errorExecutionSchema,
  errorRecoveryFailedSchema,
  errorRecoveryStartedSchema,
  errorRecoverySuccessSchema,
  errorRetrySchema,
  errorTimeoutSchema,
  errorValidationSchema,
} from './error.ts'
import {
  planCancelledSchema,
  planCoercionErrorSchema,
  planCompletedSchema,
  planStartSchema,
  planStepCompletedSchema,
  planValidationErrorSchema,
} from './plan.ts'
import { aggregateCompletedSchema, aggregateStartSchema, pipelineCompletedSchema } from './result.ts'
import {
  userAckSchema,
  userReconnectSchema,
  userReconnectWithStateSchema,
  userRequestStateSchema,
} from './resume.ts'
import {
  solverCancelledSchema,
  solverCompletedSchema,
  solverProgressSchema,
  solverRestartedSchema,
  solverRetrySchema,
  solverStartSchema,
  solverStepFailedSchema,
} from './solver.ts'
import {
  agentSessionCreatedSchema,
  agentSessionEndSchema,
  agentStateExportedSchema,
  agentStateRestoredSchema,
} from './state.ts'
import { systemConnectedSchema, systemErrorSchema, systemHeartbeatSchema } from './system.ts'
import { userCancelSchema, userCreateSessionSchema, userMessageSchema, userResponseSchema } from './user.ts'

/** The strict schema of each event. */
export const sessionEventSchemas: { readonly [N in SessionEventName]: Schema<SessionEventOf<N>> } = {
  'user.create_session': userCreateSessionSchema,
  'user.message': userMessageSchema,
  'user.response': userResponseSchema,
  'user.ack': userAckSchema,
  'user.cancel': userCancelSchema,
  'user.reconnect': userReconnectSchema,
  'user.reconnect_with_state': userReconnectWithStateSchema,
  'user.request_state': userRequestStateSchema,
  'plan.start': planStartSchema,
  'plan.completed': planCompletedSchema,
  'plan.step_completed': planStepCompletedSchema,
  'plan.validation_error': planValidationErrorSchema,
  'plan.cancelled': planCancelledSchema,
  'plan.coercion_error': planCoercionErrorSchema,
  'solver.start': solverStartSchema,
  'solver.progress': solverProgressSchema,
  'solver.completed': solverCompletedSchema,
  'solver.step_failed': solverStepFailedSchema,
  'solver.retry': solverRetrySchema,
  'solver.cancelled': solverCancelledSchema,
  'solver.restarted': solverRestartedSchema,
  'agent.thinking': agentThinkingSchema,
  'agent.tool_call': agentToolCallSchema,
  'agent.tool_result': agentToolResultSchema,
  'agent.partial_answer': agentPartialAnswerSchema,
  'agent.final_answer': agentFinalAnswerSchema,
  'agent.user_confirm': agentUserConfirmSchema,
  'agent.session_created': agentSessionCreatedSchema,
  'agent.session_end': agentSessionEndSchema,
  'agent.llm_message': agentLlmMessageSchema,
  'agent.state_exported': agentStateExportedSchema,
  'agent.state_restored': agentStateRestoredSchema,
  'system.connected': systemConnectedSchema,
  'system.heartbeat': systemHeartbeatSchema,
  'system.error': systemErrorSchema,
  'error.validation': errorValidationSchema,
  'error.timeout': errorTimeoutSchema,
  'error.execution': errorExecutionSchema,
  'error.retry': errorRetrySchema,
  'error.recovery_started': errorRecoveryStartedSchema,
  'error.recovery_success': errorRecoverySuccessSchema,
  'error.recovery_failed': errorRecoveryFailedSchema,
  'aggregate.start': aggregateStartSchema,
  'aggregate.completed': aggregateCompletedSchema,
  'pipeline.completed': pipelineCompletedSchema,
}

/** The strict schema of any event. */
export const sessionEventSchema: Schema<SessionEvent> = z.discriminatedUnion(
  'event',
  Object.values(sessionEventSchemas) as unknown as [z.core.$ZodTypeDiscriminable],
) as unknown as Schema<SessionEvent>

/** The schema of the fields of every event, known or not. */
export const sessionEnvelopeSchema: Schema<{ event: string }> = open({
  event: id,
  ...envelope,
  content: content(textOrBag),
  metadata: maybe(bag),
}) as unknown as Schema<{ event: string }>
