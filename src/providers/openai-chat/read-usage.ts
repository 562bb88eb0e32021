/** The tokens of a response, in the places where servers state them. */

import { countOf, type Fields, fieldsOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { setUsage } from '../shared/response.ts'
import type { ChatState } from './state.ts'

/** In the chunk; Moonshot: in the choice; Groq: in `x_groq`. */
export function readUsage(writer: ModelWriter<ChatState>, chunk: Fields, choice: Fields): void {
  const usage = chunk.usage ?? choice.usage ?? fieldsOf(chunk.x_groq).usage
  if (usage == null) return
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total, ...rest } = fieldsOf(usage)
  const { prompt_tokens_details: inputDetails, completion_tokens_details: outputDetails } = rest
  setUsage(writer, fieldsOf(usage), {
    inputTokens: countOf(input),
    outputTokens: countOf(output),
    totalTokens: countOf(total),
    reasoningTokens: countOf(fieldsOf(outputDetails).reasoning_tokens),
    cachedInputTokens: countOf(fieldsOf(inputDetails).cached_tokens ?? rest.prompt_cache_hit_tokens),
    cacheWriteInputTokens: countOf(fieldsOf(inputDetails).cache_write_tokens),
  })
}
