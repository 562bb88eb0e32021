// Written by `npm run generate` from the zod schemas. Do not edit.
import { type Fields, isFields, isTimestamp, isWhole } from '../checks.ts'

function taskCreatedInContextMetadata(o: Fields): boolean {
  return (o.agentId === undefined || (typeof o.agentId === 'string' && o.agentId !== '')) &&
    (o.model === undefined || typeof o.model === 'string')
}

function taskCreatedInContext(o: Fields): boolean {
  return (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.initiator === 'user' || o.initiator === 'agent') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && taskCreatedInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function taskStatusInContextError(o: Fields): boolean {
  return (typeof o.code === 'string' && o.code !== '') &&
    typeof o.message === 'string' &&
    (o.retry === 'retrying' || o.retry === 'retryable' || o.retry === 'exhausted' || o.retry === 'terminal') &&
    (o.retryAfterMs === undefined || isWhole(o.retryAfterMs, 0)) &&
    (o.attempt === undefined || isWhole(o.attempt, 1)) &&
    (o.maxAttempts === undefined || isWhole(o.maxAttempts, 1)) &&
    (o.scope === undefined || (o.scope === 'tool' || o.scope === 'task' || o.scope === 'stream')) &&
    (o.toolCallId === undefined || (typeof o.toolCallId === 'string' && o.toolCallId !== ''))
}

function taskStatusInContextMetadata(o: Fields): boolean {
  return (o.reason === undefined || typeof o.reason === 'string') &&
    (o.blockedBy === undefined || typeof o.blockedBy === 'string')
}

function taskStatusInContext(o: Fields): boolean {
  return (o.status === 'submitted' || o.status === 'working' || o.status === 'waiting-input' || o.status === 'waiting-auth' || o.status === 'waiting-subtask' || o.status === 'completed' || o.status === 'failed' || o.status === 'canceled') &&
    (o.message === undefined || typeof o.message === 'string') &&
    (o.error === undefined || (isFields(o.error) && taskStatusInContextError(o.error))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && taskStatusInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function taskCompleteInContextMetadata(o: Fields): boolean {
  return (o.duration === undefined || (typeof o.duration === 'number' && o.duration >= 0 && o.duration !== Infinity)) &&
    (o.iterations === undefined || isWhole(o.iterations, 0)) &&
    (o.tokensUsed === undefined || isWhole(o.tokensUsed, 0)) &&
    (o.finishReason === undefined || typeof o.finishReason === 'string')
}

function taskCompleteInContext(o: Fields): boolean {
  return (o.content === undefined || typeof o.content === 'string') &&
    (o.artifacts === undefined || (Array.isArray(o.artifacts) && o.artifacts.every((item: unknown) => (typeof item === 'string' && item !== '')))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && taskCompleteInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function contentDeltaInContext(o: Fields): boolean {
  return typeof o.delta === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function contentCompleteInContext(o: Fields): boolean {
  return typeof o.content === 'string' &&
    (o.finishReason === undefined || typeof o.finishReason === 'string') &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function toolStartInContextMetadata(o: Fields): boolean {
  return (o.provider === undefined || typeof o.provider === 'string') &&
    (o.concurrent === undefined || typeof o.concurrent === 'boolean')
}

function toolStartInContext(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    isFields(o.arguments) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && toolStartInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function toolArgumentsDeltaInContext(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    typeof o.delta === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function toolProgressInContextMetadata(o: Fields): boolean {
  return (o.step === undefined || typeof o.step === 'string') &&
    (o.stepsCompleted === undefined || isWhole(o.stepsCompleted, 0)) &&
    (o.stepsTotal === undefined || isWhole(o.stepsTotal, 0)) &&
    (o.stream === undefined || typeof o.stream === 'string') &&
    (o.chunk === undefined || typeof o.chunk === 'string')
}

function toolProgressInContext(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.progress === 'number' && o.progress >= 0 && o.progress <= 1) &&
    (o.message === undefined || typeof o.message === 'string') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && toolProgressInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function toolCompleteInContextMetadata(o: Fields): boolean {
  return (o.duration === undefined || (typeof o.duration === 'number' && o.duration >= 0 && o.duration !== Infinity)) &&
    (o.cached === undefined || typeof o.cached === 'boolean') &&
    (o.retries === undefined || isWhole(o.retries, 0))
}

function toolCompleteInContext(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || typeof o.error === 'string') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && toolCompleteInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function inputRequiredInContextMetadataToolCallFunction(o: Fields): boolean {
  return (typeof o.name === 'string' && o.name !== '') &&
    typeof o.arguments === 'string'
}

function inputRequiredInContextMetadataToolCall(o: Fields): boolean {
  return (typeof o.id === 'string' && o.id !== '') &&
    (o.type === undefined || typeof o.type === 'string') &&
    (isFields(o.function) && inputRequiredInContextMetadataToolCallFunction(o.function))
}

function inputRequiredInContextMetadata(o: Fields): boolean {
  return (o.toolCall === undefined || (isFields(o.toolCall) && inputRequiredInContextMetadataToolCall(o.toolCall))) &&
    (o.urgency === undefined || (o.urgency === 'low' || o.urgency === 'medium' || o.urgency === 'high')) &&
    (o.timeout === undefined || (typeof o.timeout === 'number' && o.timeout >= 0 && o.timeout !== Infinity))
}

function inputRequiredInContext(o: Fields): boolean {
  return (typeof o.inputId === 'string' && o.inputId !== '') &&
    (o.requireUser === undefined || typeof o.requireUser === 'boolean') &&
    (o.inputType === 'tool-execution' || o.inputType === 'confirmation' || o.inputType === 'clarification' || o.inputType === 'selection' || o.inputType === 'custom') &&
    typeof o.prompt === 'string' &&
    (o.schema === undefined || isFields(o.schema)) &&
    (o.options === undefined || Array.isArray(o.options)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && inputRequiredInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function inputReceivedInContextMetadata(o: Fields): boolean {
  return (o.duration === undefined || (typeof o.duration === 'number' && o.duration >= 0 && o.duration !== Infinity))
}

function inputReceivedInContext(o: Fields): boolean {
  return (typeof o.inputId === 'string' && o.inputId !== '') &&
    (o.providedBy === 'user' || o.providedBy === 'agent') &&
    (o.userId === undefined || (typeof o.userId === 'string' && o.userId !== '')) &&
    (o.agentId === undefined || (typeof o.agentId === 'string' && o.agentId !== '')) &&
    (o.outcome === undefined || (o.outcome === 'answered' || o.outcome === 'declined')) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && inputReceivedInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function inputCanceledInContext(o: Fields): boolean {
  return (typeof o.inputId === 'string' && o.inputId !== '') &&
    (o.reason === 'expired' || o.reason === 'withdrawn' || o.reason === 'task-ended') &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function authRequiredInContextMetadata(o: Fields): boolean {
  return (o.expiresIn === undefined || (typeof o.expiresIn === 'number' && o.expiresIn >= 0 && o.expiresIn !== Infinity))
}

function authRequiredInContext(o: Fields): boolean {
  return (typeof o.authId === 'string' && o.authId !== '') &&
    (o.authType === 'oauth2' || o.authType === 'api-key' || o.authType === 'password' || o.authType === 'biometric' || o.authType === 'custom') &&
    (o.provider === undefined || typeof o.provider === 'string') &&
    (o.scopes === undefined || (Array.isArray(o.scopes) && o.scopes.every((item: unknown) => typeof item === 'string'))) &&
    typeof o.prompt === 'string' &&
    (o.authUrl === undefined || typeof o.authUrl === 'string') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && authRequiredInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function authCompletedInContextMetadata(o: Fields): boolean {
  return (o.expiresAt === undefined || isTimestamp(o.expiresAt))
}

function authCompletedInContext(o: Fields): boolean {
  return (typeof o.authId === 'string' && o.authId !== '') &&
    (typeof o.userId === 'string' && o.userId !== '') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && authCompletedInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function authFailedInContext(o: Fields): boolean {
  return (typeof o.authId === 'string' && o.authId !== '') &&
    (o.reason === 'denied' || o.reason === 'expired' || o.reason === 'failed') &&
    (o.message === undefined || typeof o.message === 'string') &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function fileWriteInContextMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || (typeof o.toolCallId === 'string' && o.toolCallId !== '')) &&
    (o.totalSize === undefined || isWhole(o.totalSize, 0))
}

function fileWriteInContext(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    typeof o.data === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    typeof o.complete === 'boolean' &&
    (o.name === undefined || typeof o.name === 'string') &&
    (o.description === undefined || typeof o.description === 'string') &&
    (o.mimeType === undefined || typeof o.mimeType === 'string') &&
    (o.encoding === undefined || (o.encoding === 'utf-8' || o.encoding === 'base64')) &&
    (o.version === undefined || isWhole(o.version, 0)) &&
    (o.digest === undefined || (typeof o.digest === 'string' && /^sha-256:[0-9a-f]{64}$/.test(o.digest))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && fileWriteInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function dataWriteInContextMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || (typeof o.toolCallId === 'string' && o.toolCallId !== '')) &&
    (o.version === undefined || isWhole(o.version, 0))
}

function dataWriteInContext(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    isFields(o.data) &&
    (o.name === undefined || typeof o.name === 'string') &&
    (o.description === undefined || typeof o.description === 'string') &&
    (o.version === undefined || isWhole(o.version, 0)) &&
    (o.expectedVersion === undefined || isWhole(o.expectedVersion, 0)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && dataWriteInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function datasetWriteInContextMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || (typeof o.toolCallId === 'string' && o.toolCallId !== '')) &&
    (o.totalRows === undefined || isWhole(o.totalRows, 0)) &&
    (o.batchSize === undefined || isWhole(o.batchSize, 0))
}

function datasetWriteInContext(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    (Array.isArray(o.rows) && o.rows.every((item: unknown) => isFields(item))) &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    typeof o.complete === 'boolean' &&
    (o.name === undefined || typeof o.name === 'string') &&
    (o.description === undefined || typeof o.description === 'string') &&
    (o.schema === undefined || isFields(o.schema)) &&
    (o.version === undefined || isWhole(o.version, 0)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && datasetWriteInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function artifactDeltaInContextChange1PatchItem(o: Fields): boolean {
  return (o.op === 'add' || o.op === 'remove' || o.op === 'replace' || o.op === 'move' || o.op === 'copy' || o.op === 'test') &&
    typeof o.path === 'string' &&
    (o.from === undefined || typeof o.from === 'string')
}

function artifactDeltaInContextChange1(o: Fields): boolean {
  return o.type === 'json-patch' &&
    (Array.isArray(o.patch) && o.patch.every((item: unknown) => (isFields(item) && artifactDeltaInContextChange1PatchItem(item))))
}

function artifactDeltaInContextChange2(o: Fields): boolean {
  return o.type === 'merge-patch' &&
    isFields(o.patch)
}

function artifactDeltaInContextChange3(o: Fields): boolean {
  return o.type === 'text-append' &&
    typeof o.text === 'string'
}

function artifactDeltaInContextChange4(o: Fields): boolean {
  return o.type === 'rows-append' &&
    (Array.isArray(o.rows) && o.rows.every((item: unknown) => isFields(item)))
}

function artifactDeltaInContext(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    isWhole(o.baseVersion, 0) &&
    isWhole(o.version, 0) &&
    ((isFields(o.change) && artifactDeltaInContextChange1(o.change)) || (isFields(o.change) && artifactDeltaInContextChange2(o.change)) || (isFields(o.change) && artifactDeltaInContextChange3(o.change)) || (isFields(o.change) && artifactDeltaInContextChange4(o.change))) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function subtaskCreatedInContext(o: Fields): boolean {
  return (typeof o.subtaskId === 'string' && o.subtaskId !== '') &&
    (o.agentId === undefined || (typeof o.agentId === 'string' && o.agentId !== '')) &&
    typeof o.prompt === 'string' &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function thoughtDeltaInContext(o: Fields): boolean {
  return (typeof o.thoughtId === 'string' && o.thoughtId !== '') &&
    typeof o.delta === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function thoughtStreamInContextMetadata(o: Fields): boolean {
  return (o.confidence === undefined || (typeof o.confidence === 'number' && o.confidence >= 0 && o.confidence <= 1)) &&
    (o.alternatives === undefined || (Array.isArray(o.alternatives) && o.alternatives.every((item: unknown) => typeof item === 'string'))) &&
    (o.relatedTo === undefined || (typeof o.relatedTo === 'string' && o.relatedTo !== '')) &&
    (o.groupId === undefined || (typeof o.groupId === 'string' && o.groupId !== '')) &&
    (o.complete === undefined || typeof o.complete === 'boolean')
}

function thoughtStreamInContext(o: Fields): boolean {
  return (typeof o.thoughtId === 'string' && o.thoughtId !== '') &&
    (o.thoughtType === 'planning' || o.thoughtType === 'reasoning' || o.thoughtType === 'reflection' || o.thoughtType === 'decision' || o.thoughtType === 'observation' || o.thoughtType === 'strategy') &&
    (o.verbosity === 'brief' || o.verbosity === 'normal' || o.verbosity === 'detailed') &&
    typeof o.content === 'string' &&
    isWhole(o.index, 0) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && thoughtStreamInContextMetadata(o.metadata))) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function taskErrorInContext(o: Fields): boolean {
  return (isFields(o.error) && taskStatusInContextError(o.error)) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function internalThoughtProcessInContext(o: Fields): boolean {
  return isWhole(o.iteration, 0) &&
    (o.stage === 'pre-llm' || o.stage === 'post-llm' || o.stage === 'pre-tool' || o.stage === 'post-tool') &&
    typeof o.reasoning === 'string' &&
    isFields(o.state) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function internalLlmCallInContext(o: Fields): boolean {
  return isWhole(o.iteration, 0) &&
    typeof o.model === 'string' &&
    isWhole(o.messageCount, 0) &&
    isWhole(o.toolCount, 0) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function internalCheckpointInContext(o: Fields): boolean {
  return isWhole(o.iteration, 0) &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function internalToolStartInContext(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function internalToolCompleteInContext(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || typeof o.error === 'string') &&
    isTimestamp(o.timestamp) &&
    (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

function taskCreated(o: Fields): boolean {
  return (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.initiator === 'user' || o.initiator === 'agent') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && taskCreatedInContextMetadata(o.metadata)))
}

function taskStatus(o: Fields): boolean {
  return (o.status === 'submitted' || o.status === 'working' || o.status === 'waiting-input' || o.status === 'waiting-auth' || o.status === 'waiting-subtask' || o.status === 'completed' || o.status === 'failed' || o.status === 'canceled') &&
    (o.message === undefined || typeof o.message === 'string') &&
    (o.error === undefined || (isFields(o.error) && taskStatusInContextError(o.error))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && taskStatusInContextMetadata(o.metadata)))
}

function taskComplete(o: Fields): boolean {
  return (o.content === undefined || typeof o.content === 'string') &&
    (o.artifacts === undefined || (Array.isArray(o.artifacts) && o.artifacts.every((item: unknown) => (typeof item === 'string' && item !== '')))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && taskCompleteInContextMetadata(o.metadata)))
}

function contentDelta(o: Fields): boolean {
  return typeof o.delta === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    isTimestamp(o.timestamp)
}

function contentComplete(o: Fields): boolean {
  return typeof o.content === 'string' &&
    (o.finishReason === undefined || typeof o.finishReason === 'string') &&
    isTimestamp(o.timestamp)
}

function toolStart(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    isFields(o.arguments) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && toolStartInContextMetadata(o.metadata)))
}

function toolArgumentsDelta(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    typeof o.delta === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    isTimestamp(o.timestamp)
}

function toolProgress(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.progress === 'number' && o.progress >= 0 && o.progress <= 1) &&
    (o.message === undefined || typeof o.message === 'string') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && toolProgressInContextMetadata(o.metadata)))
}

function toolComplete(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || typeof o.error === 'string') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && toolCompleteInContextMetadata(o.metadata)))
}

function inputRequired(o: Fields): boolean {
  return (typeof o.inputId === 'string' && o.inputId !== '') &&
    (o.requireUser === undefined || typeof o.requireUser === 'boolean') &&
    (o.inputType === 'tool-execution' || o.inputType === 'confirmation' || o.inputType === 'clarification' || o.inputType === 'selection' || o.inputType === 'custom') &&
    typeof o.prompt === 'string' &&
    (o.schema === undefined || isFields(o.schema)) &&
    (o.options === undefined || Array.isArray(o.options)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && inputRequiredInContextMetadata(o.metadata)))
}

function inputReceived(o: Fields): boolean {
  return (typeof o.inputId === 'string' && o.inputId !== '') &&
    (o.providedBy === 'user' || o.providedBy === 'agent') &&
    (o.userId === undefined || (typeof o.userId === 'string' && o.userId !== '')) &&
    (o.agentId === undefined || (typeof o.agentId === 'string' && o.agentId !== '')) &&
    (o.outcome === undefined || (o.outcome === 'answered' || o.outcome === 'declined')) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && inputReceivedInContextMetadata(o.metadata)))
}

function inputCanceled(o: Fields): boolean {
  return (typeof o.inputId === 'string' && o.inputId !== '') &&
    (o.reason === 'expired' || o.reason === 'withdrawn' || o.reason === 'task-ended') &&
    isTimestamp(o.timestamp)
}

function authRequired(o: Fields): boolean {
  return (typeof o.authId === 'string' && o.authId !== '') &&
    (o.authType === 'oauth2' || o.authType === 'api-key' || o.authType === 'password' || o.authType === 'biometric' || o.authType === 'custom') &&
    (o.provider === undefined || typeof o.provider === 'string') &&
    (o.scopes === undefined || (Array.isArray(o.scopes) && o.scopes.every((item: unknown) => typeof item === 'string'))) &&
    typeof o.prompt === 'string' &&
    (o.authUrl === undefined || typeof o.authUrl === 'string') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && authRequiredInContextMetadata(o.metadata)))
}

function authCompleted(o: Fields): boolean {
  return (typeof o.authId === 'string' && o.authId !== '') &&
    (typeof o.userId === 'string' && o.userId !== '') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && authCompletedInContextMetadata(o.metadata)))
}

function authFailed(o: Fields): boolean {
  return (typeof o.authId === 'string' && o.authId !== '') &&
    (o.reason === 'denied' || o.reason === 'expired' || o.reason === 'failed') &&
    (o.message === undefined || typeof o.message === 'string') &&
    isTimestamp(o.timestamp)
}

function fileWrite(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    typeof o.data === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    typeof o.complete === 'boolean' &&
    (o.name === undefined || typeof o.name === 'string') &&
    (o.description === undefined || typeof o.description === 'string') &&
    (o.mimeType === undefined || typeof o.mimeType === 'string') &&
    (o.encoding === undefined || (o.encoding === 'utf-8' || o.encoding === 'base64')) &&
    (o.version === undefined || isWhole(o.version, 0)) &&
    (o.digest === undefined || (typeof o.digest === 'string' && /^sha-256:[0-9a-f]{64}$/.test(o.digest))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && fileWriteInContextMetadata(o.metadata)))
}

function dataWrite(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    isFields(o.data) &&
    (o.name === undefined || typeof o.name === 'string') &&
    (o.description === undefined || typeof o.description === 'string') &&
    (o.version === undefined || isWhole(o.version, 0)) &&
    (o.expectedVersion === undefined || isWhole(o.expectedVersion, 0)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && dataWriteInContextMetadata(o.metadata)))
}

function datasetWrite(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    (Array.isArray(o.rows) && o.rows.every((item: unknown) => isFields(item))) &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    typeof o.complete === 'boolean' &&
    (o.name === undefined || typeof o.name === 'string') &&
    (o.description === undefined || typeof o.description === 'string') &&
    (o.schema === undefined || isFields(o.schema)) &&
    (o.version === undefined || isWhole(o.version, 0)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && datasetWriteInContextMetadata(o.metadata)))
}

function artifactDelta(o: Fields): boolean {
  return (typeof o.artifactId === 'string' && o.artifactId !== '') &&
    isWhole(o.baseVersion, 0) &&
    isWhole(o.version, 0) &&
    ((isFields(o.change) && artifactDeltaInContextChange1(o.change)) || (isFields(o.change) && artifactDeltaInContextChange2(o.change)) || (isFields(o.change) && artifactDeltaInContextChange3(o.change)) || (isFields(o.change) && artifactDeltaInContextChange4(o.change))) &&
    isTimestamp(o.timestamp)
}

function subtaskCreated(o: Fields): boolean {
  return (typeof o.subtaskId === 'string' && o.subtaskId !== '') &&
    (o.agentId === undefined || (typeof o.agentId === 'string' && o.agentId !== '')) &&
    typeof o.prompt === 'string' &&
    isTimestamp(o.timestamp)
}

function thoughtDelta(o: Fields): boolean {
  return (typeof o.thoughtId === 'string' && o.thoughtId !== '') &&
    typeof o.delta === 'string' &&
    isWhole(o.index, 0) &&
    (o.indexEnd === undefined || isWhole(o.indexEnd, 0)) &&
    isTimestamp(o.timestamp)
}

function thoughtStream(o: Fields): boolean {
  return (typeof o.thoughtId === 'string' && o.thoughtId !== '') &&
    (o.thoughtType === 'planning' || o.thoughtType === 'reasoning' || o.thoughtType === 'reflection' || o.thoughtType === 'decision' || o.thoughtType === 'observation' || o.thoughtType === 'strategy') &&
    (o.verbosity === 'brief' || o.verbosity === 'normal' || o.verbosity === 'detailed') &&
    typeof o.content === 'string' &&
    isWhole(o.index, 0) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isFields(o.metadata) && thoughtStreamInContextMetadata(o.metadata)))
}

