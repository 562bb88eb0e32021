/** Keys of `metadata` that the readers of other formats write, beside those that the kinds declare. */

/** The key of the label that narrows the audience of an event. */
export const LABEL = 'audience'

/**
 * What clients may see of `metadata` besides the declared keys and those of applications, which have a dot: what the readers
 * of this library carry from other formats, so that it is written back, and the label that narrows the audience.
 */
export const carryKeys: readonly string[] = [
  LABEL,
  // A whole object of the format, under its name.
  'a2a',
  'agUi',
  'aiSdk',
  'looopy',
  'session',
  // Any format.
  'mimeType',
  'usage',
  'model',
  // AG-UI.
  'threadId',
  'runId',
  'parentRunId',
  'protocolVersion',
  'messageId',
  'parentMessageId',
  'parentToolCallId',
  'reasoningId',
  'name',
  'result',
  'reason',
  'inputType',
  // Frames.
  'streamKind',
  'originSessionId',
  'exitCode',
  'timeoutMs',
  'artifacts',
  // AgentEvents.
  'toolArgs',
  'output',
  'data',
  // Model providers.
  'responseId',
]

/** The keys under which providers state what belongs to a thought or call and is to be sent back, in `metadata.aiSdk`. */
export const signatureKeys: readonly string[] = [
  'signature',
  'redactedData',
  'reasoningEncryptedContent',
  'encryptedContent',
  'thoughtSignature',
]
