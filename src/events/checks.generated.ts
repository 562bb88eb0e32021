// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in src/events/records. Do not edit.
import { type Fields, isAmount, isCount, isFields, isFraction, isId, isListOf, isOrdinal, isPlain, isText, isTimestamp } from '../validation/predicates.ts'

function taskCreatedMetadata(o: Fields): boolean {
  return (o.agentId === undefined || isId(o.agentId)) &&
    (o.model === undefined || isText(o.model))
}

function taskCreated(o: Fields, isWhole: boolean): boolean {
  return (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.initiator === 'user' || o.initiator === 'agent') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && taskCreatedMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function taskStatusError(o: Fields): boolean {
  return isId(o.code) &&
    isText(o.message) &&
    (o.retry === 'retrying' || o.retry === 'retryable' || o.retry === 'exhausted' || o.retry === 'terminal') &&
    (o.retryAfterMs === undefined || isCount(o.retryAfterMs)) &&
    (o.attempt === undefined || isOrdinal(o.attempt)) &&
    (o.maxAttempts === undefined || isOrdinal(o.maxAttempts)) &&
    (o.scope === undefined || (o.scope === 'tool' || o.scope === 'task' || o.scope === 'stream')) &&
    (o.toolCallId === undefined || isId(o.toolCallId))
}

function taskStatusMetadata(o: Fields): boolean {
  return (o.reason === undefined || isText(o.reason)) &&
    (o.blockedBy === undefined || isText(o.blockedBy))
}

function taskStatus(o: Fields, isWhole: boolean): boolean {
  return (o.status === 'submitted' || o.status === 'working' || o.status === 'waiting-input' || o.status === 'waiting-auth' || o.status === 'waiting-subtask' || o.status === 'completed' || o.status === 'failed' || o.status === 'canceled') &&
    (o.message === undefined || isText(o.message)) &&
    (o.error === undefined || (isPlain(o.error) && taskStatusError(o.error))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && taskStatusMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function taskCompleteMetadataUsageItem(o: Fields): boolean {
  return (o.provider === undefined || isText(o.provider)) &&
    (o.model === undefined || isText(o.model)) &&
    (o.inputTokens === undefined || isCount(o.inputTokens)) &&
    (o.outputTokens === undefined || isCount(o.outputTokens)) &&
    (o.totalTokens === undefined || isCount(o.totalTokens)) &&
    (o.reasoningTokens === undefined || isCount(o.reasoningTokens)) &&
    (o.cachedInputTokens === undefined || isCount(o.cachedInputTokens)) &&
    (o.cacheWriteInputTokens === undefined || isCount(o.cacheWriteInputTokens))
}

function taskCompleteMetadata(o: Fields): boolean {
  return (o.duration === undefined || isAmount(o.duration)) &&
    (o.iterations === undefined || isCount(o.iterations)) &&
    (o.tokensUsed === undefined || isCount(o.tokensUsed)) &&
    (o.usage === undefined || isListOf(o.usage, (item) => (isPlain(item) && taskCompleteMetadataUsageItem(item)))) &&
    (o.finishReason === undefined || isText(o.finishReason))
}

function taskComplete(o: Fields, isWhole: boolean): boolean {
  return (o.content === undefined || isText(o.content)) &&
    (o.artifacts === undefined || isListOf(o.artifacts, (item) => isId(item))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && taskCompleteMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function contentDelta(o: Fields, isWhole: boolean): boolean {
  return (o.contentId === undefined || isId(o.contentId)) &&
    isText(o.delta) &&
    isCount(o.index) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function contentReplace(o: Fields, isWhole: boolean): boolean {
  return (o.contentId === undefined || isId(o.contentId)) &&
    isText(o.content) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function contentCompleteMetadataSourcesItem(o: Fields): boolean {
  return (o.url === undefined || isText(o.url)) &&
    (o.title === undefined || isText(o.title)) &&
    (o.documentId === undefined || isText(o.documentId)) &&
    (o.start === undefined || isCount(o.start)) &&
    (o.end === undefined || isCount(o.end)) &&
    (o.quote === undefined || isText(o.quote))
}

function contentCompleteMetadata(o: Fields): boolean {
  return (o.usage === undefined || isListOf(o.usage, (item) => (isPlain(item) && taskCompleteMetadataUsageItem(item)))) &&
    (o.sources === undefined || isListOf(o.sources, (item) => (isPlain(item) && contentCompleteMetadataSourcesItem(item))))
}

function contentComplete(o: Fields, isWhole: boolean): boolean {
  return (o.contentId === undefined || isId(o.contentId)) &&
    isText(o.content) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    (o.finishReason === undefined || isText(o.finishReason)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && contentCompleteMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function iterationReset(o: Fields, isWhole: boolean): boolean {
  return isCount(o.iteration) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function toolStartMetadata(o: Fields): boolean {
  return (o.provider === undefined || isText(o.provider)) &&
    (o.concurrent === undefined || typeof o.concurrent === 'boolean') &&
    (o.signature === undefined || isText(o.signature)) &&
    (o.redacted === undefined || typeof o.redacted === 'boolean')
}

function toolStart(o: Fields, isWhole: boolean): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    isFields(o.arguments) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && toolStartMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function toolArgumentsDelta(o: Fields, isWhole: boolean): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    isText(o.delta) &&
    isCount(o.index) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function toolProgressMetadata(o: Fields): boolean {
  return (o.step === undefined || isText(o.step)) &&
    (o.stepsCompleted === undefined || isCount(o.stepsCompleted)) &&
    (o.stepsTotal === undefined || isCount(o.stepsTotal)) &&
    (o.remainingMs === undefined || isCount(o.remainingMs)) &&
    (o.stream === undefined || isText(o.stream)) &&
    (o.chunk === undefined || isText(o.chunk))
}

function toolProgress(o: Fields, isWhole: boolean): boolean {
  return isId(o.toolCallId) &&
    isFraction(o.progress) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    (o.message === undefined || isText(o.message)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && toolProgressMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function toolCompleteMetadata(o: Fields): boolean {
  return (o.duration === undefined || isAmount(o.duration)) &&
    (o.cached === undefined || typeof o.cached === 'boolean') &&
    (o.retries === undefined || isCount(o.retries))
}

function toolComplete(o: Fields, isWhole: boolean): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    typeof o.success === 'boolean' &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    (o.error === undefined || isText(o.error)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && toolCompleteMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function inputRequiredMetadataToolCallFunction(o: Fields): boolean {
  return isId(o.name) &&
    isText(o.arguments)
}

function inputRequiredMetadataToolCall(o: Fields): boolean {
  return isId(o.id) &&
    (o.type === undefined || isText(o.type)) &&
    (isPlain(o.function) && inputRequiredMetadataToolCallFunction(o.function))
}

function inputRequiredMetadata(o: Fields): boolean {
  return (o.toolCall === undefined || (isPlain(o.toolCall) && inputRequiredMetadataToolCall(o.toolCall))) &&
    (o.provider === undefined || isText(o.provider)) &&
    (o.urgency === undefined || (o.urgency === 'low' || o.urgency === 'medium' || o.urgency === 'high')) &&
    (o.timeout === undefined || isAmount(o.timeout))
}

function inputRequired(o: Fields, isWhole: boolean): boolean {
  return isId(o.inputId) &&
    (o.requireUser === undefined || typeof o.requireUser === 'boolean') &&
    (o.inputType === 'tool-execution' || o.inputType === 'confirmation' || o.inputType === 'clarification' || o.inputType === 'selection' || o.inputType === 'custom') &&
    isText(o.prompt) &&
    (o.schema === undefined || isFields(o.schema)) &&
    (o.options === undefined || Array.isArray(o.options)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && inputRequiredMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function inputReceivedMetadata(o: Fields): boolean {
  return (o.duration === undefined || isAmount(o.duration)) &&
    (o.callDigest === undefined || isId(o.callDigest))
}

function inputReceived(o: Fields, isWhole: boolean): boolean {
  return isId(o.inputId) &&
    (o.providedBy === 'user' || o.providedBy === 'agent') &&
    (o.userId === undefined || isId(o.userId)) &&
    (o.agentId === undefined || isId(o.agentId)) &&
    (o.outcome === undefined || (o.outcome === 'answered' || o.outcome === 'declined')) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && inputReceivedMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function inputCanceled(o: Fields, isWhole: boolean): boolean {
  return isId(o.inputId) &&
    (o.reason === 'expired' || o.reason === 'withdrawn' || o.reason === 'task-ended') &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function authRequiredMetadata(o: Fields): boolean {
  return (o.expiresIn === undefined || isAmount(o.expiresIn))
}

function authRequired(o: Fields, isWhole: boolean): boolean {
  return isId(o.authId) &&
    (o.authType === 'oauth2' || o.authType === 'api-key' || o.authType === 'password' || o.authType === 'biometric' || o.authType === 'custom') &&
    (o.provider === undefined || isText(o.provider)) &&
    (o.scopes === undefined || isListOf(o.scopes, (item) => isText(item))) &&
    isText(o.prompt) &&
    (o.authUrl === undefined || isText(o.authUrl)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && authRequiredMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function authCompletedMetadata(o: Fields): boolean {
  return (o.expiresAt === undefined || isTimestamp(o.expiresAt))
}

function authCompleted(o: Fields, isWhole: boolean): boolean {
  return isId(o.authId) &&
    isId(o.userId) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && authCompletedMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function authFailed(o: Fields, isWhole: boolean): boolean {
  return isId(o.authId) &&
    (o.reason === 'denied' || o.reason === 'expired' || o.reason === 'failed') &&
    (o.message === undefined || isText(o.message)) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function fileWriteMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || isId(o.toolCallId)) &&
    (o.totalSize === undefined || isCount(o.totalSize))
}

function fileWrite(o: Fields, isWhole: boolean): boolean {
  return isId(o.artifactId) &&
    isText(o.data) &&
    isCount(o.index) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    typeof o.complete === 'boolean' &&
    (o.name === undefined || isText(o.name)) &&
    (o.description === undefined || isText(o.description)) &&
    (o.mimeType === undefined || isText(o.mimeType)) &&
    (o.encoding === undefined || (o.encoding === 'utf-8' || o.encoding === 'base64')) &&
    (o.version === undefined || isCount(o.version)) &&
    (o.digest === undefined || (isText(o.digest) && /^sha-256:[0-9a-f]{64}$/.test(o.digest))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && fileWriteMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function dataWriteMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || isId(o.toolCallId)) &&
    (o.version === undefined || isCount(o.version))
}

function dataWrite(o: Fields, isWhole: boolean): boolean {
  return isId(o.artifactId) &&
    isFields(o.data) &&
    (o.name === undefined || isText(o.name)) &&
    (o.description === undefined || isText(o.description)) &&
    (o.version === undefined || isCount(o.version)) &&
    (o.expectedVersion === undefined || isCount(o.expectedVersion)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && dataWriteMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function datasetWriteMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || isId(o.toolCallId)) &&
    (o.totalRows === undefined || isCount(o.totalRows)) &&
    (o.batchSize === undefined || isCount(o.batchSize))
}

function datasetWrite(o: Fields, isWhole: boolean): boolean {
  return isId(o.artifactId) &&
    isListOf(o.rows, (item) => isFields(item)) &&
    isCount(o.index) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    typeof o.complete === 'boolean' &&
    (o.name === undefined || isText(o.name)) &&
    (o.description === undefined || isText(o.description)) &&
    (o.schema === undefined || isFields(o.schema)) &&
    (o.version === undefined || isCount(o.version)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && datasetWriteMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function artifactDeltaChange1PatchItem(o: Fields): boolean {
  return (o.op === 'add' || o.op === 'remove' || o.op === 'replace' || o.op === 'move' || o.op === 'copy' || o.op === 'test') &&
    isText(o.path) &&
    (o.from === undefined || isText(o.from))
}

function artifactDeltaChange1(o: Fields): boolean {
  return o.type === 'json-patch' &&
    isListOf(o.patch, (item) => (isPlain(item) && artifactDeltaChange1PatchItem(item)))
}

function artifactDeltaChange2(o: Fields): boolean {
  return o.type === 'merge-patch' &&
    isFields(o.patch)
}

function artifactDeltaChange3(o: Fields): boolean {
  return o.type === 'text-append' &&
    isText(o.text)
}

function artifactDeltaChange4(o: Fields): boolean {
  return o.type === 'rows-append' &&
    isListOf(o.rows, (item) => isFields(item))
}

function artifactDelta(o: Fields, isWhole: boolean): boolean {
  return isId(o.artifactId) &&
    isCount(o.baseVersion) &&
    isCount(o.version) &&
    ((isPlain(o.change) && artifactDeltaChange1(o.change)) || (isPlain(o.change) && artifactDeltaChange2(o.change)) || (isPlain(o.change) && artifactDeltaChange3(o.change)) || (isPlain(o.change) && artifactDeltaChange4(o.change))) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function subtaskCreated(o: Fields, isWhole: boolean): boolean {
  return isId(o.subtaskId) &&
    (o.agentId === undefined || isId(o.agentId)) &&
    isText(o.prompt) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function thoughtDelta(o: Fields, isWhole: boolean): boolean {
  return isId(o.thoughtId) &&
    isText(o.delta) &&
    (o.thoughtType === undefined || (o.thoughtType === 'planning' || o.thoughtType === 'reasoning' || o.thoughtType === 'reflection' || o.thoughtType === 'decision' || o.thoughtType === 'observation' || o.thoughtType === 'strategy')) &&
    (o.verbosity === undefined || (o.verbosity === 'brief' || o.verbosity === 'normal' || o.verbosity === 'detailed')) &&
    isCount(o.index) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function thoughtStreamMetadata(o: Fields): boolean {
  return (o.confidence === undefined || isFraction(o.confidence)) &&
    (o.alternatives === undefined || isListOf(o.alternatives, (item) => isText(item))) &&
    (o.relatedTo === undefined || isId(o.relatedTo)) &&
    (o.groupId === undefined || isId(o.groupId)) &&
    (o.complete === undefined || typeof o.complete === 'boolean') &&
    (o.signature === undefined || isText(o.signature)) &&
    (o.redacted === undefined || typeof o.redacted === 'boolean')
}

function thoughtStream(o: Fields, isWhole: boolean): boolean {
  return isId(o.thoughtId) &&
    (o.thoughtType === 'planning' || o.thoughtType === 'reasoning' || o.thoughtType === 'reflection' || o.thoughtType === 'decision' || o.thoughtType === 'observation' || o.thoughtType === 'strategy') &&
    (o.verbosity === 'brief' || o.verbosity === 'normal' || o.verbosity === 'detailed') &&
    isText(o.content) &&
    isCount(o.index) &&
    (o.iteration === undefined || isCount(o.iteration)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && thoughtStreamMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function taskError(o: Fields, isWhole: boolean): boolean {
  return (isPlain(o.error) && taskStatusError(o.error)) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function custom(o: Fields, isWhole: boolean): boolean {
  return (isText(o.name) && /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$/.test(o.name)) &&
    'data' in o &&
    (o.customId === undefined || isId(o.customId)) &&
    (o.transient === undefined || typeof o.transient === 'boolean') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || isFields(o.metadata)) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function internalThoughtProcess(o: Fields, isWhole: boolean): boolean {
  return isCount(o.iteration) &&
    (o.stage === 'pre-llm' || o.stage === 'post-llm' || o.stage === 'pre-tool' || o.stage === 'post-tool') &&
    isText(o.reasoning) &&
    isFields(o.state) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function internalLlmCallMetadata(o: Fields): boolean {
  return (o.usage === undefined || isListOf(o.usage, (item) => (isPlain(item) && taskCompleteMetadataUsageItem(item))))
}

function internalLlmCall(o: Fields, isWhole: boolean): boolean {
  return isCount(o.iteration) &&
    isText(o.model) &&
    isCount(o.messageCount) &&
    isCount(o.toolCount) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && internalLlmCallMetadata(o.metadata))) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function internalToolStart(o: Fields, isWhole: boolean): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

function internalToolComplete(o: Fields, isWhole: boolean): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || isText(o.error)) &&
    isTimestamp(o.timestamp) &&
    (!isWhole || (isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))))
}

export function checkContext(o: Fields): boolean {
  return isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))
}

export function checkContextEnvelope(o: Fields): boolean {
  return isId(o.kind) &&
    isId(o.contextId) &&
    isId(o.taskId) &&
    isTimestamp(o.timestamp) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))
}

export function checkEnvelope(o: Fields): boolean {
  return isId(o.kind) &&
    isTimestamp(o.timestamp)
}

/** Whether an event is valid for its tag; `undefined` for an unknown tag. */
export function checkEvent(tag: string, o: Fields, isWhole = false): boolean | undefined {
  // Parsed JSON strings are not interned: comparing lengths first is faster.
  switch (tag.length) {
    case 6:
      if (tag === 'custom') return custom(o, isWhole)
      return undefined
    case 10:
      if (tag === 'tool-start') return toolStart(o, isWhole)
      if (tag === 'file-write') return fileWrite(o, isWhole)
      if (tag === 'data-write') return dataWrite(o, isWhole)
      if (tag === 'task-error') return taskError(o, isWhole)
      return undefined
    case 11:
      if (tag === 'task-status') return taskStatus(o, isWhole)
      if (tag === 'auth-failed') return authFailed(o, isWhole)
      return undefined
    case 12:
      if (tag === 'task-created') return taskCreated(o, isWhole)
      return undefined
    case 13:
      if (tag === 'task-complete') return taskComplete(o, isWhole)
      if (tag === 'content-delta') return contentDelta(o, isWhole)
      if (tag === 'tool-progress') return toolProgress(o, isWhole)
      if (tag === 'tool-complete') return toolComplete(o, isWhole)
      if (tag === 'auth-required') return authRequired(o, isWhole)
      if (tag === 'dataset-write') return datasetWrite(o, isWhole)
      if (tag === 'thought-delta') return thoughtDelta(o, isWhole)
      return undefined
    case 14:
      if (tag === 'input-required') return inputRequired(o, isWhole)
      if (tag === 'input-received') return inputReceived(o, isWhole)
      if (tag === 'input-canceled') return inputCanceled(o, isWhole)
      if (tag === 'auth-completed') return authCompleted(o, isWhole)
      if (tag === 'artifact-delta') return artifactDelta(o, isWhole)
      if (tag === 'thought-stream') return thoughtStream(o, isWhole)
      return undefined
    case 15:
      if (tag === 'content-replace') return contentReplace(o, isWhole)
      if (tag === 'iteration-reset') return iterationReset(o, isWhole)
      if (tag === 'subtask-created') return subtaskCreated(o, isWhole)
      return undefined
    case 16:
      if (tag === 'content-complete') return contentComplete(o, isWhole)
      return undefined
    case 17:
      if (tag === 'internal:llm-call') return internalLlmCall(o, isWhole)
      return undefined
    case 19:
      if (tag === 'internal:checkpoint') return iterationReset(o, isWhole)
      if (tag === 'internal:tool-start') return internalToolStart(o, isWhole)
      return undefined
    case 20:
      if (tag === 'tool-arguments-delta') return toolArgumentsDelta(o, isWhole)
      return undefined
    case 22:
      if (tag === 'internal:tool-complete') return internalToolComplete(o, isWhole)
      return undefined
    case 24:
      if (tag === 'internal:thought-process') return internalThoughtProcess(o, isWhole)
      return undefined
    default:
      return undefined
  }
}
