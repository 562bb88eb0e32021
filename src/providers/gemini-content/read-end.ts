/** Why the model stopped, and what it used. */

import { refusalOf } from '../shared/errors.ts'
import { countOf, type Fields, sumOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { finish, hasFinished, setUsage } from '../shared/response.ts'
import { endThought } from '../shared/thoughts.ts'
import { cutFunctionCalls, endFunctionCalls } from './read-function-call.ts'
import { addSources } from './read-sources.ts'
import { type GeminiState, THOUGHT } from './state.ts'

type Writer = ModelWriter<GeminiState>

/** The code that errors of a reason are known by, for reasons that are one. */
const failures: ReadonlyMap<string, string> = new Map([
  ...'SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION IMAGE_OTHER MODEL_ARMOR JAILBREAK'
    .split(' ')
    .map((reason): [string, string] => [reason, 'content_filter']),
  ['MALFORMED_FUNCTION_CALL', 'malformed_function_call'],
  ['UNEXPECTED_TOOL_CALL', 'invalid_tool_call'],
  ['TOO_MANY_TOOL_CALLS', 'invalid_tool_call'],
  ['MALFORMED_RESPONSE', 'server_error'],
  ['NO_IMAGE', 'server_error'],
  ['OTHER', 'server_error'],
])

/** Reads why the model stopped. The end of the stream is the end of the response. */
export function readFinishReason(writer: Writer, reason: string, message: string): void {
  const { state } = writer
  if (reason === '' || hasFinished(writer, reason)) return
  if (reason === 'STOP') {
    endFunctionCalls(writer)
    endThought(writer, THOUGHT)
  }
  state.finishReason = reason
  const failure = failures.get(reason)
  if (failure === undefined) return
  state.error = refusalOf(writer, failure, message)
}

/** Reads that the request was blocked. */
export function readFeedback(writer: Writer, { blockReason, blockReasonMessage: message }: Fields): void {
  const reason = textOf(blockReason)
  if (reason === '') return
  readFinishReason(writer, reason, textOf(message))
  writer.state.error = refusalOf(writer, 'content_filter', textOf(message))
}

/** Ends the response, as far as it came. */
export function endResponse(writer: Writer): void {
  const { finishReason } = writer.state
  addSources(writer)
  if (finishReason === null) return
  cutFunctionCalls(writer)
  finish(writer, finishReason, finishReason !== 'STOP')
}

/** Thoughts are not among the tokens of candidates. */
export function readUsage(writer: Writer, usage: Fields): void {
  const { candidatesTokenCount, thoughtsTokenCount } = usage
  setUsage(writer, usage, {
    inputTokens: sumOf(usage.promptTokenCount, usage.toolUsePromptTokenCount),
    outputTokens: sumOf(candidatesTokenCount, thoughtsTokenCount),
    totalTokens: countOf(usage.totalTokenCount),
    reasoningTokens: countOf(thoughtsTokenCount),
    cachedInputTokens: countOf(usage.cachedContentTokenCount),
    cacheWriteInputTokens: undefined,
  })
}
