/** The blocks of a message: how each type starts, grows and ends. */

import { toBase64 } from '../../encoding/base64.ts'
import {
  addBlockArguments,
  type Block,
  blockAt,
  closeBlock,
  isRepeatedCall,
  openBlock,
} from '../shared/blocks.ts'
import { openCall } from '../shared/calls.ts'
import { addContent } from '../shared/content.ts'
import { type Fields, fieldsOf, firstText, isFields, textOf } from '../shared/fields.ts'
import { addFile } from '../shared/files.ts'
import { idPrefix, type ModelWriter } from '../shared/model-writer.ts'
import { reportFields } from '../shared/report.ts'
import { addText } from '../shared/texts.ts'
import { addThought, describeThought } from '../shared/thoughts.ts'
import { readCitation } from './read-citation.ts'
import { addRedacted, endRedacted } from './read-redacted.ts'
import { addResult, endResult, startResult } from './read-result.ts'
import type { BedrockState } from './state.ts'

type Writer = ModelWriter<BedrockState>

const startFields = new Set('toolUse toolResult image'.split(' '))
const deltaFields = new Set('text toolUse reasoningContent citation image toolResult'.split(' '))
const reasoningFields = new Set('text signature redactedContent'.split(' '))

/** Reads the start of a call, a result or an image. */
export function startBlock(writer: Writer, chunk: Fields): void {
  const start = fieldsOf(chunk.start)
  reportFields(writer, start, startFields, '/contentBlockStart/start')
  const { toolUse, toolResult, image } = start
  const format = textOf(fieldsOf(image).format)
  if (isFields(toolUse) && isRepeatedCall(writer, chunk.contentBlockIndex, textOf(toolUse.toolUseId))) return
  const before = blockAt(writer, chunk.contentBlockIndex)
  if (before !== undefined && chunk.contentBlockIndex != null) stopBlock(writer, chunk)
  const block = openBlock(writer, chunk.contentBlockIndex, format === '' ? '' : `image/${format}`)
  if (isFields(toolUse)) {
    const place = { path: ['toolUse', 'input'], labelPath: ['toolUse', 'toolUseId'] }
    addContent(writer, block.key, { of: 'call', ...place }, { toolUse })
    openCall(writer, block.key, {
      toolCallId: textOf(toolUse.toolUseId),
      toolName: textOf(toolUse.name),
      server: toolUse.type === 'server_tool_use' ? 'provider' : '',
    })
  }
  if (isFields(toolResult)) startResult(writer, block, toolResult)
}

/** Reads what a chunk adds to a block. The first delta of text and reasoning starts its block. */
export function readDelta(writer: Writer, chunk: Fields): void {
  const delta = fieldsOf(chunk.delta)
  reportFields(writer, delta, deltaFields, '/contentBlockDelta/delta')
  const { text, toolUse, reasoningContent, citation, image, toolResult } = delta
  const { contentBlockIndex: index } = chunk
  const block = blockAt(writer, index) ?? openBlock(writer, index, '')
  if (!writer.state.contents.some(({ key }) => key === block.key)) addBlock(writer, block.key, delta)
  if (typeof text === 'string') addText(writer, block.key, text)
  if (isFields(toolUse)) addBlockArguments(writer, block, textOf(toolUse.input))
  if (isFields(reasoningContent)) readReasoning(writer, block, reasoningContent)
  if (isFields(citation)) readCitation(writer, block.key, citation)
  if (isFields(image)) readImage(writer, block, image)
  if (toolResult != null) addResult(writer, block, toolResult)
}

/** Text and reasoning, which have no start. */
function addBlock(writer: Writer, key: string, { text, reasoningContent: reasoning }: Fields): void {
  const at = ['reasoningContent', 'reasoningText']
  if (typeof text === 'string') {
    addContent(writer, key, { of: 'text', path: ['text'], labelPath: [] }, {})
  } else if (isFields(reasoning) && reasoning.redactedContent != null) {
    const labelPath = ['reasoningContent', 'redactedContent']
    addContent(writer, key, { of: 'thought', path: [], labelPath }, {})
  } else if (isFields(reasoning)) {
    const place = { path: [...at, 'text'], labelPath: [...at, 'signature'] }
    addContent(writer, key, { of: 'thought', ...place }, {})
  }
}

/** Reads the end of a block. */
export function stopBlock(writer: Writer, { contentBlockIndex: index }: Fields): void {
  const block = blockAt(writer, index)
  if (block === undefined) return
  endResult(writer, block)
  endRedacted(writer, block.key)
  closeBlock(writer, block)
}

/** The signature comes after the text, often alone. */
function readReasoning(writer: Writer, { key }: Block, reasoning: Fields): void {
  reportFields(writer, reasoning, reasoningFields, '/contentBlockDelta/delta/reasoningContent')
  const { text, signature } = reasoning
  const redacted = base64Of(reasoning.redactedContent)
  if (typeof text === 'string') addThought(writer, key, text)
  if (textOf(signature) !== '') describeThought(writer, key, { signature: textOf(signature) })
  if (redacted !== '') addRedacted(writer, key, redacted)
}

function readImage(writer: Writer, { key, type }: Block, { source, error }: Fields): void {
  const { bytes, s3Location } = fieldsOf(source)
  if (error != null || s3Location != null) {
    const message = firstText(fieldsOf(error).message) || 'Expected the bytes of an image.'
    writer.dropped('image', error == null ? 'no-equivalent' : 'invalid-content', message)
    return
  }
  const artifactId = `${idPrefix(writer)}-${key.replace(' ', '-')}`
  addFile(writer, { artifactId, data: base64Of(bytes), mimeType: type })
}

/** Bytes as Base64; empty if they are something else. */
function base64Of(value: unknown): string {
  if (value instanceof Uint8Array) return toBase64(value)
  return typeof value === 'string' ? value : ''
}
