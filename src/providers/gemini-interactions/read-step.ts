/** The steps of an interaction: how each type starts, grows and ends. */

import {
  addBlockArguments,
  type Block,
  blockAt,
  closeBlock,
  isRepeatedCall,
  openBlock,
} from '../shared/blocks.ts'
import { openCall } from '../shared/calls.ts'
import { addCitations } from '../shared/cited-bytes.ts'
import { addContent, whole } from '../shared/content.ts'
import { countOf, type Fields, fieldsOf, firstText, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'
import { addFile } from '../shared/files.ts'
import { hasRoomFor } from '../shared/limits.ts'
import { idPrefix } from '../shared/model-writer.ts'
import { reportType } from '../shared/report.ts'
import { completeResult } from '../shared/server-tools.ts'
import type { Place } from '../shared/state.ts'
import { addText } from '../shared/texts.ts'
import { addThought, describeThought } from '../shared/thoughts.ts'
import type { Writer } from './state.ts'

/** Reads the start of a step, which may have all of it. */
export function startStep(writer: Writer, { index, step }: Fields): void {
  const fields = fieldsOf(step)
  const type = textOf(fields.type)
  if (type.endsWith('_call') && isRepeatedCall(writer, index, textOf(fields.id))) return
  const before = blockAt(writer, index)
  if (before !== undefined && countOf(index) !== undefined) cite(writer, before)
  const block = openBlock(writer, index, type)
  addContent(writer, block.key, ...placeOf(type, fields))
  if (type === 'thought') readThought(writer, block, fields)
  else if (type === 'model_output')
    for (const part of objectsOf(fields.content)) readContent(writer, block, part)
  else if (type.endsWith('_call')) readCall(writer, block, fields)
  else if (type.endsWith('_result')) readResult(writer, block, fields)
  else reportType(writer, type, '/step')
}

/** The step as it is sent back: where its text, thought or arguments are. */
function placeOf(type: string, step: Fields): [place: Place, block: Fields] {
  if (type === 'model_output') {
    const block = { ...step, content: [{ type: 'text' }] }
    return [{ of: 'text', path: ['content', '0', 'text'], labelPath: [] }, block]
  }
  if (type === 'thought') {
    const block = { ...step, summary: [{ type: 'text' }] }
    return [{ of: 'thought', path: ['summary', '0', 'text'], labelPath: ['signature'] }, block]
  }
  if (type.endsWith('_call')) return [{ of: 'call', path: ['arguments'], labelPath: ['id'] }, step]
  return [whole, step]
}

/** Reads what a chunk adds to a step. */
export function readDelta(writer: Writer, { index, delta }: Fields): void {
  const fields = fieldsOf(delta)
  const type = textOf(fields.type)
  const block = stepOf(writer, index, type)
  if (type.startsWith('thought')) readThought(writer, block, fields)
  else if (type === 'text_annotation_delta') readAnnotations(writer, block, fields)
  else if (type === 'arguments_delta') addBlockArguments(writer, block, argumentsText(fields.arguments))
  else if (type.endsWith('_call')) readCall(writer, block, fields)
  else if (type.endsWith('_result')) readResult(writer, block, fields)
  else readContent(writer, block, fields)
}

/** Reads the end of a step. */
export function stopStep(writer: Writer, { index }: Fields): void {
  const block = blockAt(writer, index)
  if (block === undefined) return
  cite(writer, block)
  closeBlock(writer, block)
}

/** Adds the sources of all steps whose end did not come. */
export function citeSteps(writer: Writer): void {
  for (const block of writer.state.own.blocks.open) cite(writer, block)
}

/** The open step of a delta. */
function stepOf(writer: Writer, index: unknown, type: string): Block {
  const open = blockAt(writer, index)
  if (open !== undefined) return open
  writer.inferred('step.start', 'Expected the start of a step before its delta.')
  return openBlock(writer, index, type)
}

function readThought(writer: Writer, { key }: Block, { content, summary, signature }: Fields): void {
  const parts = [...objectsOf([content]), ...objectsOf(summary)]
  addThought(writer, key, parts.map(({ text }) => textOf(text)).join(''))
  if (textOf(signature) !== '') describeThought(writer, key, { signature: textOf(signature) })
}

function readContent(writer: Writer, block: Block, part: Fields): void {
  const { type, text, data, mime_type: mimeType } = part
  if (type === 'text') {
    addText(writer, block.key, textOf(text))
    readAnnotations(writer, block, part)
  } else if (typeof data === 'string') {
    const { own } = writer.state
    const artifactId = `${idPrefix(writer)}-file-${own.blocks.count}-${block.index}`
    addFile(writer, { artifactId, data, mimeType: textOf(mimeType) })
  } else reportType(writer, type, '/delta')
}

/** Calls other than those of functions run at the provider. */
function readCall(writer: Writer, block: Block, call: Fields): void {
  const { key, type } = block
  const { id, name, signature } = call
  const isFunction = type === 'function_call'
  if (!block.isWhole)
    openCall(writer, key, {
      toolCallId: textOf(id),
      toolName: firstText(name, type.replace(/_call$/, '')),
      server: isFunction ? '' : 'provider',
      signature: textOf(signature),
    })
  addBlockArguments(writer, block, argumentsText(call.arguments))
}

function readResult(writer: Writer, { key, type }: Block, fields: Fields): void {
  const { call_id: callId, result, is_error: isError } = fields
  const id = textOf(callId)
  const { state } = writer
  // The start of the step names the call, and a delta has the result.
  if (result === undefined) state.own = { ...state.own, resultCall: id }
  else {
    const info = { toolCallId: id || state.own.resultCall, toolName: type.replace(/_result$/, '') }
    const error = textOf(result) || 'The tool failed.'
    completeResult(
      writer,
      key,
      info,
      isError === true ? { success: false, error } : { success: true, result },
    )
  }
}

/** An empty object is the start of arguments that follow. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return Object.keys(fieldsOf(value)).length === 0 ? '' : jsonTextOf(value)
}

function readAnnotations(writer: Writer, { key }: Block, { annotations }: Fields): void {
  for (const annotation of objectsOf(annotations)) {
    const { url, title, file_name: file, source: documentId, start_index: start, end_index: end } = annotation
    const source: Record<string, string> = {}
    for (const [name, value] of Object.entries({ url, title: title ?? file, documentId })) {
      if (textOf(value) !== '') source[name] = textOf(value)
    }
    const { own } = writer.state
    if (Object.keys(source).length === 0) continue
    if (!hasRoomFor(writer, own.citations, source)) continue
    const to = countOf(end)
    const citation = { key, source, range: to === undefined ? null : ([countOf(start) ?? 0, to] as const) }
    writer.state.own = { ...own, citations: [...own.citations, citation] }
  }
}

/** Adds the sources of a step to its text, which is whole. */
function cite(writer: Writer, { key }: Block): void {
  const { own } = writer.state
  const cited = own.citations.filter((citation) => citation.key === key)
  if (cited.length === 0) return
  writer.state.own = { ...own, citations: own.citations.filter((citation) => citation.key !== key) }
  addCitations(writer, key, cited)
}
