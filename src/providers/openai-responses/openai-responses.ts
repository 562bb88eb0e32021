/** OpenAI Responses, in the dialects of the servers that speak it. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { errorOf } from '../shared/errors.ts'
import { type Fields, fieldsOf, textOf } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import type { ModelOptions } from '../shared/options.ts'
import { reportFields } from '../shared/report.ts'
import { fail, readUnknown } from '../shared/response.ts'
import { endItem, openItem, readArguments, readPart, readWholeArguments } from './items.ts'
import { readPiece, readWhole } from './parts.ts'
import { beginResponse, endResponse } from './read-response.ts'
import { endServerArguments, readProgress, readShellOutput } from './server-items.ts'
import { chunkShape } from './shape.ts'
import { readAnnotation } from './sources.ts'
import { initialState, isRepeated, type ResponsesState } from './state.ts'

/**
 * Converts the stream of an OpenAI Responses request to event drafts, for an emitter: parsed chunks, or the messages of
 * `jsonDecoder`. Reads also what Azure, xAI, OpenRouter, LM Studio and DeepSeek send instead.
 *
 * Each message item is a text, each reasoning item a live thought; items may overlap. Functions, custom tools, shells and
 * patches are calls of the application's tools; web search, file search, the code interpreter, image generation and MCP
 * servers run at the provider and are complete with start, progress and result. Input that is not JSON is streamed as
 * `{"input":"…"}`. A response to resume with `starting_after` continues from the state that was stored.
 *
 * The `finishReason` is the reason why the response is incomplete, `refusal`, or `completed`.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `done-differs`: a text that differs from its deltas, which are kept, or arguments, of a call that is then
 *   invalid; `detail.done` has the whole
 * - `ended-early`: the stream ended before the response did
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`: a chunk, item or part that is not read; `unknown-field`: a field of a chunk; once each
 * - `dropped:chunk`: after the end, or with a `sequence_number` that was read before;
 *   `dropped:mcp_approval_request`: the same again; `dropped:file`: not Base64
 * - `inferred:toolCallId`: a call without an id
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const stream = await client.responses.create({ model, input, stream: true })
 * for await (const draft of iterate(openaiResponses(), stream)) send(emitter.emit(draft))
 * ```
 */
export function openaiResponses(
  options: ModelOptions = {},
): Machine<MachineState<'openaiResponses'>, unknown, EventDraft, ModelEnd> {
  return opaque(
    modelMachine<ResponsesState>('OpenAI Responses', options, initialState, chunkShape, readChunk),
  )
}

type Read = (writer: ModelWriter<ResponsesState>, chunk: Fields) => void

const nothing: Read = () => {}

