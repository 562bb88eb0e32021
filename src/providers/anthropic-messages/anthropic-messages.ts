/** Anthropic Messages, also as Bedrock, Vertex AI and Foundry send them. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { keepDetails } from '../shared/details.ts'
import { errorOf } from '../shared/errors.ts'
import { type Fields, fieldsOf, textOf } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import type { ModelOptions } from '../shared/options.ts'
import { reportFields } from '../shared/report.ts'
import { complete, fail, readUnknown } from '../shared/response.ts'
import { readDelta, startBlock, stopBlock } from './read-block.ts'
import { beginMessage, readMessage, readMessageDelta } from './read-message.ts'
import { chunkShape } from './shape.ts'
import { type AnthropicState, initialState } from './state.ts'

/**
 * Converts the stream of an Anthropic Messages request to event drafts, for an emitter: parsed chunks, or the messages
 * of `jsonDecoder`. Reads also the streams of Bedrock, Vertex AI and Foundry, and a message that is not streamed.
 *
 * Each text block is a text, each thinking block a live thought with its signature; redacted thinking is an empty thought
 * with `redacted` and the encrypted text as its signature. `tool_use` blocks are calls of the application's tools; server
 * tools and MCP servers run at the provider and are complete with start and result. Citations are `sources` of the text.
 *
 * The `finishReason` is the `stop_reason`; `metadata.stopSequence` of the last text is the sequence that stopped the model. A refusal is followed by a `task-error`. `inputTokens` includes cached tokens,
 * which `input_tokens` of the API does not.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `ended-early`: the stream ended, or another message started, before the message was complete
 * - `model-changed`: another model continues the message
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`, `unknown-field`: something that is not read, once each
 * - `dropped:chunk`: after the end; `dropped:file`: not Base64; `dropped:message_start`: the same
 *   again; `dropped:arguments`: deltas of arguments that came as a whole
 * - `inferred:toolCallId`: a call without an id; `inferred:tool-start`: a result without a call;
 *   `inferred:content_block_start`: a delta without a block
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const stream = await client.messages.create({ model, max_tokens, messages, stream: true })
 * for await (const draft of iterate(anthropicMessages(), stream)) send(emitter.emit(draft))
 * ```
 */
export function anthropicMessages(
  options: ModelOptions = {},
): Machine<MachineState<'anthropicMessages'>, unknown, EventDraft, ModelEnd> {
  return opaque(
    modelMachine<AnthropicState>('Anthropic Messages', options, initialState, chunkShape, readChunk),
  )
}

type Read = (writer: ModelWriter<AnthropicState>, chunk: Fields) => void

const nothing: Read = () => {}

const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['message_start', (writer, { message }) => beginMessage(writer, fieldsOf(message))],
  ['message', readMessage],
  ['content_block_start', startBlock],
  ['content_block_delta', readDelta],
  ['content_block_stop', stopBlock],
  ['message_delta', readMessageDelta],
  ['message_stop', complete],
  ['error', (writer, chunk) => fail(writer, errorOf(writer, chunk.error ?? chunk))],
  ['ping', nothing],
])

/** What no event has. */
const chunkDetails = 'context_management input_transformations amazon-bedrock-invocationMetrics'.split(' ')
const chunkFields = new Set(
  'type index message content_block delta usage error request_id context_management input_transformations amazon-bedrock-invocationMetrics'.split(
    ' ',
  ),
)

function readChunk(writer: ModelWriter<AnthropicState>, chunk: Fields, event: string): void {
  // The name of an SSE message without one is `message`.
  const type = textOf(chunk.type) || (event === 'message' ? '' : event)
  const read = reads.get(type)
  const isStart = type === 'message_start' || type === 'message'
  if (writer.state.stage === 'ended' && !isStart && read !== nothing) {
    writer.dropped(
      'chunk',
      'after-end',
      `Expected no chunk after the end of the message, got ${type.slice(0, 64)}.`,
    )
    return
  }
  keepDetails(writer, chunk, chunkDetails)
  if (read === undefined) {
    readUnknown(writer, chunk, type)
    return
  }
  read(writer, chunk)
  if (type !== 'message') reportFields(writer, chunk, chunkFields, '')
}
