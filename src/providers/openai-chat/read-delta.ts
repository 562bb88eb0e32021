/** What a chunk adds to the message of the assistant. */

import { addContent, extendContent } from '../shared/content.ts'
import { keepDetails } from '../shared/details.ts'
import { type Fields, fieldsOf, objectsOf, textOf } from '../shared/fields.ts'
import { addFile } from '../shared/files.ts'
import { idPrefix, type ModelWriter } from '../shared/model-writer.ts'
import { reportDropped, reportFields, reportType } from '../shared/report.ts'
import { addText } from '../shared/texts.ts'
import { readCalls } from './read-calls.ts'
import { addReasoning, endReasoning, readReasoning } from './read-reasoning.ts'
import { readAnnotations } from './read-sources.ts'
import { type ChatState, MESSAGE, REASONING, REFUSAL, TEXT, track } from './state.ts'

/** What no event has. */
const deltaDetails = 'provider_metadata graph_data channel provider_specific_fields executed_tools'.split(' ')
const deltaFields = new Set([
  ...'role content refusal reasoning_content reasoning reasoning_details reasoning_text reasoning_opaque thinking_blocks tool_calls function_call annotations audio images index'.split(
    ' ',
  ),
  ...deltaDetails,
])

export function readDelta(writer: ModelWriter<ChatState>, delta: Fields): void {
  const { content, refusal, annotations, audio, images } = delta
  openMessage(writer, delta)
  readReasoning(writer, delta)
  if (Array.isArray(content)) readParts(writer, content)
  else write(writer, TEXT, textOf(content))
  write(writer, REFUSAL, textOf(refusal))
  readAnnotations(writer, annotations)
  readCalls(writer, delta)
  for (const [i, image] of objectsOf(images).entries()) readImage(writer, image, i)
  if (audio != null) {
    write(writer, TEXT, textOf(fieldsOf(audio).transcript))
    reportDropped(writer, 'audio', 'Audio has no equivalent. Its transcript is read.')
    keepAudio(writer, fieldsOf(audio))
  }
  keepDetails(writer, delta, deltaDetails)
  reportFields(writer, delta, deltaFields, '/choices/0/delta')
}

/** The message that is sent back, with the reasoning in the field that the server has for it. */
function openMessage(writer: ModelWriter<ChatState>, delta: Fields): void {
  if (writer.state.contents.length > 0) return
  const name = ['reasoning_content', 'reasoning'].find((field) => textOf(delta[field]) !== '')
  const isEmpty =
    name === undefined &&
    textOf(delta.content) === '' &&
    delta.tool_calls == null &&
    delta.function_call == null &&
    delta.audio == null
  if (isEmpty && !Array.isArray(delta.content) && delta.reasoning_details == null) return
  const path = name === undefined || delta.reasoning_details != null ? [] : [name]
  addContent(writer, MESSAGE, { of: 'message', path, labelPath: [] }, { role: 'assistant' })
}

/** The audio is sent back by its id. */
function keepAudio(writer: ModelWriter<ChatState>, { id, expires_at }: Fields): void {
  if (textOf(id) !== '')
    extendContent(writer, MESSAGE, { audio: { id } }, (block, added) => ({ ...block, ...added }))
  keepDetails(writer, { audio: { id, expires_at } }, ['audio'])
}

/** Mistral: the content in parts, of which some are thinking. */
function readParts(writer: ModelWriter<ChatState>, parts: readonly unknown[]): void {
  for (const [i, part] of parts.entries()) {
    const { type, text, thinking, summary } = fieldsOf(part)
    if (type === 'text') write(writer, TEXT, textOf(text))
    else if (type === 'thinking') {
      const texts = Array.isArray(thinking)
        ? objectsOf(thinking).map((inner) => textOf(inner.text))
        : [textOf(thinking)]
      for (const piece of texts) addReasoning(writer, REASONING, piece)
    } else if (type === 'reasoning') {
      // Databricks.
      for (const inner of objectsOf(summary)) addReasoning(writer, REASONING, textOf(inner.text))
    } else reportType(writer, type, `/choices/0/delta/content/${i}`)
  }
}

/** OpenRouter: an image as a data URL. */
function readImage(writer: ModelWriter<ChatState>, image: Fields, at: number): void {
  const url = textOf(fieldsOf(image.image_url).url)
  const [, mimeType = '', data = ''] = /^data:([^;,]{0,128});base64,(.*)$/s.exec(url) ?? []
  addFile(writer, { artifactId: `${idPrefix(writer)}-image-${at}`, data, mimeType })
}

/** Appends text. Reasoning ends where text begins. */
function write(writer: ModelWriter<ChatState>, key: string, piece: string): void {
  if (piece === '') return
  endReasoning(writer)
  track(writer, key, piece)
  addText(writer, key, piece)
}
