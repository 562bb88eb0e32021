// Written by `npm run gen` from the zod schemas. Do not edit.
import { type Fields, isAmount, isCount, isFields, isId, isListOf, isNumberIn, isPlain, isText, isTimestamp } from '../../../validation/predicates.ts'

function userCreateSessionContent(o: Fields): boolean {
  return (o.project_name === undefined || isText(o.project_name)) &&
    (o.session_name === undefined || isText(o.session_name)) &&
    (o.config === undefined || isFields(o.config))
}

function userCreateSessionMetadata(o: Fields): boolean {
  return (o.client_version === undefined || isText(o.client_version)) &&
    (o.client_id === undefined || isText(o.client_id))
}

function userCreateSession(o: Fields): boolean {
  return checkEnvelope(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && userCreateSessionContent(o.content)))) &&
    (o.metadata === undefined || (isPlain(o.metadata) && userCreateSessionMetadata(o.metadata)))
}

function userMessageMetadata(o: Fields): boolean {
  return (o.message_type === undefined || (o.message_type === 'query' || o.message_type === 'instruction' || o.message_type === 'feedback')) &&
    (o.priority === undefined || (o.priority === 'low' || o.priority === 'normal' || o.priority === 'high')) &&
    (o.source === undefined || isText(o.source))
}

function userMessage(o: Fields): boolean {
  return checkInSession(o) &&
    isText(o.content) &&
    (o.metadata === undefined || (isPlain(o.metadata) && userMessageMetadata(o.metadata)))
}

function userResponseContent(o: Fields): boolean {
  return typeof o.approved === 'boolean' &&
    (o.feedback === undefined || isText(o.feedback)) &&
    (o.data === undefined || isFields(o.data)) &&
    (o.selected_id === undefined || isId(o.selected_id)) &&
    (o.value === undefined || isText(o.value)) &&
    (o.confirmed === undefined || typeof o.confirmed === 'boolean') &&
    (o.tasks === undefined || isListOf(o.tasks, (item) => isFields(item)))
}

function userResponseMetadata(o: Fields): boolean {
  return (o.response_time_ms === undefined || isAmount(o.response_time_ms)) &&
    (o.user_action === undefined || (o.user_action === 'approve' || o.user_action === 'reject' || o.user_action === 'modify'))
}

function userResponse(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && userResponseContent(o.content)) &&
    (o.metadata === undefined || (isPlain(o.metadata) && userResponseMetadata(o.metadata)))
}

function userAckContent(o: Fields): boolean {
  return isCount(o.last_seq)
}

function userAckMetadata(o: Fields): boolean {
  return (o.received_count === undefined || isCount(o.received_count)) &&
    (o.buffer_size === undefined || isCount(o.buffer_size))
}

function userAck(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && userAckContent(o.content)))) &&
    (o.metadata === undefined || (isPlain(o.metadata) && userAckMetadata(o.metadata)))
}

function userCancelContent(o: Fields): boolean {
  return (o.reason === undefined || isText(o.reason))
}

function userCancel(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && userCancelContent(o.content)))) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function userReconnectContent(o: Fields): boolean {
  return isId(o.session_id) &&
    (o.last_seq === undefined || isCount(o.last_seq))
}

function userReconnect(o: Fields): boolean {
  return checkEnvelope(o) &&
    (isPlain(o.content) && userReconnectContent(o.content)) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function userReconnectWithStateContent(o: Fields): boolean {
  return isText(o.signed_state) &&
    isCount(o.last_seq) &&
    (o.last_event_id === undefined || isId(o.last_event_id))
}

function userReconnectWithStateMetadata(o: Fields): boolean {
  return isAmount(o.offline_duration_ms) &&
    isText(o.state_version)
}

function userReconnectWithState(o: Fields): boolean {
  return checkEnvelope(o) &&
    (o.signed_state === undefined || isFields(o.signed_state)) &&
    (isPlain(o.content) && userReconnectWithStateContent(o.content)) &&
    (o.metadata === undefined || (isPlain(o.metadata) && userReconnectWithStateMetadata(o.metadata)))
}

function userRequestStateMetadata(o: Fields): boolean {
  return (o.include_history === undefined || typeof o.include_history === 'boolean') &&
    (o.compression === undefined || (o.compression === 'gzip' || o.compression === 'none'))
}

function userRequestState(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || o.content === null) &&
    (o.metadata === undefined || (isPlain(o.metadata) && userRequestStateMetadata(o.metadata)))
}

