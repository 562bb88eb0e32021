/** The chunks of an OpenAI Chat Completions stream, as this package writes them. */

/** What a server sends: a chunk of the completion, or the error that ends the stream. */
export type ChatCompletionEvent = ChatCompletionChunk | ChatCompletionError

/** A chunk of a streamed completion. */
export interface ChatCompletionChunk {
  /** The same in all chunks of a completion: `chatcmpl-` and the id of the task. */
  id: string
  object: 'chat.completion.chunk'
  /** When the completion began, in seconds since 1970. */
  created: number
  model: string
  /** One choice; none in the chunk that has the usage. */
  choices: ChatCompletionChoice[]
  usage?: ChatCompletionUsage
}

/** The message, as a chunk continues it. */
export interface ChatCompletionChoice {
  index: 0
  delta: ChatCompletionDelta
  /** Why the completion ended, in its last chunk; `null` in the others. */
  finish_reason: ChatFinishReason | null
}

/** Why a completion ended: `tool_calls` if the client is to run calls. */
export type ChatFinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** What a chunk adds to the message. */
export interface ChatCompletionDelta {
  role?: 'assistant'
  content?: string
  /** The reasoning of the model, as DeepSeek and others send it. */
  reasoning_content?: string
  tool_calls?: ChatCompletionToolCall[]
}

/** A piece of a tool call: the first one names it, the others add to its arguments. */
export interface ChatCompletionToolCall {
  /** The place of the call among those of the message, from 0. */
  index: number
  id?: string
  type?: 'function'
  function: { name?: string; arguments: string }
}

/** The tokens of all model responses of the task. */
export interface ChatCompletionUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Omitted if unknown. */
  prompt_tokens_details?: { cached_tokens: number }
  /** Omitted if unknown. */
  completion_tokens_details?: { reasoning_tokens: number }
}

/** An error that ends the stream. Clients throw it. */
export interface ChatCompletionError {
  /** `code` and `type` are the code of the error, such as `rate_limited`. */
  error: { message: string; type: string; code: string; param: null }
}
