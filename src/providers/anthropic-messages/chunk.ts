/** What `anthropicMessages` reads of a chunk. Objects of the SDK fit, also those of its beta. */

/** A chunk of a Messages stream. Which fields it has depends on `type`. */
export interface AnthropicMessagesChunk {
  /** `message_start`, `content_block_delta` and the like. */
  type: string
  /** Which block of the message it belongs to. */
  index?: number
  /** Only in `message_start`. */
  message?: AnthropicMessage
  /** Only in `content_block_start`. */
  content_block?: AnthropicBlock
  delta?: AnthropicDelta
  /** Only in `message_delta`. */
  usage?: AnthropicUsage | null
  /** Only in `error`. */
  error?: { type?: string; message?: string } | null
}

/** A message, as far as it is read. */
export interface AnthropicMessage {
  id?: string
  model?: string
  content?: readonly AnthropicBlock[]
  /** `end_turn`, `max_tokens`, `tool_use`, `refusal` and the like. `null` in `message_start`. */
  stop_reason?: string | null
  usage?: AnthropicUsage | null
}

/** A block of a message. Which further fields it has depends on `type`. */
export interface AnthropicBlock {
  type: string
}

/** What a chunk adds to a block or to the message. */
export interface AnthropicDelta {
  /** Omitted in `message_delta`. */
  type?: string
  text?: string
  thinking?: string
  signature?: string
  partial_json?: string
  stop_reason?: string | null
}

/** The tokens of a message. */
export interface AnthropicUsage {
  /** Without cached ones, which OpenAI includes. */
  input_tokens?: number | null
  cache_read_input_tokens?: number | null
  cache_creation_input_tokens?: number | null
  output_tokens?: number | null
}