function planStartContent(o: Fields): boolean {
  return isText(o.question) &&
    (o.context === undefined || isText(o.context))
}

function planStartMetadata(o: Fields): boolean {
  return isId(o.plan_id) &&
    isAmount(o.timeout_seconds) &&
    isText(o.model)
}

function planStart(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && planStartContent(o.content)) &&
    (isPlain(o.metadata) && planStartMetadata(o.metadata))
}

function planCompletedContentTasksItem(o: Fields): boolean {
  return isId(o.id) &&
    isText(o.title) &&
    isText(o.description) &&
    (o.estimated_duration_sec === undefined || isAmount(o.estimated_duration_sec))
}

function planCompletedContent(o: Fields): boolean {
  return isListOf(o.tasks, (item) => (isPlain(item) && planCompletedContentTasksItem(item)))
}

function planCompletedMetadata(o: Fields): boolean {
  return isCount(o.task_count) &&
    isText(o.plan_summary) &&
    isCount(o.total_estimated_tokens) &&
    isCount(o.llm_calls) &&
    isAmount(o.planning_time_ms) &&
    (o.statistics === undefined || isListOf(o.statistics, (item) => isFields(item))) &&
    (o.metrics === undefined || isFields(o.metrics))
}

function planCompleted(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && planCompletedContent(o.content)) &&
    (isPlain(o.metadata) && planCompletedMetadata(o.metadata))
}

function planStepCompletedContent(o: Fields): boolean {
  return isText(o.step_name) &&
    'step_result' in o
}

function planStepCompletedMetadata(o: Fields): boolean {
  return isCount(o.step_index) &&
    isAmount(o.step_duration_ms) &&
    isCount(o.tokens_used)
}

function planStepCompleted(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && planStepCompletedContent(o.content)) &&
    (isPlain(o.metadata) && planStepCompletedMetadata(o.metadata))
}

function planValidationErrorContent(o: Fields): boolean {
  return isText(o.error_message) &&
    (o.field === undefined || isText(o.field)) &&
    (o.constraint === undefined || isText(o.constraint))
}

function planValidationErrorMetadata(o: Fields): boolean {
  return isId(o.error_code) &&
    isListOf(o.validation_errors, (item) => isText(item))
}

function planValidationError(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && planValidationErrorContent(o.content)) &&
    (isPlain(o.metadata) && planValidationErrorMetadata(o.metadata))
}

function planCancelledMetadataPartial_planItem(o: Fields): boolean {
  return isId(o.id) &&
    isText(o.title) &&
    isText(o.description)
}

function planCancelledMetadata(o: Fields): boolean {
  return (o.reason === 'user_request' || o.reason === 'timeout' || o.reason === 'error' || o.reason === 'resource_limit') &&
    (o.partial_plan === undefined || isListOf(o.partial_plan, (item) => (isPlain(item) && planCancelledMetadataPartial_planItem(item)))) &&
    isAmount(o.cancellation_time_ms)
}

function planCancelled(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && planCancelledMetadata(o.metadata))
}

function planCoercionErrorMetadata(o: Fields): boolean {
  return isId(o.error_code) &&
    (o.raw_output === undefined || isText(o.raw_output)) &&
    isText(o.error_type) &&
    (o.recovery_action === 'retry' || o.recovery_action === 'manual_input' || o.recovery_action === 'fallback' || o.recovery_action === 'abort') &&
    (o.attempt === undefined || isCount(o.attempt)) &&
    (o.max_attempts === undefined || isCount(o.max_attempts))
}

