/** Amazon Bedrock ConverseStream. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { type Fields, fieldsOf, isFields } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import { begin, type ModelWriter, startResponse } from '../shared/model-writer.ts'
import { type NamedModelOptions, requireModel } from '../shared/options.ts'
import { reportType } from '../shared/report.ts'
import { complete, restart } from '../shared/response.ts'
import { readDelta, startBlock, stopBlock } from './read-block.ts'
import { endResults, readException, readStop, readUsage } from './read-end.ts'
import { chunkShape } from './shape.ts'
import { type BedrockState, initialState } from './state.ts'
import { chunksOfWhole } from './whole.ts'

/**
 * Converts the stream of a Bedrock ConverseStream request to event drafts, for an emitter: the objects of the SDK, or the
 * decoded messages of the event stream, each under its event type.
 *
 * Each text block is a text, each reasoning block a live thought with its signature; redacted reasoning is an empty
 * thought with `redacted` and its Base64 as the signature. `toolUse` blocks are calls of the application's tools, those of
 * type `server_tool_use` run at the provider. Citations are `sources` of the text, images are files.
 *
 * The `finishReason` is the `stopReason`; those of filters and of malformed output are followed by a `task-error`, as are
 * exceptions in the stream. `inputTokens` includes cached tokens, which those of the API do not. The last
 * `content-complete` waits for the usage, or else for the end of the stream.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `ended-early`: the stream ended, or another message started, before the message was complete
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`, `unknown-field`: something that is not read, once each
 * - `dropped:chunk`: after the end; `dropped:file`: not Base64; `dropped:image`: an image without bytes
 * - `inferred:toolCallId`: a call without an id; `inferred:tool-start`: a result without a call
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }))
 * for await (const draft of iterate(bedrockConverse({ model: modelId }), stream)) send(emitter.emit(draft))
 * ```
 */
export function bedrockConverse(
  options: NamedModelOptions = {},
): Machine<MachineState<'bedrockConverse'>, unknown, EventDraft, ModelEnd> {
  const machine = modelMachine<BedrockState>(
    'Bedrock Converse',
    options,
    initialState,
    chunkShape,
    (writer, chunk) => readChunk(writer, chunk, options.model ?? ''),
    endResults,
  )
  requireModel(options)
  return opaque(machine)
}

type Read = (writer: ModelWriter<BedrockState>, member: Fields) => void

const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['contentBlockStart', startBlock],
  ['contentBlockDelta', readDelta],
  ['contentBlockStop', stopBlock],
  ['messageStop', readStop],
  ['metadata', readUsage],
])

/** Reads the fields of a chunk: usually there is one. */
function readChunk(writer: ModelWriter<BedrockState>, chunk: Fields, model: string): void {
  const chunks = chunksOfWhole(chunk)
  if (chunks !== undefined) {
    for (const one of chunks) readChunk(writer, one, model)
    return
  }
  if (isFields(chunk.messageStart) && writer.state.stage !== 'waiting') {
    endResults(writer)
    restart(writer)
    writer.state.own = initialState
  }
  for (const [name, member] of Object.entries(chunk)) {
    if (member == null) continue
    if (writer.state.stage === 'ended') {
      writer.dropped('chunk', 'after-end', `Expected no ${name.slice(0, 64)} after the end of the message.`)
    } else if (name === 'error' || name.endsWith('Exception'))
      readException(writer, name.slice(0, 64), member)
    else if (name === 'messageStart' || reads.has(name)) {
      begin(writer, { model })
      if (writer.state.stage === 'waiting') startResponse(writer)
      reads.get(name)?.(writer, fieldsOf(member))
    } else reportType(writer, name, '')
  }
  if (writer.state.finishReason !== null && writer.state.usage !== null) complete(writer)
}
