/** Gemini `streamGenerateContent`, of the Gemini API and Vertex AI. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { keepDetails } from '../shared/details.ts'
import { errorOf } from '../shared/errors.ts'
import { type Fields, fieldsOf, isFields, objectsOf, textOf } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import { begin, type ModelWriter, startResponse } from '../shared/model-writer.ts'
import type { ModelOptions } from '../shared/options.ts'
import { reportFields, reportType } from '../shared/report.ts'
import { fail, restart } from '../shared/response.ts'
import { endResponse, readFeedback, readFinishReason, readUsage } from './read-end.ts'
import { readPart } from './read-part.ts'
import { readSources } from './read-sources.ts'
import { chunkShape } from './shape.ts'
import { type GeminiState, initialState } from './state.ts'

/**
 * Converts the stream of a Gemini `streamGenerateContent` request to event drafts, for an emitter: parsed chunks, or the
 * messages of `jsonDecoder`. Reads also the streams of Vertex AI.
 *
 * The text of a response is one text, parts with `thought` are live thoughts. A `thoughtSignature` is the signature of
 * the call it stands with, or else of the thought before it, which may be empty. Arguments that arrive as values at JSON
 * paths are streamed as JSON text; those out of order follow at the end, as members that replace earlier ones with the
 * same name. Calls may continue side by side, and beside text. Code execution and tools such as Google Search run at the provider. Grounding and citations are `sources` of
 * the text; images and other inline data are files.
 *
 * The stream has no end marker: the last `content-complete`, with finish reason and usage, follows at its end.
 * The `finishReason` is that of the candidate, or the `blockReason` of the request; those of filters and of malformed
 * calls are followed by a `task-error`.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `invalid-path`: an argument without a place, which leaves them incomplete; `dropped:arguments`: those of a call that
 *   has ended
 * - `ended-early`: the stream ended without a finish reason
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`, `unknown-field`: something that is not read, once each
 * - `dropped:chunk`: after an error; `dropped:candidate`: a candidate other than the first one;
 *   `dropped:file`: not Base64; `dropped:<part>`: a part without equivalent, such as `fileData`, once each
 * - `inferred:toolCallId`: a call without an id; `inferred:tool-start`: a result without a call
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const stream = await client.models.generateContentStream({ model, contents })
 * for await (const draft of iterate(geminiContent(), stream)) send(emitter.emit(draft))
 * ```
 */
export function geminiContent(
  options: ModelOptions = {},
): Machine<MachineState<'geminiContent'>, unknown, EventDraft, ModelEnd> {
  return opaque(
    modelMachine<GeminiState>('Gemini', options, initialState, chunkShape, readChunk, endResponse),
  )
}

type Writer = ModelWriter<GeminiState>

const chunkDetails = ['modelStatus', 'customMetadata']
const chunkFields = new Set(
  'candidates promptFeedback usageMetadata modelVersion responseId createTime modelStatus sdkHttpResponse automaticFunctionCallingHistory error customMetadata'.split(
    ' ',
  ),
)

/** What no event has, or not all of it. */
const candidateDetails =
  'groundingMetadata citationMetadata urlContextMetadata groundingAttributions continuationToken safetyRatings tokenCount avgLogprobs'.split(
    ' ',
  )
const candidateFields = new Set([
  ...'index content finishReason finishMessage logprobsResult'.split(' '),
  ...candidateDetails,
])

function readChunk(writer: Writer, chunk: Fields): void {
  const { candidates, promptFeedback, usageMetadata, error } = chunk
  const responseId = textOf(chunk.responseId)
  if (isAnother(writer, responseId)) {
    endResponse(writer)
    restart(writer)
    writer.state.own = initialState
  }
  if (writer.state.stage === 'ended') {
    writer.dropped('chunk', 'after-end', 'Expected no chunk after the end of the response.')
    return
  }
  const isKnown = isFields(usageMetadata) || isFields(promptFeedback) || Array.isArray(candidates)
  if (error == null && !isKnown) {
    reportType(writer, chunk.event_type ?? chunk.type, '')
    return
  }
  begin(writer, { model: textOf(chunk.modelVersion), responseId })
  keepDetails(writer, chunk, chunkDetails)
  keepDetails(writer, fieldsOf(promptFeedback), ['safetyRatings'])
  reportFields(writer, chunk, chunkFields, '')
  const list = objectsOf(candidates)
  const candidate = list.find(({ index = 0 }) => index === 0)
  if (list.length > (candidate === undefined ? 0 : 1)) {
    writer.dropped('candidate', 'no-equivalent', 'Expected one candidate, got several; the first is read.')
  }
  readUsage(writer, fieldsOf(usageMetadata))
  if (candidate !== undefined) readCandidate(writer, candidate)
  readFeedback(writer, fieldsOf(promptFeedback))
  if (error != null) {
    endResponse(writer)
    fail(writer, errorOf(writer, error))
  }
}

function readCandidate(writer: Writer, candidate: Fields): void {
  if (writer.state.stage === 'waiting') startResponse(writer)
  reportFields(writer, candidate, candidateFields, '/candidates/0')
  for (const part of objectsOf(fieldsOf(candidate.content).parts)) readPart(writer, part)
  keepDetails(writer, candidate, candidateDetails)
  readSources(writer, candidate)
  readFinishReason(writer, textOf(candidate.finishReason), textOf(candidate.finishMessage))
}

/** Whether a chunk belongs to another response than the one before, which has stopped. */
function isAnother({ state }: Writer, responseId: string): boolean {
  if (state.responseId === '' || ['', state.responseId].includes(responseId)) return false
  return state.finishReason !== null || state.stage === 'ended'
}