function planCoercionError(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && planCoercionErrorMetadata(o.metadata))
}

function solverStartMetadata(o: Fields): boolean {
  return isCount(o.task_count) &&
    isCount(o.total_tasks) &&
    isAmount(o.estimated_duration_sec)
}

function solverStart(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || o.content === null) &&
    (isPlain(o.metadata) && solverStartMetadata(o.metadata))
}

function solverProgressContent(o: Fields): boolean {
  return isText(o.current_task) &&
    isText(o.status)
}

function solverProgressMetadata(o: Fields): boolean {
  return isNumberIn(o.progress_percent, 0, 100) &&
    isCount(o.current_step) &&
    isCount(o.completed_steps) &&
    isCount(o.total_steps) &&
    isAmount(o.elapsed_time_ms) &&
    (o.estimated_remaining_ms === undefined || isAmount(o.estimated_remaining_ms))
}

function solverProgress(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && solverProgressContent(o.content)))) &&
    (isPlain(o.metadata) && solverProgressMetadata(o.metadata))
}

function solverCompletedContentTask_resultsItem(o: Fields): boolean {
  return isId(o.task_id) &&
    'result' in o &&
    (o.status === 'success' || o.status === 'failed' || o.status === 'partial')
}

function solverCompletedContent(o: Fields): boolean {
  return isListOf(o.task_results, (item) => (isPlain(item) && solverCompletedContentTask_resultsItem(item)))
}

function solverCompletedMetadata(o: Fields): boolean {
  return isCount(o.total_tasks) &&
    isCount(o.successful_tasks) &&
    isCount(o.failed_tasks) &&
    isAmount(o.total_execution_time_ms) &&
    isCount(o.total_tokens_used) &&
    (o.statistics === undefined || isListOf(o.statistics, (item) => isFields(item)))
}

function solverCompleted(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && solverCompletedContent(o.content)) &&
    (isPlain(o.metadata) && solverCompletedMetadata(o.metadata))
}

function solverStepFailedContent(o: Fields): boolean {
  return isText(o.error_message) &&
    isText(o.step_name)
}

function solverStepFailedMetadata(o: Fields): boolean {
  return isCount(o.step_index) &&
    isId(o.error_code) &&
    isText(o.error_type) &&
    typeof o.recovery_possible === 'boolean'
}

function solverStepFailed(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && solverStepFailedContent(o.content)) &&
    (isPlain(o.metadata) && solverStepFailedMetadata(o.metadata))
}

function solverRetryContent(o: Fields): boolean {
  return isText(o.step_name)
}

function solverRetryMetadata(o: Fields): boolean {
  return isCount(o.attempt) &&
    isCount(o.max_attempts) &&
    isAmount(o.backoff_ms)
}

function solverRetry(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && solverRetryContent(o.content)))) &&
    (isPlain(o.metadata) && solverRetryMetadata(o.metadata))
}

function solverCancelledMetadata(o: Fields): boolean {
  return isId(o.task_id) &&
    (o.reason === 'user_request' || o.reason === 'dependency_failed' || o.reason === 'timeout' || o.reason === 'resource_limit') &&
    isAmount(o.execution_time_ms) &&
    (o.partial_result === undefined || isFields(o.partial_result))
}

function solverCancelled(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && solverCancelledMetadata(o.metadata))
}

function solverRestartedMetadata(o: Fields): boolean {
  return isId(o.task_id) &&
    (o.previous_error === undefined || isText(o.previous_error)) &&
    isCount(o.attempt) &&
    isCount(o.max_attempts) &&
    (o.reason === 'retry_after_error' || o.reason === 'user_request' || o.reason === 'escalation') &&
    isAmount(o.backoff_ms)
}

function solverRestarted(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && solverRestartedMetadata(o.metadata))
}

