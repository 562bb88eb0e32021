/** The message as a whole: all there is, or what the deltas lack. */

import { isStartOf } from '../../encoding/text-mark.ts'
import { type Fields, firstText, objectsOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { partOf } from '../shared/parts.ts'
import { readWholeCalls } from './read-calls.ts'
import { readDelta } from './read-delta.ts'
import { type ChatState, REASONING, REFUSAL, TEXT } from './state.ts'

type Writer = ModelWriter<ChatState>

/** Reads the message of a response that is not streamed, or the one that some servers repeat at the end of a stream. */
export function readMessage(writer: Writer, message: Fields): void {
  const { parts, calls } = writer.state.own
  if (parts.length + calls.length === 0) {
    readDelta(writer, message)
    return
  }
  const { content, refusal, reasoning, reasoning_content, reasoning_details, audio, images, ...others } =
    message
  const details = objectsOf(reasoning_details).map(({ text, summary }) => firstText(text, summary))
  const { tool_calls: _, function_call: __, ...rest } = others
  readDelta(writer, {
    ...rest,
    content: restOf(writer, TEXT, contentText(content)),
    refusal: restOf(writer, REFUSAL, textOf(refusal)),
    reasoning: restOf(writer, REASONING, details.join('') || firstText(reasoning, reasoning_content)),
  })
  readWholeCalls(writer, message)
}

/** What the pieces of a text lack. */
function restOf(writer: Writer, key: string, text: string): string {
  const part = partOf(writer.state.own.parts, key)
  if (text === '' || isStartOf(part, text)) return text.slice(part.length)
  writer.diagnostic('done-differs', 'The text differs from the deltas, which are kept.', {
    detail: { done: text },
  })
  return ''
}

/** Mistral: the content in parts. */
function contentText(content: unknown): string {
  const texts = objectsOf(content).map(({ text }) => textOf(text))
  return textOf(content) || texts.join('')
}
