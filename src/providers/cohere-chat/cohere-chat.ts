/** Cohere v2 chat. */

import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { CitedSource } from '../../events/source.ts'
import { addArguments, dropArguments, endCall, openCall } from '../shared/calls.ts'
import { addContent } from '../shared/content.ts'
import { countOf, type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import { type ModelEnd, modelMachine } from '../shared/model-machine.ts'
import { begin, startResponse } from '../shared/model-writer.ts'
import { type NamedModelOptions, requireModel } from '../shared/options.ts'
import { reportFields, reportType } from '../shared/report.ts'
import { readUnknown, restart } from '../shared/response.ts'
import { findOpen } from '../shared/state.ts'
import { addSource, addText, endText } from '../shared/texts.ts'
import { addThought, endThought } from '../shared/thoughts.ts'
import { endMessage } from './read-end.ts'
import { chunkShape } from './shape.ts'
import type { Writer } from './state.ts'
import { chunksOfWhole } from './whole.ts'

/**
 * Converts the stream of a Cohere v2 chat request to event drafts, for an emitter: the objects of the SDK, or the messages
 * of `jsonDecoder`.
 *
 * Each text is a text, thinking is a live thought, and so is the plan before tool calls, with the type `planning`.
 * Citations are `sources` of the text. The `finishReason` is that of the message; errors are followed by a `task-error`.
 *
 * Diagnostics:
 * - `arguments-incomplete`, `arguments-invalid`, `tool-unnamed`: a tool call that cannot start
 * - `ended-early`: the stream ended, or another message started, before the message was complete
 * - `invalid-event`: a chunk that is not an object, or a value of another type than the API has, which is
 *   dropped; each field once
 * - `unknown-type`, `unknown-field`: something that is not read, once each
 * - `dropped:chunk`: after the end
 * - `inferred:toolCallId`: a call without an id
 * - `lossy:content`: a block with more than 64 levels, as it is sent back
 * - `too-large`: a response with more than 16 Mi characters or 1024 items of one type; the rest is dropped, and
 *   `detail.dropped` is how many characters it has. Once for each limit, at the end of the response
 *
 * @throws TypeError for invalid options.
 *
 * @example
 * ```ts
 * const stream = await client.chatStream({ model, messages })
 * for await (const draft of iterate(cohereChat({ model }), stream)) send(emitter.emit(draft))
 * ```
 */
export function cohereChat(
  options: NamedModelOptions = {},
): Machine<MachineState<'cohereChat'>, unknown, EventDraft, ModelEnd> {
  const machine = modelMachine('Cohere', options, null, chunkShape, (writer, chunk) =>
    readChunk(writer, chunk, options.model ?? ''),
  )
  requireModel(options)
  return opaque(machine)
}

type Read = (writer: Writer, chunk: Fields, message: Fields) => void

const nothing: Read = () => {}
const PLAN = 'plan'

const keyOf = (of: string, { index }: Fields): string => `${of} ${countOf(index) ?? 0}`

const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['message-start', nothing],
  ['tool-plan-delta', readPlan],
  ['content-start', readContent],
  ['content-delta', readContent],
  ['content-end', endContent],
  ['tool-call-start', readCall],
  ['tool-call-delta', readCall],
  ['tool-call-end', (writer, chunk) => endCall(writer, keyOf('call', chunk))],
  ['citation-start', readCitations],
  ['citation-end', nothing],
  ['message-end', (writer, { delta }) => endMessage(writer, fieldsOf(delta))],
  ['debug', nothing],
])

const chunkFields = new Set('type id index delta logprobs prompt'.split(' '))
const messageFields = new Set('role content tool_plan tool_calls citations'.split(' '))