function agentThinkingMetadata(o: Fields): boolean {
  return isText(o.model) &&
    isCount(o.max_tokens) &&
    isAmount(o.temperature) &&
    (o.thinking_type === 'analysis' || o.thinking_type === 'planning' || o.thinking_type === 'reasoning')
}

function agentThinking(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && agentThinkingMetadata(o.metadata))
}

function agentToolCallContent(o: Fields): boolean {
  return isId(o.tool_name) &&
    isText(o.tool_description) &&
    isFields(o.arguments)
}

function agentToolCallMetadata(o: Fields): boolean {
  return isId(o.call_id) &&
    isText(o.tool_type) &&
    (o.estimated_duration_ms === undefined || isAmount(o.estimated_duration_ms))
}

function agentToolCall(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && agentToolCallContent(o.content)) &&
    (isPlain(o.metadata) && agentToolCallMetadata(o.metadata))
}

function agentToolResultContent(o: Fields): boolean {
  return 'result' in o &&
    (o.status === 'success' || o.status === 'failed')
}

function agentToolResultMetadata(o: Fields): boolean {
  return isId(o.call_id) &&
    isAmount(o.execution_time_ms) &&
    (o.tokens_used === undefined || isCount(o.tokens_used))
}

function agentToolResult(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && agentToolResultContent(o.content)) &&
    (isPlain(o.metadata) && agentToolResultMetadata(o.metadata))
}

function agentPartialAnswerMetadata(o: Fields): boolean {
  return isCount(o.chunk_index) &&
    (o.completion_percent === undefined || isAmount(o.completion_percent))
}

function agentPartialAnswer(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && agentPartialAnswerMetadata(o.metadata))
}

function agentFinalAnswerContent(o: Fields): boolean {
  return isText(o.answer) &&
    (o.answer_type === 'text' || o.answer_type === 'json' || o.answer_type === 'code' || o.answer_type === 'structured')
}

function agentFinalAnswerMetadata(o: Fields): boolean {
  return isAmount(o.generation_time_ms) &&
    isCount(o.total_tokens_used) &&
    isText(o.model)
}

function agentFinalAnswer(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && agentFinalAnswerContent(o.content)) &&
    (isPlain(o.metadata) && agentFinalAnswerMetadata(o.metadata))
}

function agentUserConfirmContentOptionsItem(o: Fields): boolean {
  return isId(o.id) &&
    isText(o.label) &&
    (o.description === undefined || isText(o.description))
}

function agentUserConfirmContent(o: Fields): boolean {
  return isText(o.message) &&
    (o.confirmation_type === 'approve' || o.confirmation_type === 'select' || o.confirmation_type === 'input') &&
    (o.options === undefined || isListOf(o.options, (item) => (isPlain(item) && agentUserConfirmContentOptionsItem(item))))
}

function agentUserConfirmMetadata(o: Fields): boolean {
  return (o.timeout_seconds === undefined || isAmount(o.timeout_seconds)) &&
    typeof o.critical === 'boolean'
}

function agentUserConfirm(o: Fields): boolean {
  return checkInStep(o) &&
    (isPlain(o.content) && agentUserConfirmContent(o.content)) &&
    (isPlain(o.metadata) && agentUserConfirmMetadata(o.metadata))
}

function agentSessionCreatedContent(o: Fields): boolean {
  return (o.session_name === undefined || isText(o.session_name)) &&
    (o.project_name === undefined || isText(o.project_name)) &&
    (o.config === undefined || isFields(o.config))
}

function agentSessionCreatedMetadataResume(o: Fields): boolean {
  return isId(o.epoch) &&
    isCount(o.seq)
}

function agentSessionCreatedMetadata(o: Fields): boolean {
  return (o.created_at === undefined || isTimestamp(o.created_at)) &&
    (o.server_version === undefined || isText(o.server_version)) &&
    (o.resume === undefined || (isPlain(o.resume) && agentSessionCreatedMetadataResume(o.resume)))
}

