/** Why the interaction ended, and what it used. */

import { errorOf } from '../shared/errors.ts'
import { countOf, type Fields, fieldsOf, sumOf, textOf } from '../shared/fields.ts'
import { begin } from '../shared/model-writer.ts'
import { complete, finish, setUsage } from '../shared/response.ts'
import { citeSteps } from './read-step.ts'
import type { Writer } from './state.ts'

/** Reads the end of the interaction. */
export function endInteraction(writer: Writer, { id, model, status, usage, error }: Fields): void {
  begin(writer, { model: textOf(model), responseId: textOf(id) })
  const reason = textOf(status)
  const isWhole = reason === 'completed' || reason === 'requires_action'
  readUsage(writer, fieldsOf(usage))
  citeSteps(writer)
  finish(writer, reason || null, !isWhole)
  if (reason === 'failed' || error != null) {
    writer.state.error = errorOf(writer, error)
  }
  complete(writer)
}

/** Thoughts are not among the tokens of the output. */
function readUsage(writer: Writer, usage: Fields): void {
  const { total_output_tokens: output, total_thought_tokens: thoughts } = usage
  setUsage(writer, usage, {
    inputTokens: sumOf(usage.total_input_tokens, usage.total_tool_use_tokens),
    outputTokens: sumOf(output, thoughts),
    totalTokens: countOf(usage.total_tokens),
    reasoningTokens: countOf(thoughts),
    cachedInputTokens: countOf(usage.total_cached_tokens),
    cacheWriteInputTokens: undefined,
  })
}
