/** Gemini Interactions. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { errorOf } from '../shared/errors.ts'
import { type Fields, fieldsOf, objectsOf, textOf } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import { begin, startResponse } from '../shared/model-writer.ts'
import type { ModelOptions } from '../shared/options.ts'
import { reportFields } from '../shared/report.ts'
import { fail, readUnknown, restart } from '../shared/response.ts'
import { endInteraction } from './read-end.ts'
import { citeSteps, readDelta, startStep, stopStep } from './read-step.ts'
import { chunkShape } from './shape.ts'
import { initialState, type Writer } from './state.ts'

/**
 * Converts the stream of a Gemini Interactions request to event drafts, for an emitter: parsed chunks, or the messages of
 * `jsonDecoder`.
 *
 * Each `model_output` is a text, each `thought` a live thought with its signature; `function_call`s are calls of the
 * application's tools. Searches, code execution and other tools run at the provider and are complete with start and result.
 * Annotations are `sources` of the text, images are files.
 *
 * The `finishReason` is the `status` of the interaction, such as `completed` or `requires_action`.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `ended-early`: the stream ended, or another interaction started, before the interaction was complete
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`, `unknown-field`: something that is not read, once each
 * - `dropped:chunk`: after the end; `dropped:file`: not Base64
 * - `inferred:toolCallId`: a call without an id; `inferred:tool-start`: a result without a call;
 *   `inferred:step.start`: a delta without a step
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const stream = await client.interactions.create({ model, input, stream: true })
 * for await (const draft of iterate(geminiInteractions(), stream)) send(emitter.emit(draft))
 * ```
 */
export function geminiInteractions(
  options: ModelOptions = {},
): Machine<MachineState<'geminiInteractions'>, unknown, EventDraft, ModelEnd> {
  return opaque(modelMachine('Gemini Interactions', options, initialState, chunkShape, readChunk, citeSteps))
}

type Read = (writer: Writer, chunk: Fields) => void

const nothing: Read = () => {}

const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['interaction.created', (writer, { interaction }) => beginInteraction(writer, fieldsOf(interaction))],
  ['interaction.status_update', nothing],
  ['interaction.completed', (writer, { interaction }) => endInteraction(writer, fieldsOf(interaction))],
  ['step.start', startStep],
  ['step.delta', readDelta],
  ['step.stop', stopStep],
  ['error', (writer, { error }) => fail(writer, errorOf(writer, error))],
])

const chunkFields = new Set(
  'event_type event_id interaction interaction_id status index step delta error'.split(' '),
)

function readChunk(writer: Writer, chunk: Fields, event: string): void {
  const type = textOf(chunk.event_type) || (event === 'message' ? '' : event)
  const read = reads.get(type)
  if (writer.state.stage === 'ended' && type !== 'interaction.created' && read !== nothing) {
    writer.dropped('chunk', 'after-end', `Expected no ${type.slice(0, 64)} after the end of the interaction.`)
  } else if (read === undefined) readOther(writer, chunk, type)
  else {
    read(writer, chunk)
    reportFields(writer, chunk, chunkFields, '')
  }
}

/** Reads an interaction that is not streamed, or reports what is not known. */
function readOther(writer: Writer, chunk: Fields, type: string): void {
  const chunks = type === '' ? chunksOfWhole(chunk) : undefined
  if (chunks === undefined) readUnknown(writer, chunk, type)
  else for (const one of chunks) readChunk(writer, one, '')
}

function beginInteraction(writer: Writer, { id, model }: Fields): void {
  if (writer.state.stage !== 'waiting') citeSteps(writer)
  restart(writer)
  writer.state.own = initialState
  begin(writer, { model: textOf(model), responseId: textOf(id) })
  if (writer.state.stage === 'waiting') startResponse(writer)
}

/** The chunks that a stream would have; `undefined` of anything but an interaction. */
function chunksOfWhole(value: Fields): Fields[] | undefined {
  const { steps, outputs = steps } = value
  if (value.object !== 'interaction' && !Array.isArray(outputs)) return undefined
  const content = objectsOf(outputs).flatMap((item, index): Fields[] => {
    // Earlier versions list the content of steps.
    const isStep = /_(output|call|result)$|^thought$/.test(String(item.type))
    const step = isStep ? item : { type: 'model_output', content: [item] }
    return [
      { event_type: 'step.start', index, step },
      { event_type: 'step.stop', index },
    ]
  })
  return [
    { event_type: 'interaction.created', interaction: value },
    ...content,
    { event_type: 'interaction.completed', interaction: value },
  ]
}
