// Written by `npm run generate` from the zod schemas. Do not edit.
import { type Fields, isAmount, isCount, isFields, isFraction, isId, isListOf, isOrdinal, isPlain, isText, isTimestamp } from '../validation/predicates.ts'

function taskCreatedMetadata(o: Fields): boolean {
  return (o.agentId === undefined || isId(o.agentId)) &&
    (o.model === undefined || isText(o.model))
}

function taskCreated(o: Fields): boolean {
  return (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.initiator === 'user' || o.initiator === 'agent') &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && taskCreatedMetadata(o.metadata)))
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

function taskStatus(o: Fields): boolean {
  return (o.status === 'submitted' || o.status === 'working' || o.status === 'waiting-input' || o.status === 'waiting-auth' || o.status === 'waiting-subtask' || o.status === 'completed' || o.status === 'failed' || o.status === 'canceled') &&
    (o.message === undefined || isText(o.message)) &&
    (o.error === undefined || (isPlain(o.error) && taskStatusError(o.error))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && taskStatusMetadata(o.metadata)))
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

function taskComplete(o: Fields): boolean {
  return (o.content === undefined || isText(o.content)) &&
    (o.artifacts === undefined || isListOf(o.artifacts, (item) => isId(item))) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && taskCompleteMetadata(o.metadata)))
}

function contentDelta(o: Fields): boolean {
  return (o.contentId === undefined || isId(o.contentId)) &&
    isText(o.delta) &&
    isCount(o.index) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    isTimestamp(o.timestamp)
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

function contentComplete(o: Fields): boolean {
  return (o.contentId === undefined || isId(o.contentId)) &&
    isText(o.content) &&
    (o.finishReason === undefined || isText(o.finishReason)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && contentCompleteMetadata(o.metadata)))
}

function toolStartMetadata(o: Fields): boolean {
  return (o.provider === undefined || isText(o.provider)) &&
    (o.concurrent === undefined || typeof o.concurrent === 'boolean') &&
    (o.signature === undefined || isText(o.signature)) &&
    (o.redacted === undefined || typeof o.redacted === 'boolean')
}

function toolStart(o: Fields): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    isFields(o.arguments) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && toolStartMetadata(o.metadata)))
}

function toolArgumentsDelta(o: Fields): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    isText(o.delta) &&
    isCount(o.index) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    isTimestamp(o.timestamp)
}

function toolProgressMetadata(o: Fields): boolean {
  return (o.step === undefined || isText(o.step)) &&
    (o.stepsCompleted === undefined || isCount(o.stepsCompleted)) &&
    (o.stepsTotal === undefined || isCount(o.stepsTotal)) &&
    (o.stream === undefined || isText(o.stream)) &&
    (o.chunk === undefined || isText(o.chunk))
}

function toolProgress(o: Fields): boolean {
  return isId(o.toolCallId) &&
    isFraction(o.progress) &&
    (o.message === undefined || isText(o.message)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && toolProgressMetadata(o.metadata)))
}

function toolCompleteMetadata(o: Fields): boolean {
  return (o.duration === undefined || isAmount(o.duration)) &&
    (o.cached === undefined || typeof o.cached === 'boolean') &&
    (o.retries === undefined || isCount(o.retries))
}

function toolComplete(o: Fields): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || isText(o.error)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && toolCompleteMetadata(o.metadata)))
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
    (o.urgency === undefined || (o.urgency === 'low' || o.urgency === 'medium' || o.urgency === 'high')) &&
    (o.timeout === undefined || isAmount(o.timeout))
}

function inputRequired(o: Fields): boolean {
  return isId(o.inputId) &&
    (o.requireUser === undefined || typeof o.requireUser === 'boolean') &&
    (o.inputType === 'tool-execution' || o.inputType === 'confirmation' || o.inputType === 'clarification' || o.inputType === 'selection' || o.inputType === 'custom') &&
    isText(o.prompt) &&
    (o.schema === undefined || isFields(o.schema)) &&
    (o.options === undefined || Array.isArray(o.options)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && inputRequiredMetadata(o.metadata)))
}

function inputReceivedMetadata(o: Fields): boolean {
  return (o.duration === undefined || isAmount(o.duration))
}

function inputReceived(o: Fields): boolean {
  return isId(o.inputId) &&
    (o.providedBy === 'user' || o.providedBy === 'agent') &&
    (o.userId === undefined || isId(o.userId)) &&
    (o.agentId === undefined || isId(o.agentId)) &&
    (o.outcome === undefined || (o.outcome === 'answered' || o.outcome === 'declined')) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && inputReceivedMetadata(o.metadata)))
}

function inputCanceled(o: Fields): boolean {
  return isId(o.inputId) &&
    (o.reason === 'expired' || o.reason === 'withdrawn' || o.reason === 'task-ended') &&
    isTimestamp(o.timestamp)
}

function authRequiredMetadata(o: Fields): boolean {
  return (o.expiresIn === undefined || isAmount(o.expiresIn))
}

function authRequired(o: Fields): boolean {
  return isId(o.authId) &&
    (o.authType === 'oauth2' || o.authType === 'api-key' || o.authType === 'password' || o.authType === 'biometric' || o.authType === 'custom') &&
    (o.provider === undefined || isText(o.provider)) &&
    (o.scopes === undefined || isListOf(o.scopes, (item) => isText(item))) &&
    isText(o.prompt) &&
    (o.authUrl === undefined || isText(o.authUrl)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && authRequiredMetadata(o.metadata)))
}