function taskError(o: Fields): boolean {
  return (isFields(o.error) && taskStatusInContextError(o.error)) &&
    isTimestamp(o.timestamp)
}

function internalThoughtProcess(o: Fields): boolean {
  return isWhole(o.iteration, 0) &&
    (o.stage === 'pre-llm' || o.stage === 'post-llm' || o.stage === 'pre-tool' || o.stage === 'post-tool') &&
    typeof o.reasoning === 'string' &&
    isFields(o.state) &&
    isTimestamp(o.timestamp)
}

function internalLlmCall(o: Fields): boolean {
  return isWhole(o.iteration, 0) &&
    typeof o.model === 'string' &&
    isWhole(o.messageCount, 0) &&
    isWhole(o.toolCount, 0) &&
    isTimestamp(o.timestamp)
}

function internalCheckpoint(o: Fields): boolean {
  return isWhole(o.iteration, 0) &&
    isTimestamp(o.timestamp)
}

function internalToolStart(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    isTimestamp(o.timestamp)
}

function internalToolComplete(o: Fields): boolean {
  return (typeof o.toolCallId === 'string' && o.toolCallId !== '') &&
    (typeof o.toolName === 'string' && o.toolName !== '') &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || typeof o.error === 'string') &&
    isTimestamp(o.timestamp)
}

