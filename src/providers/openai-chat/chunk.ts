/** What `openaiChat` reads of a chunk. Objects of the SDK fit, and those of servers that extend them. */

/** A chunk of a Chat Completions stream. Each field may be missing. */
export interface OpenaiChatChunk {
  id?: string | null
  /** Empty in the first chunk of some servers. */
  model?: string | null
  /** Only the choice with index 0 is read. */
  choices?: readonly OpenaiChatChoice[] | null
  usage?: OpenaiChatUsage | null
  /** An error that ends the stream. */
  error?: unknown
  /** MiniMax: a status other than 0 is an error. */
  base_resp?: { status_code?: number; status_msg?: string } | null
  /** Perplexity: the addresses of the sources. */
  citations?: readonly string[] | null
}

/** A choice of an {@link OpenaiChatChunk}. */
export interface OpenaiChatChoice {
  index?: number
  delta?: OpenaiChatDelta | null
  /** `stop`, `length`, `tool_calls`, `content_filter`, `function_call`, or another one of the server. */
  finish_reason?: string | null
}

/** What a chunk adds to the message. */
export interface OpenaiChatDelta {
  role?: string | null
  /** Text; Mistral: parts with text and thinking. */
  content?: string | readonly unknown[] | null
  refusal?: string | null
  /** The reasoning of DeepSeek, xAI, Z.ai, Alibaba and Moonshot. */
  reasoning_content?: string | null
  /** The reasoning of Groq and OpenRouter. */
  reasoning?: string | null
  tool_calls?: readonly OpenaiChatToolCall[] | null
}

/** A piece of a tool call. */
export interface OpenaiChatToolCall {
  /** Which call of the message it is. */
  index?: number
  /** With the first piece. */
  id?: string | null
  type?: string | null
  function?: {
    /** With the first piece. */
    name?: string | null
    arguments?: string | null
  } | null
}

/** The tokens of a response. */
export interface OpenaiChatUsage {
  prompt_tokens?: number | null
  completion_tokens?: number | null
  total_tokens?: number | null
  prompt_tokens_details?: { cached_tokens?: number | null } | null
  completion_tokens_details?: { reasoning_tokens?: number | null } | null
}
