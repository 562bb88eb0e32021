/** What `openaiResponses` reads of a chunk. Objects of the SDK fit, and those of servers that extend them. */

/** A chunk of a Responses stream. Which fields it has depends on `type`. */
export interface OpenaiResponsesChunk {
  /** Such as `response.output_text.delta`. */
  type: string
  /** Only in `response.created`, `response.completed` and the like. */
  response?: OpenaiResponse
  /** Which output item it belongs to. */
  output_index?: number
  item_id?: string
  item?: { type: string; id?: string | null }
  delta?: unknown
}

/** A response, as far as it is read. */
export interface OpenaiResponse {
  id?: string
  model?: string
  status?: string | null
  output?: readonly { type: string }[]
  usage?: OpenaiResponsesUsage | null
  incomplete_details?: { reason?: string | null } | null
  error?: { code?: string | null; message?: string } | null
}

/** The tokens of a response. */
export interface OpenaiResponsesUsage {
  input_tokens?: number
  output_tokens?: number
  total_tokens?: number
  input_tokens_details?: { cached_tokens?: number | null } | null
  output_tokens_details?: { reasoning_tokens?: number | null } | null
}