export function checkContext(o: Fields): boolean {
  return (typeof o.contextId === 'string' && o.contextId !== '') &&
    (typeof o.taskId === 'string' && o.taskId !== '') &&
    (o.parentTaskId === undefined || (typeof o.parentTaskId === 'string' && o.parentTaskId !== '')) &&
    (o.path === undefined || (Array.isArray(o.path) && o.path.every((item: unknown) => (typeof item === 'string' && item !== ''))))
}

/** Whether the fields of an event fit its tag; `undefined` for a tag that is not known. */
export function checkContextEvent(tag: string, o: Fields): boolean | undefined {
  // A tag fresh from JSON is no interned string yet: its length tells it from most others.
  switch (tag.length) {
    case 10:
      if (tag === 'tool-start') return toolStartInContext(o)
      if (tag === 'file-write') return fileWriteInContext(o)
      if (tag === 'data-write') return dataWriteInContext(o)
      if (tag === 'task-error') return taskErrorInContext(o)
      return undefined
    case 11:
      if (tag === 'task-status') return taskStatusInContext(o)
      if (tag === 'auth-failed') return authFailedInContext(o)
      return undefined
    case 12:
      if (tag === 'task-created') return taskCreatedInContext(o)
      return undefined
    case 13:
      if (tag === 'task-complete') return taskCompleteInContext(o)
      if (tag === 'content-delta') return contentDeltaInContext(o)
      if (tag === 'tool-progress') return toolProgressInContext(o)
      if (tag === 'tool-complete') return toolCompleteInContext(o)
      if (tag === 'auth-required') return authRequiredInContext(o)
      if (tag === 'dataset-write') return datasetWriteInContext(o)
      if (tag === 'thought-delta') return thoughtDeltaInContext(o)
      return undefined
    case 14:
      if (tag === 'input-required') return inputRequiredInContext(o)
      if (tag === 'input-received') return inputReceivedInContext(o)
      if (tag === 'input-canceled') return inputCanceledInContext(o)
      if (tag === 'auth-completed') return authCompletedInContext(o)
      if (tag === 'artifact-delta') return artifactDeltaInContext(o)
      if (tag === 'thought-stream') return thoughtStreamInContext(o)
      return undefined
    case 15:
      if (tag === 'subtask-created') return subtaskCreatedInContext(o)
      return undefined
    case 16:
      if (tag === 'content-complete') return contentCompleteInContext(o)
      return undefined
    case 17:
      if (tag === 'internal:llm-call') return internalLlmCallInContext(o)
      return undefined
    case 19:
      if (tag === 'internal:checkpoint') return internalCheckpointInContext(o)
      if (tag === 'internal:tool-start') return internalToolStartInContext(o)
      return undefined
    case 20:
      if (tag === 'tool-arguments-delta') return toolArgumentsDeltaInContext(o)
      return undefined
    case 22:
      if (tag === 'internal:tool-complete') return internalToolCompleteInContext(o)
      return undefined
    case 24:
      if (tag === 'internal:thought-process') return internalThoughtProcessInContext(o)
      return undefined
    default:
      return undefined
  }
}