function readChunk(writer: Writer, chunk: Fields, model: string): void {
  const type = textOf(chunk.type)
  const read = reads.get(type)
  if (type === 'message-start') restart(writer)
  if (writer.state.stage === 'ended' && read !== nothing) {
    writer.dropped('chunk', 'after-end', `Expected no ${type.slice(0, 64)} after the end of the message.`)
  } else if (read === undefined) readOther(writer, chunk, model)
  else {
    const message = fieldsOf(fieldsOf(chunk.delta).message)
    begin(writer, { model, responseId: textOf(chunk.id) })
    if (writer.state.stage === 'waiting') startResponse(writer)
    if (writer.state.contents.length === 0) {
      const place = { of: 'message', path: ['tool_plan'], labelPath: [] } as const
      addContent(writer, 'message', place, { role: 'assistant' })
    }
    read(writer, chunk, message)
    reportFields(writer, chunk, chunkFields, '')
    reportFields(writer, message, messageFields, '/delta/message')
  }
}

/** Reads a message that is not streamed, or reports what is not known. */
function readOther(writer: Writer, chunk: Fields, model: string): void {
  const chunks = chunksOfWhole(chunk)
  if (chunks === undefined) readUnknown(writer, chunk, textOf(chunk.type))
  else for (const one of chunks) readChunk(writer, one, model)
}

function readPlan(writer: Writer, _chunk: Fields, message: Fields): void {
  const plan = textOf(message.tool_plan)
  if (plan !== '') addThought(writer, PLAN, plan, { thoughtType: 'planning' })
}

function readContent(writer: Writer, chunk: Fields, message: Fields): void {
  const { type, text, thinking } = fieldsOf(message.content)
  const key = keyOf('content', chunk)
  endThought(writer, PLAN)
  if (typeof thinking === 'string') addThought(writer, key, thinking)
  if (typeof text === 'string') addText(writer, key, text)
  if (typeof thinking !== 'string' && typeof text !== 'string') {
    reportType(writer, type, '/delta/message/content')
  }
}

function endContent(writer: Writer, chunk: Fields): void {
  endText(writer, keyOf('content', chunk))
  endThought(writer, keyOf('content', chunk))
}

function readCall(writer: Writer, chunk: Fields, message: Fields): void {
  const { id, function: called } = fieldsOf(message.tool_calls)
  const { name, arguments: text } = fieldsOf(called)
  const key = keyOf('call', chunk)
  endThought(writer, PLAN)
  const isKnown = writer.state.calls.some(
    (call) => call.key === key && call.status !== 'writing' && (textOf(id) === '' || call.toolCallId === id),
  )
  if (isKnown && findOpen(writer.state.calls, key, 'writing') === undefined) {
    dropArguments(writer)
    return
  }
  openCall(writer, key, { toolCallId: textOf(id), toolName: textOf(name) })
  addArguments(writer, key, textOf(text))
}

function readCitations(writer: Writer, _chunk: Fields, { citations }: Fields): void {
  const list = Array.isArray(citations) ? objectsOf(citations) : objectsOf([citations])
  for (const citation of list)
    readCitation(writer, keyOf('content', { index: citation.content_index }), citation)
}

/** Adds the documents and results of tools that a passage of a text cites. */
function readCitation(writer: Writer, key: string, citation: Fields): void {
  // The plan is no text.
  if (citation.type === 'PLAN') return
  const [start, end] = [countOf(citation.start), countOf(citation.end)]
  for (const { id, document } of objectsOf(citation.sources)) {
    const { url, title, text, snippet = text, id: documentId } = fieldsOf(document)
    const source: CitedSource = {}
    if (textOf(url) !== '') source.url = textOf(url)
    if (textOf(title) !== '') source.title = textOf(title)
    const name = firstText(documentId, id)
    if (name !== '') source.documentId = name
    if (textOf(snippet) !== '') source.quote = textOf(snippet)
    if (Object.keys(source).length === 0) continue
    if (start !== undefined) source.start = start
    if (end !== undefined) source.end = end
    addSource(writer, key, source)
  }
}
