/** What `cohereChat` reads of a chunk. Objects of the SDK fit. */

/** A chunk of a Cohere v2 chat stream. Which fields it has depends on `type`. */
export interface CohereChatChunk {
  /** `message-start`, `content-delta`, `tool-call-start` and the like. */
  type: string
  /** Only in `message-start`. */
  id?: string
  /** Which content, call or citation of the message it belongs to. */
  index?: number
  delta?: {
    /** What the chunk adds to the message. */
    message?: object
    /** Only in `message-end`: `COMPLETE`, `MAX_TOKENS`, `TOOL_CALL` and the like. */
    finish_reason?: string | null
    /** Only in `message-end`. */
    usage?: object | null
    /** Only in `message-end`: why the model failed. */
    error?: string | null
  } | null
}
