/** What `ollamaChat` reads of a chunk. Objects of the SDK fit. */

/** A chunk of the stream of `/api/chat`. */
export interface OllamaChatChunk {
  model?: string
  /** What the chunk adds to the message. */
  message?: {
    content?: string
    thinking?: string
    /** Each call is whole. */
    tool_calls?: readonly { id?: string; function: { name: string; arguments: object } }[]
  }
  /** Whether it is the last chunk. */
  done?: boolean
  /** Only in the last chunk: `stop`, `length` and the like. */
  done_reason?: string
  /** Only in the last chunk: the tokens of the prompt. */
  prompt_eval_count?: number
  /** Only in the last chunk: the tokens of the response. */
  eval_count?: number
  /** An error that ends the stream. */
  error?: string
}