/** Whether the fields of an event fit its tag; `undefined` for a tag that is not known. */
export function checkEvent(tag: string, o: Fields): boolean | undefined {
  // A tag fresh from JSON is no interned string yet: its length tells it from most others.
  switch (tag.length) {
    case 10:
      if (tag === 'tool-start') return toolStart(o)
      if (tag === 'file-write') return fileWrite(o)
      if (tag === 'data-write') return dataWrite(o)
      if (tag === 'task-error') return taskError(o)
      return undefined
    case 11:
      if (tag === 'task-status') return taskStatus(o)
      if (tag === 'auth-failed') return authFailed(o)
      return undefined
    case 12:
      if (tag === 'task-created') return taskCreated(o)
      return undefined
    case 13:
      if (tag === 'task-complete') return taskComplete(o)
      if (tag === 'content-delta') return contentDelta(o)
      if (tag === 'tool-progress') return toolProgress(o)
      if (tag === 'tool-complete') return toolComplete(o)
      if (tag === 'auth-required') return authRequired(o)
      if (tag === 'dataset-write') return datasetWrite(o)
      if (tag === 'thought-delta') return thoughtDelta(o)
      return undefined
    case 14:
      if (tag === 'input-required') return inputRequired(o)
      if (tag === 'input-received') return inputReceived(o)
      if (tag === 'input-canceled') return inputCanceled(o)
      if (tag === 'auth-completed') return authCompleted(o)
      if (tag === 'artifact-delta') return artifactDelta(o)
      if (tag === 'thought-stream') return thoughtStream(o)
      return undefined
    case 15:
      if (tag === 'subtask-created') return subtaskCreated(o)
      return undefined
    case 16:
      if (tag === 'content-complete') return contentComplete(o)
      return undefined
    case 17:
      if (tag === 'internal:llm-call') return internalLlmCall(o)
      return undefined
    case 19:
      if (tag === 'internal:checkpoint') return internalCheckpoint(o)
      if (tag === 'internal:tool-start') return internalToolStart(o)
      return undefined
    case 20:
      if (tag === 'tool-arguments-delta') return toolArgumentsDelta(o)
      return undefined
    case 22:
      if (tag === 'internal:tool-complete') return internalToolComplete(o)
      return undefined
    case 24:
      if (tag === 'internal:thought-process') return internalThoughtProcess(o)
      return undefined
    default:
      return undefined
  }
}