function agentSessionCreated(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && agentSessionCreatedContent(o.content)))) &&
    (o.metadata === undefined || (isPlain(o.metadata) && agentSessionCreatedMetadata(o.metadata)))
}

function agentSessionEndMetadata(o: Fields): boolean {
  return (o.reason === 'user_request' || o.reason === 'timeout' || o.reason === 'error' || o.reason === 'completion') &&
    isAmount(o.total_duration_ms) &&
    (o.total_messages === undefined || isCount(o.total_messages)) &&
    (o.completion_status === undefined || (o.completion_status === 'success' || o.completion_status === 'partial' || o.completion_status === 'failed'))
}

function agentSessionEnd(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && agentSessionEndMetadata(o.metadata))
}

function agentLlmMessageMetadata(o: Fields): boolean {
  return isText(o.model) &&
    (o.message_id === undefined || isText(o.message_id)) &&
    (o.role === undefined || (o.role === 'user' || o.role === 'assistant' || o.role === 'system')) &&
    (o.index === undefined || isCount(o.index)) &&
    (o.tokens === undefined || isCount(o.tokens))
}

function agentLlmMessage(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && agentLlmMessageMetadata(o.metadata))
}

function agentStateExportedContent(o: Fields): boolean {
  return isFields(o.exported_state) &&
    (o.signed_state === undefined || isText(o.signed_state))
}

function agentStateExportedMetadata(o: Fields): boolean {
  return isTimestamp(o.exported_at) &&
    isTimestamp(o.valid_until) &&
    (o.state_size_bytes === undefined || isCount(o.state_size_bytes)) &&
    (o.checksum === undefined || isText(o.checksum)) &&
    (o.state_version === undefined || isText(o.state_version)) &&
    (o.last_seq === undefined || isCount(o.last_seq))
}

function agentStateExported(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && agentStateExportedContent(o.content)))) &&
    (isPlain(o.metadata) && agentStateExportedMetadata(o.metadata))
}

function agentStateRestoredMetadata(o: Fields): boolean {
  return isTimestamp(o.restored_at) &&
    isAmount(o.restoration_time_ms) &&
    isText(o.previous_stage) &&
    (o.recovered_tasks === undefined || isCount(o.recovered_tasks)) &&
    (o.state_integrity === 'verified' || o.state_integrity === 'partial' || o.state_integrity === 'failed')
}

function agentStateRestored(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && agentStateRestoredMetadata(o.metadata))
}

function systemConnectedContent(o: Fields): boolean {
  return isText(o.server_version) &&
    isTimestamp(o.server_time)
}

function systemConnectedMetadata(o: Fields): boolean {
  return isAmount(o.server_uptime_seconds) &&
    isCount(o.active_sessions)
}

function systemConnected(o: Fields): boolean {
  return (o.session_id === undefined || isId(o.session_id)) &&
    isId(o.connection_id) &&
    (o.step_id === undefined || isId(o.step_id)) &&
    (o.timestamp === undefined || isTimestamp(o.timestamp)) &&
    (o.seq === undefined || isCount(o.seq)) &&
    (o.epoch === undefined || isId(o.epoch)) &&
    (o.event_id === undefined || isId(o.event_id)) &&
    (o.show_content === undefined || isText(o.show_content)) &&
    (isPlain(o.content) && systemConnectedContent(o.content)) &&
    (isPlain(o.metadata) && systemConnectedMetadata(o.metadata))
}

function systemHeartbeatContent(o: Fields): boolean {
  return isTimestamp(o.server_time)
}

function systemHeartbeatMetadata(o: Fields): boolean {
  return isCount(o.seq) &&
    isAmount(o.server_uptime_seconds)
}

function systemHeartbeat(o: Fields): boolean {
  return checkEnvelope(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && systemHeartbeatContent(o.content)))) &&
    (isPlain(o.metadata) && systemHeartbeatMetadata(o.metadata))
}

function systemErrorMetadata(o: Fields): boolean {
  return isId(o.error_code) &&
    (o.severity === 'info' || o.severity === 'warning' || o.severity === 'error')
}

