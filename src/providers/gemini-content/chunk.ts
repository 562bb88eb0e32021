/** What `geminiContent` reads of a chunk. Objects of the SDK fit, and those of Vertex AI. */

/** A chunk of a `streamGenerateContent` stream. Each field may be missing. */
export interface GeminiContentChunk {
  /** Only the candidate with index 0 is read. */
  candidates?: readonly GeminiCandidate[]
  modelVersion?: string
  responseId?: string
  /** Why the request was blocked. Omitted if it was not. */
  promptFeedback?: { blockReason?: string; blockReasonMessage?: string }
  usageMetadata?: GeminiUsage
  /** An error that ends the stream. */
  error?: unknown
}

/** A candidate of a {@link GeminiContentChunk}. */
export interface GeminiCandidate {
  index?: number
  content?: { parts?: readonly GeminiPart[] }
  /** `STOP`, `MAX_TOKENS`, `SAFETY` and the like. */
  finishReason?: string
  finishMessage?: string
  groundingMetadata?: object
  citationMetadata?: object
  urlContextMetadata?: object
}

/** A part of what a chunk adds to the answer. */
export interface GeminiPart {
  text?: string
  /** Whether `text` is a thought. */
  thought?: boolean
  /** The opaque value that the provider wants back. */
  thoughtSignature?: string
  functionCall?: GeminiFunctionCall
  executableCode?: { code?: string; language?: string }
  codeExecutionResult?: { outcome?: string; output?: string }
  inlineData?: { data?: string; mimeType?: string }
}

/** A call of a function, or a piece of one. */
export interface GeminiFunctionCall {
  id?: string
  /** Only in the first piece. */
  name?: string
  args?: Record<string, unknown>
  partialArgs?: readonly GeminiPartialArgument[]
  /** Whether further pieces follow. */
  willContinue?: boolean
}

/** One value of the arguments, or a piece of a text in them. */
export interface GeminiPartialArgument {
  /** Such as `$.items[0].name`. */
  jsonPath?: string
  stringValue?: string
  numberValue?: number
  boolValue?: boolean
  nullValue?: string
  /** Whether further pieces of the text follow. */
  willContinue?: boolean
}

/** The tokens of a response. */
export interface GeminiUsage {
  promptTokenCount?: number
  toolUsePromptTokenCount?: number
  cachedContentTokenCount?: number
  /** Without thoughts. */
  candidatesTokenCount?: number
  thoughtsTokenCount?: number
  totalTokenCount?: number
}
