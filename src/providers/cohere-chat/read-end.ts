/** Why the model stopped, and what it used. */

import { refusalOf } from '../shared/errors.ts'
import { countOf, type Fields, fieldsOf, sumOf, textOf } from '../shared/fields.ts'
import { complete, finish, setUsage } from '../shared/response.ts'
import type { Writer } from './state.ts'

/** The code that errors of a reason are known by, for reasons that are one. */
const failures: ReadonlyMap<string, string> = new Map([
  ['ERROR', 'server_error'],
  ['ERROR_TOXIC', 'content_filter'],
  ['ERROR_LIMIT', 'context_length'],
  ['TIMEOUT', 'timeout'],
])

/** Reads the end of the message, which states the usage. */
export function endMessage(writer: Writer, { finish_reason: reason, usage, error }: Fields): void {
  readUsage(writer, fieldsOf(usage))
  const finishReason = textOf(reason)
  const failure = failures.get(finishReason)
  finish(writer, finishReason || null, finishReason === 'MAX_TOKENS' || failure !== undefined)
  if (failure !== undefined) writer.state.error = refusalOf(writer, failure, textOf(error))
  complete(writer)
}

/** The tokens of the model, which may be more than are billed. */
function readUsage(writer: Writer, usage: Fields): void {
  const { input_tokens: input, output_tokens: output } = fieldsOf(usage.tokens ?? usage.billed_units)
  const counts = { inputTokens: countOf(input), outputTokens: countOf(output) }
  setUsage(writer, usage, {
    ...counts,
    totalTokens: sumOf(counts.inputTokens, counts.outputTokens),
    reasoningTokens: countOf(fieldsOf(usage.tokens).reasoning_tokens),
    cachedInputTokens: countOf(usage.cached_tokens),
    cacheWriteInputTokens: undefined,
  })
}
