/** The blocks of a message: how each type starts, grows and ends. */

import {
  addBlockArguments,
  type Block,
  blockAt,
  closeBlock,
  isRepeatedCall,
  openBlock,
} from '../shared/blocks.ts'
import { addArguments, openCall } from '../shared/calls.ts'
import { addContent, extendContent, whole } from '../shared/content.ts'
import { type Fields, fieldsOf, firstText, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'
import { addFile } from '../shared/files.ts'
import { idPrefix, type ModelWriter, startResponse } from '../shared/model-writer.ts'
import { reportFields, reportType } from '../shared/report.ts'
import { completeResult, type ServerResult } from '../shared/server-tools.ts'
import { MAX_ITEMS, type Place } from '../shared/state.ts'
import { addText } from '../shared/texts.ts'
import { addThought, describeThought } from '../shared/thoughts.ts'
import { readCitation } from './read-citation.ts'
import type { AnthropicState } from './state.ts'

type Writer = ModelWriter<AnthropicState>

/** Calls, and where their tools run. Empty: in the application. */
const callTypes: ReadonlyMap<string, string> = new Map([
  ['tool_use', ''],
  ['server_tool_use', 'provider'],
  ['mcp_tool_use', 'provider'],
])

const bookkeeping = new Set(['compaction', 'container_upload', 'mcp_tool_listing'])

const blockFields = new Set(
  'type text citations thinking signature data id name input caller server_name tool_use_id content is_error from to trigger source file_id encrypted_content tools'.split(
    ' ',
  ),
)

const deltaFields = new Set(
  'type text thinking signature partial_json citation estimated_tokens content encrypted_content'.split(' '),
)

/** Reads the start of a block, which may have all of it. */
export function startBlock(writer: Writer, chunk: Fields): void {
  const block = fieldsOf(chunk.content_block)
  const type = textOf(block.type)
  const server = callTypes.get(type)
  if (server !== undefined && isRepeatedCall(writer, chunk.index, textOf(block.id))) return
  const { key } = openBlock(writer, chunk.index, type, hasInput(block))
  addContent(writer, key, placeOf(type), block)
  if (type === 'text') {
    addText(writer, key, textOf(block.text))
    for (const citation of objectsOf(block.citations)) readCitation(writer, key, citation)
  } else if (type === 'thinking') {
    addThought(writer, key, textOf(block.thinking))
    if (textOf(block.signature) !== '') describeThought(writer, key, { signature: textOf(block.signature) })
  } else if (type === 'redacted_thinking') {
    describeThought(writer, key, { signature: textOf(block.data), redacted: true })
  } else if (server !== undefined) {
    openCall(writer, key, { toolCallId: textOf(block.id), toolName: textOf(block.name), server })
    if (hasInput(block)) addArguments(writer, key, jsonTextOf(block.input))
  } else if (isResult(block)) readResult(writer, key, chunk.index, block)
  else if (type === 'fallback') changeModel(writer, textOf(fieldsOf(block.to).model))
  else if (type === 'image') readImage(writer, key, fieldsOf(block.source))
  // Of the turn alone.
  else if (!bookkeeping.has(type)) reportType(writer, type, '/content_block')
  reportFields(writer, block, blockFields, '/content_block')
}

/** Where the text, the thought or the arguments of a block are. */
function placeOf(type: string): Place {
  if (type === 'text') return { of: 'text', path: ['text'], labelPath: [] }
  if (type === 'thinking') return { of: 'thought', path: ['thinking'], labelPath: ['signature'] }
  if (callTypes.has(type)) return { of: 'call', path: ['input'], labelPath: ['id'] }
  return whole
}

/** Reads what a chunk adds to a block. */
export function readDelta(writer: Writer, chunk: Fields): void {
  const delta = fieldsOf(chunk.delta)
  const { type } = delta
  const open = blockOf(writer, chunk, textOf(type))
  const { key } = open
  if (type === 'text_delta') addText(writer, key, textOf(delta.text))
  else if (type === 'thinking_delta') addThought(writer, key, textOf(delta.thinking))
  else if (type === 'signature_delta') describeThought(writer, key, { signature: textOf(delta.signature) })
  else if (type === 'citations_delta') {
    readCitation(writer, key, fieldsOf(delta.citation))
    extendContent(writer, key, fieldsOf(delta.citation), (block, citation) => ({
      ...block,
      citations: [...objectsOf(block.citations), citation].slice(0, MAX_ITEMS),
    }))
  } else if (type === 'input_json_delta') addBlockArguments(writer, open, textOf(delta.partial_json))
  else if (type === 'compaction_delta') {
    const { type: _, ...compaction } = delta
    extendContent(writer, key, compaction, (block, added) => ({ ...block, ...added }))
  } else reportType(writer, type, '/delta')
  reportFields(writer, delta, deltaFields, '/delta')
}

/** Reads the end of a block. */
export function stopBlock(writer: Writer, { index }: Fields): void {
  const block = blockAt(writer, index)
  if (block !== undefined) closeBlock(writer, block)
}

/** The open block of a delta. */
function blockOf(writer: Writer, { index }: Fields, type: string): Block {
  const open = blockAt(writer, index)
  if (open !== undefined) return open
  writer.inferred('content_block_start', 'Expected the start of a block before its delta.')
  return openBlock(writer, index, type)
}

function hasInput({ input }: Fields): boolean {
  return Object.keys(fieldsOf(input)).length > 0
}

function changeModel(writer: Writer, model: string): void {
  const { model: before } = writer.state
  if (model === '' || model === before) return
  writer.diagnostic('model-changed', `Expected an answer of model ${before}, got one of ${model}.`, {
    detail: { from: before, to: model },
  })
  writer.state.model = model
  startResponse(writer)
}

function readImage(writer: Writer, key: string, { data, media_type: mimeType }: Fields): void {
  const artifactId = `${idPrefix(writer)}-${key.replace(' ', '-')}`
  addFile(writer, { artifactId, data: textOf(data), mimeType: textOf(mimeType) })
}

/** Whether a block is the result of a tool. */
function isResult({ type }: Fields): boolean {
  return textOf(type).endsWith('tool_result')
}

/**
 * Completes the call that a result belongs to: with its id, as other blocks may stand between the two. A response begins with the
 * results of the one before, if that has waited for tools of the application.
 */
function readResult(writer: ModelWriter, key: string, index: unknown, block: Fields): void {
  const toolCallId = textOf(block.tool_use_id)
  const toolName = textOf(block.type).replace(/_?tool_result$/, '') || 'tool'
  const { calls } = writer.state
  const isDeferred = calls.length === index && calls.every((call) => call.key.endsWith(' result'))
  completeResult(writer, key, { toolCallId, toolName }, resultOf(block), isDeferred)
}

function resultOf({ content, is_error: isError }: Fields): ServerResult {
  const { type, error_code: code } = fieldsOf(content)
  if (isError !== true && !textOf(type).endsWith('_error')) return { success: true, result: content ?? null }
  const texts = objectsOf(content).map(({ text }) => textOf(text))
  return { success: false, error: firstText(code, content, texts.join('\n')) || 'The tool failed.' }
}