function systemError(o: Fields): boolean {
  return checkEnvelope(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && systemErrorMetadata(o.metadata))
}

function errorValidationMetadata(o: Fields): boolean {
  return o.error_code === 'ERR_VALIDATION_400' &&
    (o.field === undefined || isText(o.field)) &&
    (o.constraint === undefined || isText(o.constraint)) &&
    typeof o.recoverable === 'boolean'
}

function errorValidation(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && errorValidationMetadata(o.metadata))
}

function errorTimeoutMetadata(o: Fields): boolean {
  return o.error_code === 'ERR_TIMEOUT_500' &&
    isAmount(o.timeout_seconds) &&
    isAmount(o.elapsed_seconds) &&
    isText(o.stage) &&
    isCount(o.attempt) &&
    isCount(o.max_attempts) &&
    isAmount(o.retry_after_ms) &&
    isText(o.recovery_strategy)
}

function errorTimeout(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && errorTimeoutMetadata(o.metadata))
}

function errorExecutionMetadata(o: Fields): boolean {
  return o.error_code === 'ERR_EXECUTION_600' &&
    isText(o.error_type) &&
    isFields(o.context) &&
    typeof o.recoverable === 'boolean'
}

function errorExecution(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && errorExecutionMetadata(o.metadata))
}

function errorRetryMetadata(o: Fields): boolean {
  return isCount(o.attempt) &&
    isCount(o.max_attempts) &&
    isAmount(o.delay_ms) &&
    isText(o.error)
}

function errorRetry(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && errorRetryMetadata(o.metadata))
}

function errorRecoveryStartedMetadata(o: Fields): boolean {
  return isText(o.recovery_action) &&
    (o.estimated_duration_ms === undefined || isAmount(o.estimated_duration_ms))
}

function errorRecoveryStarted(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && errorRecoveryStartedMetadata(o.metadata))
}

function errorRecoverySuccessMetadata(o: Fields): boolean {
  return isAmount(o.recovery_time_ms) &&
    isCount(o.attempts)
}

function errorRecoverySuccess(o: Fields): boolean {
  return checkInStep(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (isPlain(o.metadata) && errorRecoverySuccessMetadata(o.metadata))
}

function errorRecoveryFailedMetadata(o: Fields): boolean {
  return isId(o.error_code) &&
    isCount(o.attempts) &&
    isText(o.original_error) &&
    isText(o.recovery_error)
}

function errorRecoveryFailed(o: Fields): boolean {
  return checkInStep(o) &&
    isText(o.content) &&
    (isPlain(o.metadata) && errorRecoveryFailedMetadata(o.metadata))
}

function aggregateStartMetadata(o: Fields): boolean {
  return isCount(o.task_count) &&
    isCount(o.completed_tasks) &&
    isCount(o.failed_tasks)
}

function aggregateStart(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || o.content === null) &&
    (isPlain(o.metadata) && aggregateStartMetadata(o.metadata))
}

function aggregateCompletedContent(o: Fields): boolean {
  return 'final_result' in o
}

function aggregateCompletedMetadata(o: Fields): boolean {
  return isAmount(o.aggregation_time_ms) &&
    isCount(o.result_size_bytes)
}

function aggregateCompleted(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && aggregateCompletedContent(o.content)))) &&
    (isPlain(o.metadata) && aggregateCompletedMetadata(o.metadata))
}

function pipelineCompletedMetadata(o: Fields): boolean {
  return isAmount(o.total_time_ms) &&
    isAmount(o.plan_time_ms) &&
    isAmount(o.solve_time_ms) &&
    isAmount(o.aggregate_time_ms) &&
    (o.status === 'success' || o.status === 'partial_success' || o.status === 'failed') &&
    isText(o.result_summary) &&
    (o.statistics === undefined || isListOf(o.statistics, (item) => isFields(item))) &&
    (o.metrics === undefined || isFields(o.metrics))
}

