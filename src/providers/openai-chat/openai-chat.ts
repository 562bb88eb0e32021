/** OpenAI Chat Completions, in the dialects of the servers that speak it. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { hasWaitingCall } from '../shared/calls.ts'
import { keepDetails } from '../shared/details.ts'
import { errorOf, refusalOf } from '../shared/errors.ts'
import { countOf, type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import { begin, type ModelWriter } from '../shared/model-writer.ts'
import type { ModelOptions } from '../shared/options.ts'
import { reportDropped, reportFields, reportType } from '../shared/report.ts'
import { complete, fail, finish, hasFinished, setUsage } from '../shared/response.ts'
import { openTextOf } from '../shared/texts.ts'
import { readDelta } from './read-delta.ts'
import { readMessage } from './read-message.ts'
import { readCitations } from './read-sources.ts'
import { chunkShape } from './shape.ts'
import { type ChatState, initialState, REFUSAL } from './state.ts'

/**
 * Converts the stream of an OpenAI Chat Completions request to event drafts, for an emitter: parsed chunks, or the
 * messages of `jsonDecoder`. Reads also what Azure, Groq, xAI, Mistral, DeepSeek, Moonshot, Z.ai, OpenRouter,
 * Perplexity, vLLM, Ollama and others send instead.
 *
 * Text is content, reasoning is live thoughts, and the arguments of tool calls are streamed; `usage` and the finish
 * reason are those of the last `content-complete`, whose text is empty if the model only called tools. It waits for
 * the chunk that has the usage alone, or else for the end of the stream. An error in the stream, and an early end, end the
 * response with a `task-error`.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `done-differs`: a whole message after the deltas that has another text than these, which are kept, or other arguments,
 *   of a call that is then invalid; `detail.done` has the whole
 * - `ended-early`: the stream ended without a finish reason
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`, `unknown-field`: something that is not read, once each
 * - `dropped:chunk`: after the end; `dropped:choice`: a choice other than the first one;
 *   `dropped:audio`; `dropped:file`: not Base64
 * - `inferred:toolCallId`: a call without an id
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const { body } = await fetch('https://api.openai.com/v1/chat/completions', request)
 * for await (const draft of iterate(pipe(jsonDecoder(), openaiChat()), body ?? [])) send(emitter.emit(draft))
 * ```
 */
export function openaiChat(
  options: ModelOptions = {},
): Machine<MachineState<'openaiChat'>, unknown, EventDraft, ModelEnd> {
  return opaque(modelMachine<ChatState>('Chat Completions', options, initialState, chunkShape, readChunk))
}

/** What no event has. */
const chunkDetails =
  'service_tier system_fingerprint moderation x_groq search_results prompt_filter_results timings generationId latency_checkpoint related_questions input_sensitive output_sensitive'.split(
    ' ',
  )
const chunkFields = new Set([
  ...'id object created model provider choices usage obfuscation error citations p base_resp'.split(' '),
  ...chunkDetails,
])

const choiceDetails =
  'native_finish_reason content_filter_results content_filter_result stop_reason matched_stop'.split(' ')
const choiceFields = new Set([
  ...'index delta message text finish_reason logprobs usage error token_ids'.split(' '),
  ...choiceDetails,
])

function readChunk(writer: ModelWriter<ChatState>, chunk: Fields, event: string): void {
  const { id, model, provider, choices, error, object } = chunk
  const list = objectsOf(choices)
  const choice = list.find(({ index = 0 }) => index === 0)
  if (writer.state.stage === 'ended') {
    if (choice !== undefined || chunk.usage != null) {
      writer.dropped('chunk', 'after-end', 'Expected no choice and no usage after the end of the response.')
    }
    return
  }
  begin(writer, { model: textOf(model), responseId: textOf(id), provider: textOf(provider) })
  readUsage(writer, chunk, fieldsOf(choice))
  keepDetails(writer, chunk, chunkDetails)
  if (Array.isArray(choices)) reportFields(writer, chunk, chunkFields, '')
  readCitations(writer, chunk)
  if (choice !== undefined) readChoice(writer, choice)
  if (list.length > (choice === undefined ? 0 : 1)) {
    reportDropped(writer, 'choice', 'Expected one choice, got several. The first one is read.')
  }
  const failure =
    error ??
    choice?.error ??
    failureIn(chunk.base_resp) ??
    (object === 'error' || event === 'error' ? chunk : undefined)
  if (failure != null) fail(writer, errorOf(writer, failure))
  else if (!Array.isArray(choices)) reportType(writer, object, '')
  // Usage alone is sent last, and by some servers also before. Arguments may still follow.
  else if (list.length === 0 && chunk.usage != null) {
    if (writer.state.isFinished && !hasWaitingCall(writer)) complete(writer)
  }
}

function readChoice(writer: ModelWriter<ChatState>, choice: Fields): void {
  keepDetails(writer, choice, choiceDetails)
  reportFields(writer, choice, choiceFields, '/choices/0')
  const delta = fieldsOf(choice.delta)
  // Beside a delta, some servers send it again as the message, others the message so far.
  if (Object.keys(delta).length > 0) readDelta(writer, delta)
  else if (textOf(choice.text) !== '') readDelta(writer, { content: choice.text })
  else readMessage(writer, fieldsOf(choice.message))
  const reason = firstText(choice.finish_reason)
  if (reason === '' || hasFinished(writer, reason)) return
  if (reason === 'error') {
    // Calls do not start: they may lack arguments. The error may stand beside the reason, or follow.
    writer.state.isFinished = true
    writer.state.finishReason = reason
    writer.state.error = errorOf(writer, {})
    return
  }
  const refusal = openTextOf(writer, REFUSAL)
  finish(writer, reason, reason === 'length')
  if (refusal !== '') writer.state.error = refusalOf(writer, 'refusal')
  else if (reason === 'content_filter') writer.state.error = refusalOf(writer, reason)
}

/** MiniMax: the status of a request that failed. */
function failureIn(status: unknown): Fields | undefined {
  const { status_code: code, status_msg: message } = fieldsOf(status)
  return typeof code === 'number' && code !== 0
    ? { code: minimaxCodes.get(code) ?? code, message }
    : undefined
}

/** The codes of MiniMax for faults that have a name. */
const minimaxCodes: ReadonlyMap<number, string> = new Map([
  [1001, 'timeout'],
  [1002, 'rate_limit'],
  [1004, 'unauthenticated'],
  [1008, 'insufficient_quota'],
  [1026, 'content_filter'],
  [1027, 'content_filter'],
  [1039, 'context_length'],
  [2013, 'invalid_request'],
])

/** In the chunk; Moonshot: in the choice; Groq: in `x_groq`. */
function readUsage(writer: ModelWriter<ChatState>, chunk: Fields, choice: Fields): void {
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