function authCompletedMetadata(o: Fields): boolean {
  return (o.expiresAt === undefined || isTimestamp(o.expiresAt))
}

function authCompleted(o: Fields): boolean {
  return isId(o.authId) &&
    isId(o.userId) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && authCompletedMetadata(o.metadata)))
}

function authFailed(o: Fields): boolean {
  return isId(o.authId) &&
    (o.reason === 'denied' || o.reason === 'expired' || o.reason === 'failed') &&
    (o.message === undefined || isText(o.message)) &&
    isTimestamp(o.timestamp)
}

function fileWriteMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || isId(o.toolCallId)) &&
    (o.totalSize === undefined || isCount(o.totalSize))
}

function fileWrite(o: Fields): boolean {
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
    (o.metadata === undefined || (isPlain(o.metadata) && fileWriteMetadata(o.metadata)))
}

function dataWriteMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || isId(o.toolCallId)) &&
    (o.version === undefined || isCount(o.version))
}

function dataWrite(o: Fields): boolean {
  return isId(o.artifactId) &&
    isFields(o.data) &&
    (o.name === undefined || isText(o.name)) &&
    (o.description === undefined || isText(o.description)) &&
    (o.version === undefined || isCount(o.version)) &&
    (o.expectedVersion === undefined || isCount(o.expectedVersion)) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && dataWriteMetadata(o.metadata)))
}

function datasetWriteMetadata(o: Fields): boolean {
  return (o.toolCallId === undefined || isId(o.toolCallId)) &&
    (o.totalRows === undefined || isCount(o.totalRows)) &&
    (o.batchSize === undefined || isCount(o.batchSize))
}

function datasetWrite(o: Fields): boolean {
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
    (o.metadata === undefined || (isPlain(o.metadata) && datasetWriteMetadata(o.metadata)))
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

function artifactDelta(o: Fields): boolean {
  return isId(o.artifactId) &&
    isCount(o.baseVersion) &&
    isCount(o.version) &&
    ((isPlain(o.change) && artifactDeltaChange1(o.change)) || (isPlain(o.change) && artifactDeltaChange2(o.change)) || (isPlain(o.change) && artifactDeltaChange3(o.change)) || (isPlain(o.change) && artifactDeltaChange4(o.change))) &&
    isTimestamp(o.timestamp)
}

function subtaskCreated(o: Fields): boolean {
  return isId(o.subtaskId) &&
    (o.agentId === undefined || isId(o.agentId)) &&
    isText(o.prompt) &&
    isTimestamp(o.timestamp)
}

function thoughtDelta(o: Fields): boolean {
  return isId(o.thoughtId) &&
    isText(o.delta) &&
    isCount(o.index) &&
    (o.indexEnd === undefined || isCount(o.indexEnd)) &&
    (o.timestampEnd === undefined || isTimestamp(o.timestampEnd)) &&
    isTimestamp(o.timestamp)
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

function thoughtStream(o: Fields): boolean {
  return isId(o.thoughtId) &&
    (o.thoughtType === 'planning' || o.thoughtType === 'reasoning' || o.thoughtType === 'reflection' || o.thoughtType === 'decision' || o.thoughtType === 'observation' || o.thoughtType === 'strategy') &&
    (o.verbosity === 'brief' || o.verbosity === 'normal' || o.verbosity === 'detailed') &&
    isText(o.content) &&
    isCount(o.index) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && thoughtStreamMetadata(o.metadata)))
}

function taskError(o: Fields): boolean {
  return (isPlain(o.error) && taskStatusError(o.error)) &&
    isTimestamp(o.timestamp)
}

function internalThoughtProcess(o: Fields): boolean {
  return isCount(o.iteration) &&
    (o.stage === 'pre-llm' || o.stage === 'post-llm' || o.stage === 'pre-tool' || o.stage === 'post-tool') &&
    isText(o.reasoning) &&
    isFields(o.state) &&
    isTimestamp(o.timestamp)
}

function internalLlmCallMetadata(o: Fields): boolean {
  return (o.usage === undefined || isListOf(o.usage, (item) => (isPlain(item) && taskCompleteMetadataUsageItem(item))))
}

function internalLlmCall(o: Fields): boolean {
  return isCount(o.iteration) &&
    isText(o.model) &&
    isCount(o.messageCount) &&
    isCount(o.toolCount) &&
    isTimestamp(o.timestamp) &&
    (o.metadata === undefined || (isPlain(o.metadata) && internalLlmCallMetadata(o.metadata)))
}

function internalCheckpoint(o: Fields): boolean {
  return isCount(o.iteration) &&
    isTimestamp(o.timestamp)
}

function internalToolStart(o: Fields): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    isTimestamp(o.timestamp)
}

function internalToolComplete(o: Fields): boolean {
  return isId(o.toolCallId) &&
    isId(o.toolName) &&
    typeof o.success === 'boolean' &&
    (o.error === undefined || isText(o.error)) &&
    isTimestamp(o.timestamp)
}

export function checkContext(o: Fields): boolean {
  return isId(o.contextId) &&
    isId(o.taskId) &&
    (o.parentTaskId === undefined || isId(o.parentTaskId)) &&
    (o.path === undefined || isListOf(o.path, (item) => isId(item)))
}

/** Whether an event is valid for its tag; `undefined` for an unknown tag. */
export function checkEvent(tag: string, o: Fields): boolean | undefined {
  // Parsed JSON strings are not interned: comparing lengths first is faster.
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
