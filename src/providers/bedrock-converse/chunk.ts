/** What `bedrockConverse` reads of a chunk. Objects of the SDK fit. */

/** A chunk of a ConverseStream response: one of its fields is set. */
export interface BedrockConverseChunk {
  messageStart?: { role?: string | undefined } | undefined
  contentBlockStart?: BedrockBlockStart | undefined
  contentBlockDelta?: BedrockBlockDelta | undefined
  contentBlockStop?: { contentBlockIndex?: number | undefined } | undefined
  messageStop?: { stopReason?: string | undefined } | undefined
  metadata?: { usage?: BedrockUsage | undefined } | undefined
  internalServerException?: BedrockException | undefined
  modelStreamErrorException?: BedrockException | undefined
  serviceUnavailableException?: BedrockException | undefined
  throttlingException?: BedrockException | undefined
  validationException?: BedrockException | undefined
}

/** The start of a block. Text and reasoning have none. */
export interface BedrockBlockStart {
  contentBlockIndex?: number | undefined
  /** A call, the result of a tool at the provider, or an image. */
  start?: { toolUse?: unknown; toolResult?: unknown; image?: unknown } | undefined
}

/** What a chunk adds to a block. */
export interface BedrockBlockDelta {
  contentBlockIndex?: number | undefined
  delta?:
    | {
        text?: string | undefined
        toolUse?: { input?: string | undefined } | undefined
        reasoningContent?: unknown
        citation?: unknown
        image?: unknown
        toolResult?: unknown
      }
    | undefined
}

/** An error that ends the stream. */
export interface BedrockException {
  message?: string | undefined
}

/** The tokens of a response. */
export interface BedrockUsage {
  /** Without cached ones, which OpenAI includes. */
  inputTokens?: number | undefined
  outputTokens?: number | undefined
  totalTokens?: number | undefined
  cacheReadInputTokens?: number | undefined
  cacheWriteInputTokens?: number | undefined
}
