/** The reasoning of a chunk. */

import { extendContent } from '../shared/content.ts'
import { type Fields, firstText, objectsOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { MAX_ITEMS, MAX_NAME } from '../shared/state.ts'
import { addThought, describeThought, endThought } from '../shared/thoughts.ts'
import { type ChatState, MESSAGE, REASONING, track } from './state.ts'

type Writer = ModelWriter<ChatState>

/** Servers that send several of the fields repeat the same text in them. */
export function readReasoning(writer: Writer, delta: Fields): void {
  const details = objectsOf(delta.reasoning_details)
  const isDetailed = details.some(({ text, summary }) => firstText(text, summary) !== '')
  const blocks = objectsOf(delta.thinking_blocks)
  const text = isDetailed
    ? ''
    : firstText(
        delta.reasoning,
        delta.reasoning_content,
        delta.reasoning_text,
        blocks.map(({ thinking }) => textOf(thinking)).join(''),
      )
  addReasoning(writer, REASONING, text)
  // LiteLLM, and GitHub Copilot: what the model wants back.
  for (const { signature, data = delta.reasoning_opaque } of blocks.length > 0 ? blocks : [{}]) {
    if (textOf(signature) !== '') describeThought(writer, REASONING, { signature: textOf(signature) })
    else if (textOf(data) !== '') describeThought(writer, REASONING, { signature: textOf(data) })
  }
  for (const detail of details) readDetail(writer, detail)
}

/** Appends to the thought with a key. */
export function addReasoning(writer: Writer, key: string, piece: string): void {
  if (piece === '') return
  track(writer, REASONING, piece)
  addThought(writer, key, piece)
}

/** Ends what the model was thinking: text or a call begins. */
export function endReasoning(writer: Writer): void {
  endThought(writer, REASONING)
  endDetail(writer, '')
}

/** OpenRouter: each detail is a thought with a signature of its own. */
function readDetail(writer: Writer, detail: Fields): void {
  const text = firstText(detail.text, detail.summary)
  const signature = textOf(detail.signature)
  const encrypted = textOf(detail.data)
  if (text === '' && signature === '' && encrypted === '') return
  const key = keyOf(writer, detail)
  keepDetail(writer, detail, key === writer.state.own.detail)
  if (key !== writer.state.own.detail) endDetail(writer, key)
  addReasoning(writer, key, text)
  if (encrypted !== '') describeThought(writer, key, { signature: encrypted, redacted: true })
  else if (signature !== '') describeThought(writer, key, { signature })
}

/** Keeps a detail as it is sent back: its pieces are one. */
function keepDetail(writer: Writer, detail: Fields, isPiece: boolean): void {
  extendContent(writer, MESSAGE, detail, (message, added) => {
    const details = objectsOf(message.reasoning_details)
    const last = isPiece ? details.at(-1) : undefined
    if (last === undefined) return { ...message, reasoning_details: [...details, added].slice(0, MAX_ITEMS) }
    const joined: Record<string, unknown> = { ...last }
    for (const [name, value] of Object.entries(added)) {
      const isText = name === 'text' || name === 'summary'
      if (value != null) joined[name] = isText ? textOf(last[name]) + textOf(value) : value
    }
    return { ...message, reasoning_details: [...details.slice(0, -1), joined] }
  })
}

/** Details without a number follow each other; encrypted ones are whole. */
function keyOf({ state: { thoughts } }: Writer, { type, index, id, data }: Fields): string {
  const kind = `detail ${textOf(type).slice(0, MAX_NAME)}`
  if (typeof index === 'number') return `${kind} ${index}`
  if (textOf(id) !== '') return `${kind} ${textOf(id).slice(0, MAX_NAME)}`
  return textOf(data) === '' ? kind : `${kind} number ${thoughts.length}`
}

/** Ends the thought of the last detail, as another one follows. Empty: none does. */
function endDetail(writer: Writer, next: string): void {
  const { own } = writer.state
  if (own.detail === next) return
  endThought(writer, own.detail)
  writer.state.own = { ...own, detail: next }
}