/** The types of chunks. Those that progress is read from end with the name of a stage. */
const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['response.created', (writer, { response }) => beginResponse(writer, fieldsOf(response), true)],
  ['response.queued', (writer, { response }) => beginResponse(writer, fieldsOf(response), false)],
  ['response.in_progress', (writer, { response }) => beginResponse(writer, fieldsOf(response), false)],
  ['response.completed', (writer, { response }) => endResponse(writer, fieldsOf(response))],
  ['response.incomplete', (writer, { response }) => endResponse(writer, fieldsOf(response))],
  [
    'response.cancelled',
    (writer, { response }) => endResponse(writer, { status: 'cancelled', ...fieldsOf(response) }),
  ],
  [
    'response.failed',
    (writer, { response }) => endResponse(writer, { status: 'failed', ...fieldsOf(response) }),
  ],
  ['response.output_item.added', openItem],
  ['response.output_item.done', endItem],
  ['response.content_part.added', nothing],
  ['response.content_part.done', (writer, chunk) => readPart(writer, chunk, fieldsOf(chunk.part))],
  ['response.output_text.delta', (writer, chunk) => readPiece(writer, chunk, 'text', chunk.content_index)],
  [
    'response.output_text.done',
    (writer, chunk) => readWhole(writer, chunk, 'text', chunk.content_index, chunk.text),
  ],
  [
    'response.output_text.annotation.added',
    (writer, chunk) => readAnnotation(writer, chunk, fieldsOf(chunk.annotation)),
  ],
  ['response.refusal.delta', (writer, chunk) => readPiece(writer, chunk, 'refusal', chunk.content_index)],
  [
    'response.refusal.done',
    (writer, chunk) => readWhole(writer, chunk, 'refusal', chunk.content_index, chunk.refusal),
  ],
  ['response.reasoning_summary_part.added', nothing],
  ['response.reasoning_summary_part.done', nothing],
  [
    'response.reasoning_summary_text.delta',
    (writer, chunk) => readPiece(writer, chunk, 'summary', chunk.summary_index),
  ],
  [
    'response.reasoning_summary_text.done',
    (writer, chunk) => readWhole(writer, chunk, 'summary', chunk.summary_index, chunk.text),
  ],
  [
    'response.reasoning_text.delta',
    (writer, chunk) => readPiece(writer, chunk, 'reasoning', chunk.content_index),
  ],
  [
    'response.reasoning_text.done',
    (writer, chunk) => readWhole(writer, chunk, 'reasoning', chunk.content_index, chunk.text),
  ],
  ['response.function_call_arguments.delta', readArguments],
  [
    'response.function_call_arguments.done',
    (writer, chunk) => readWholeArguments(writer, chunk, chunk.arguments),
  ],
  ['response.custom_tool_call_input.delta', readArguments],
  ['response.custom_tool_call_input.done', (writer, chunk) => readWholeArguments(writer, chunk, chunk.input)],
  ['response.apply_patch_call_operation_diff.delta', readArguments],
  [
    'response.apply_patch_call_operation_diff.done',
    (writer, chunk) => readWholeArguments(writer, chunk, chunk.diff),
  ],
  ['response.shell_call_command.added', nothing],
  [
    'response.shell_call_command.delta',
    (writer, chunk) => readPiece(writer, chunk, 'command', chunk.command_index),
  ],
  [
    'response.shell_call_command.done',
    (writer, chunk) => readWhole(writer, chunk, 'command', chunk.command_index, chunk.command),
  ],
  ['response.shell_call_output_content.delta', readShellOutput],
  ['response.shell_call_output_content.done', nothing],
  ['response.mcp_call_arguments.delta', readArguments],
  ['response.mcp_call_arguments.done', (writer, chunk) => endServerArguments(writer, chunk, chunk.arguments)],
  ['response.code_interpreter_call_code.delta', readArguments],
  [
    'response.code_interpreter_call_code.done',
    (writer, chunk) => endServerArguments(writer, chunk, chunk.code),
  ],
  ['response.image_generation_call.partial_image', readProgress],
  ['keepalive', nothing],
  ['ping', nothing],
  ['error', (writer, chunk) => fail(writer, errorOf(writer, chunk.error ?? chunk))],
])

const chunkFields = new Set(
  'type sequence_number response output_index item item_id content_index part delta text annotation annotation_index logprobs obfuscation summary_index refusal arguments name code diff command command_index input output partial_image_index partial_image_b64 size quality background output_format error message param stream_id agent'.split(
    ' ',
  ),
)

/** `response.web_search_call.searching` and the like. Tools are complete at the end of their item. */
const PROGRESS = /^response\.\w+_call\.(in_progress|searching|interpreting|generating|completed|failed)$/
const BOOKKEEPING = /^response\.mcp_list_tools\./

function readChunk(writer: ModelWriter<ResponsesState>, chunk: Fields, event: string): void {
  const type = textOf(chunk.type) || (chunk.object === 'response' ? 'response' : event)
  const read = reads.get(type)
  if (writer.state.stage === 'ended' && type !== 'response.created' && read !== nothing) {
    writer.dropped(
      'chunk',
      'after-end',
      `Expected no chunk after the end of the response, got ${type.slice(0, 64)}.`,
    )
    return
  }
  const isAnother =
    type === 'response.created' && textOf(fieldsOf(chunk.response).id) !== writer.state.responseId
  if (isAnother) writer.state.own = { ...writer.state.own, seen: [] }
  if (isRepeated(writer, chunk)) {
    writer.dropped(
      'chunk',
      'repeated',
      `Expected each sequence_number once, got ${chunk.sequence_number} again.`,
    )
    return
  }
  if (type === 'response') {
    endResponse(writer, chunk)
    return
  }
  if (read !== undefined) read(writer, chunk)
  else if (PROGRESS.test(type)) {
    if (!/completed|failed$/.test(type)) readProgress(writer, chunk)
  } else if (!BOOKKEEPING.test(type)) {
    readUnknown(writer, chunk, type)
    return
  }
  reportFields(writer, chunk, chunkFields, '')
}