function pipelineCompleted(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || o.content === null) &&
    (isPlain(o.metadata) && pipelineCompletedMetadata(o.metadata))
}

function userSolveTasksContent(o: Fields): boolean {
  return isListOf(o.tasks, (item) => isFields(item)) &&
    (o.question === undefined || isText(o.question)) &&
    (o.plan_summary === undefined || isText(o.plan_summary))
}

function userSolveTasks(o: Fields): boolean {
  return checkInSession(o) &&
    (isPlain(o.content) && userSolveTasksContent(o.content)) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function userCancelTaskContent(o: Fields): boolean {
  return (isText(o.task_id) || isAmount(o.task_id))
}

function userCancelTask(o: Fields): boolean {
  return checkInSession(o) &&
    (isPlain(o.content) && userCancelTaskContent(o.content)) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function userCancelPlan(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || o.content === null) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function userReplanContent(o: Fields): boolean {
  return (o.question === undefined || isText(o.question))
}

function userReplan(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || (isPlain(o.content) && userReplanContent(o.content)))) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function agentError(o: Fields): boolean {
  return checkInSession(o) &&
    isText(o.content) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function agentTimeout(o: Fields): boolean {
  return checkInSession(o) &&
    (o.content === undefined || (o.content === null || isText(o.content))) &&
    (o.metadata === undefined || isFields(o.metadata))
}

function systemNoticeMetadata(o: Fields): boolean {
  return (o.action === undefined || isText(o.action)) &&
    (o.ok === undefined || typeof o.ok === 'boolean') &&
    (o.attempt === undefined || isCount(o.attempt)) &&
    (o.total_attempts === undefined || isCount(o.total_attempts)) &&
    (o.retry_delay_seconds === undefined || isAmount(o.retry_delay_seconds)) &&
    (o.error === undefined || isText(o.error))
}

function systemNotice(o: Fields): boolean {
  return checkEnvelope(o) &&
    isText(o.content) &&
    (o.metadata === undefined || (isPlain(o.metadata) && systemNoticeMetadata(o.metadata)))
}

export function checkInStep(o: Fields): boolean {
  return isId(o.session_id) &&
    (o.connection_id === undefined || isId(o.connection_id)) &&
    isId(o.step_id) &&
    (o.timestamp === undefined || isTimestamp(o.timestamp)) &&
    (o.seq === undefined || isCount(o.seq)) &&
    (o.epoch === undefined || isId(o.epoch)) &&
    (o.event_id === undefined || isId(o.event_id)) &&
    (o.show_content === undefined || isText(o.show_content))
}

export function checkInSession(o: Fields): boolean {
  return isId(o.session_id) &&
    (o.connection_id === undefined || isId(o.connection_id)) &&
    (o.step_id === undefined || isId(o.step_id)) &&
    (o.timestamp === undefined || isTimestamp(o.timestamp)) &&
    (o.seq === undefined || isCount(o.seq)) &&
    (o.epoch === undefined || isId(o.epoch)) &&
    (o.event_id === undefined || isId(o.event_id)) &&
    (o.show_content === undefined || isText(o.show_content))
}

export function checkEnvelope(o: Fields): boolean {
  return (o.session_id === undefined || isId(o.session_id)) &&
    (o.connection_id === undefined || isId(o.connection_id)) &&
    (o.step_id === undefined || isId(o.step_id)) &&
    (o.timestamp === undefined || isTimestamp(o.timestamp)) &&
    (o.seq === undefined || isCount(o.seq)) &&
    (o.epoch === undefined || isId(o.epoch)) &&
    (o.event_id === undefined || isId(o.event_id)) &&
    (o.show_content === undefined || isText(o.show_content))
}

/** Whether an event is valid for its tag; `undefined` for an unknown tag. */
export function checkByName(tag: string, o: Fields): boolean | undefined {
  // Parsed JSON strings are not interned: comparing lengths first is faster.
  switch (tag.length) {
    case 8:
      if (tag === 'user.ack') return userAck(o)
      return undefined
    case 10:
      if (tag === 'plan.start') return planStart(o)
      return undefined
    case 11:
      if (tag === 'user.cancel') return userCancel(o)
      if (tag === 'error.retry') return errorRetry(o)
      if (tag === 'user.replan') return userReplan(o)
      if (tag === 'agent.error') return agentError(o)
      return undefined
    case 12:
      if (tag === 'user.message') return userMessage(o)
      if (tag === 'solver.start') return solverStart(o)
      if (tag === 'solver.retry') return solverRetry(o)
      if (tag === 'system.error') return systemError(o)
      return undefined
    case 13:
      if (tag === 'user.response') return userResponse(o)
      if (tag === 'error.timeout') return errorTimeout(o)
      if (tag === 'agent.timeout') return agentTimeout(o)
      if (tag === 'system.notice') return systemNotice(o)
      return undefined
    case 14:
      if (tag === 'user.reconnect') return userReconnect(o)
      if (tag === 'plan.completed') return planCompleted(o)
      if (tag === 'plan.cancelled') return planCancelled(o)
      if (tag === 'agent.thinking') return agentThinking(o)
      return undefined
    case 15:
      if (tag === 'solver.progress') return solverProgress(o)
      if (tag === 'agent.tool_call') return agentToolCall(o)
      if (tag === 'error.execution') return errorExecution(o)
      if (tag === 'aggregate.start') return aggregateStart(o)
      return undefined
    case 16:
      if (tag === 'solver.completed') return solverCompleted(o)
      if (tag === 'solver.cancelled') return solverCancelled(o)
      if (tag === 'solver.restarted') return solverRestarted(o)
      if (tag === 'system.connected') return systemConnected(o)
      if (tag === 'system.heartbeat') return systemHeartbeat(o)
      if (tag === 'error.validation') return errorValidation(o)
      if (tag === 'user.solve_tasks') return userSolveTasks(o)
      if (tag === 'user.cancel_task') return userCancelTask(o)
      if (tag === 'user.cancel_plan') return userCancelPlan(o)
      return undefined
    case 17:
      if (tag === 'agent.tool_result') return agentToolResult(o)
      if (tag === 'agent.session_end') return agentSessionEnd(o)
      if (tag === 'agent.llm_message') return agentLlmMessage(o)
      if (tag === 'user.restart_task') return userCancelTask(o)
      if (tag === 'agent.interrupted') return agentTimeout(o)
      return undefined
    case 18:
      if (tag === 'user.request_state') return userRequestState(o)
      if (tag === 'solver.step_failed') return solverStepFailed(o)
      if (tag === 'agent.final_answer') return agentFinalAnswer(o)
      if (tag === 'agent.user_confirm') return agentUserConfirm(o)
      if (tag === 'pipeline.completed') return pipelineCompleted(o)
      return undefined
    case 19:
      if (tag === 'user.create_session') return userCreateSession(o)
      if (tag === 'plan.step_completed') return planStepCompleted(o)
      if (tag === 'plan.coercion_error') return planCoercionError(o)
      if (tag === 'aggregate.completed') return aggregateCompleted(o)
      return undefined
    case 20:
      if (tag === 'agent.partial_answer') return agentPartialAnswer(o)
      if (tag === 'agent.state_exported') return agentStateExported(o)
      if (tag === 'agent.state_restored') return agentStateRestored(o)
      return undefined
    case 21:
      if (tag === 'plan.validation_error') return planValidationError(o)
      if (tag === 'agent.session_created') return agentSessionCreated(o)
      if (tag === 'error.recovery_failed') return errorRecoveryFailed(o)
      return undefined
    case 22:
      if (tag === 'error.recovery_started') return errorRecoveryStarted(o)
      if (tag === 'error.recovery_success') return errorRecoverySuccess(o)
      return undefined
    case 25:
      if (tag === 'user.reconnect_with_state') return userReconnectWithState(o)
      return undefined
    default:
      return undefined
  }
}
