/** The native API of Ollama. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { endCall, identifyCall, openCall } from '../shared/calls.ts'
import { addContent } from '../shared/content.ts'
import { keepDetails } from '../shared/details.ts'
import { errorOf } from '../shared/errors.ts'
import { countOf, type Fields, fieldsOf, jsonTextOf, objectsOf, sumOf, textOf } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import { begin, type ModelWriter, markResponse, startResponse } from '../shared/model-writer.ts'
import type { ModelOptions } from '../shared/options.ts'
import { reportDropped, reportFields, reportForeign, reportType } from '../shared/report.ts'
import { complete, fail, finish, setUsage } from '../shared/response.ts'
import { all, failure, list, number, object, type Shape, text } from '../shared/shape.ts'
import { addText } from '../shared/texts.ts'
import { addThought, endThought } from '../shared/thoughts.ts'

/**
 * Converts the stream of Ollama's `/api/chat` to event drafts, for an emitter: the objects of the SDK, or the messages of
 * `jsonDecoder`, which reads its lines of JSON. The endpoint `/v1/chat/completions` of Ollama is read by {@link openaiChat}.
 *
 * The text is content, `thinking` a live thought. Calls come whole, mostly without an id, which is then created. The
 * `finishReason` is the `done_reason`; the usage is that of the last chunk. An error ends the response with a `task-error`.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `ended-early`: the stream ended before the message was complete
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`, `unknown-field`: something that is not read, once each
 * - `dropped:chunk`: after the end; `dropped:images`: images of the message
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const { body } = await fetch('http://localhost:11434/api/chat', request)
 * for await (const draft of iterate(pipe(jsonDecoder(), ollamaChat()), body ?? [])) send(emitter.emit(draft))
 * ```
 */
export function ollamaChat(
  options: ModelOptions = {},
): Machine<MachineState<'ollamaChat'>, unknown, EventDraft, ModelEnd> {
  return opaque(modelMachine('Ollama', options, null, chunkShape, readChunk))
}

type Writer = ModelWriter<null>

const chunkShape: Shape = object({
  ...all(text, 'model done_reason'),
  message: object({
    ...all(text, 'content thinking'),
    tool_calls: list(object({ id: text, function: object({ name: text, arguments: object() }) })),
  }),
  ...all(number, 'prompt_eval_count eval_count'),
  error: failure,
})

const chunkDetails =
  'remote_model remote_host total_duration load_duration prompt_eval_duration eval_duration'.split(' ')
const chunkFields = new Set(
  'model remote_model remote_host created_at message done done_reason total_duration load_duration prompt_eval_count prompt_eval_duration eval_count eval_duration logprobs error'.split(
    ' ',
  ),
)
const messageFields = new Set('role content thinking tool_calls images'.split(' '))
const callFields = new Set('id type function'.split(' '))
const functionFields = new Set('index name arguments'.split(' '))

const TEXT = 'text'
const THINKING = 'thinking'

function readChunk(writer: Writer, chunk: Fields): void {
  if (chunk.message == null && typeof chunk.response === 'string') {
    reportForeign(writer, 'the /api/chat of Ollama', 'its /api/generate')
    return
  }
  if (writer.state.stage === 'ended') {
    writer.dropped('chunk', 'after-end', 'Expected no chunk after the end of the response.')
    return
  }
  if (chunk.error != null) {
    fail(writer, errorOf(writer, chunk.error))
    return
  }
  if (chunk.message === undefined && chunk.done === undefined) {
    reportType(writer, chunk.type, '')
    return
  }
  begin(writer, { model: textOf(chunk.model) })
  if (textOf(chunk.created_at) !== '') markResponse(writer, [chunk.model, chunk.created_at])
  if (writer.state.stage === 'waiting') startResponse(writer)
  readMessage(writer, fieldsOf(chunk.message))
  reportFields(writer, chunk, chunkFields, '')
  if (chunk.done !== true) return
  const [inputTokens, outputTokens] = [countOf(chunk.prompt_eval_count), countOf(chunk.eval_count)]
  setUsage(
    writer,
    {},
    {
      inputTokens,
      outputTokens,
      totalTokens: sumOf(inputTokens, outputTokens),
      reasoningTokens: undefined,
      cachedInputTokens: undefined,
      cacheWriteInputTokens: undefined,
    },
  )
  keepDetails(writer, chunk, chunkDetails)
  const reason = textOf(chunk.done_reason)
  finish(writer, reason || 'stop', reason === 'length')
  complete(writer)
}

function readMessage(writer: Writer, message: Fields): void {
  const { thinking, content, tool_calls: calls, images } = message
  if (writer.state.contents.length === 0) {
    addContent(
      writer,
      'message',
      { of: 'message-object', path: [THINKING], labelPath: [] },
      { role: 'assistant' },
    )
  }
  if (textOf(thinking) !== '') addThought(writer, THINKING, textOf(thinking))
  if (textOf(content) !== '') {
    endThought(writer, THINKING)
    addText(writer, TEXT, textOf(content))
  }
  for (const call of objectsOf(calls)) readCall(writer, call)
  if (Array.isArray(images) && images.length > 0) {
    reportDropped(writer, 'images', 'Images of a message have no type, which files need.')
  }
  reportFields(writer, message, messageFields, '/message')
}

function readCall(writer: Writer, call: Fields): void {
  const called = fieldsOf(call.function)
  const key = `call ${writer.state.calls.length}`
  endThought(writer, THINKING)
  openCall(writer, key, { toolCallId: textOf(call.id), toolName: textOf(called.name) })
  identifyCall(writer, key)
  endCall(writer, key, jsonTextOf(fieldsOf(called.arguments)))
  reportFields(writer, call, callFields, '/message/tool_calls')
  reportFields(writer, called, functionFields, '/message/tool_calls/function')
}
