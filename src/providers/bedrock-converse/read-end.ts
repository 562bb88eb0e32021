/** Why the model stopped, and what it used. */

import { keepDetails } from '../shared/details.ts'
import { errorOf, refusalOf } from '../shared/errors.ts'
import { countOf, type Fields, fieldsOf, firstText, sumOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { reportFields } from '../shared/report.ts'
import { fail, finish, hasFinished, setUsage } from '../shared/response.ts'
import { describeLastText } from '../shared/texts.ts'
import { endRedacted } from './read-redacted.ts'
import { endResult } from './read-result.ts'
import type { BedrockState } from './state.ts'

type Writer = ModelWriter<BedrockState>

/** The code that errors of a reason are known by, for reasons that are one. */
const failures: ReadonlyMap<string, string> = new Map([
  ['content_filtered', 'content_filter'],
  ['guardrail_intervened', 'guardrail'],
  ['malformed_tool_use', 'malformed_tool_use'],
  ['malformed_model_output', 'server_error'],
  ['model_context_window_exceeded', 'context_window'],
  ['refusal', 'refusal'],
])

const stopFields = new Set(['stopReason', 'additionalModelResponseFields', 'p'])

/** Reads why the model stopped. Usage may follow. */
export function readStop(writer: Writer, stop: Fields): void {
  reportFields(writer, stop, stopFields, '/messageStop')
  const reason = textOf(stop.stopReason)
  if (reason === '' || hasFinished(writer, reason)) return
  const isCut = reason === 'max_tokens' || reason === 'model_context_window_exceeded'
  endResults(writer)
  const additional = fieldsOf(stop.additionalModelResponseFields)
  const stopSequence = firstText(additional.stop_sequence, fieldsOf(additional.delta).stop_sequence)
  if (stopSequence !== '') describeLastText(writer, { stopSequence })
  finish(writer, reason, isCut)
  const failure = failures.get(reason)
  if (failure === undefined) return
  writer.state.error = refusalOf(writer, failure)
}

/** Ends the results and the redacted reasoning whose blocks have no end. */
export function endResults(writer: Writer): void {
  for (const block of writer.state.own.blocks.open) {
    endResult(writer, block)
    endRedacted(writer, block.key)
  }
}

/** Reads an error of the stream, by its name, or one that the SDK threw: it ends the response. */
export function readException(writer: Writer, name: string, exception: unknown): void {
  const { message, originalMessage, originalStatusCode: status } = fieldsOf(exception)
  const stated = { type: name, message: message ?? originalMessage, status }
  endResults(writer)
  fail(writer, errorOf(writer, name === 'error' ? exception : stated))
}

/** Counts in the input what was read from the cache, and what was written to it: `inputTokens` has neither. */
export function readUsage(writer: Writer, metadata: Fields): void {
  const usage = fieldsOf(metadata.usage)
  const { inputTokens, cacheReadInputTokens: cached, cacheWriteInputTokens: written } = usage
  keepDetails(writer, metadata, ['metrics', 'trace', 'performanceConfig', 'serviceTier'])
  setUsage(writer, usage, {
    inputTokens: sumOf(inputTokens, cached, written),
    outputTokens: countOf(usage.outputTokens),
    totalTokens: countOf(usage.totalTokens),
    reasoningTokens: undefined,
    cachedInputTokens: countOf(cached),
    cacheWriteInputTokens: countOf(written),
  })
}
