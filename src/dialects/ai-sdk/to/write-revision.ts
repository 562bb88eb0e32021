/** Maps revisions to chunks: version 7 of the AI SDK can begin a step again, and nothing smaller. */

import {
  boundedDelete,
  boundedEntries,
  boundedGet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import type { ContentReplaceEvent, IterationResetEvent } from '../../../events/content.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { OpenText, StepText } from './state.ts'
import { beginText } from './write-text.ts'

/** Sends the texts of the step again, one of them replaced; without that, the new text follows the old one. */
export function writeContentReplace(writer: ChunkWriter, event: ContextEvent<ContentReplaceEvent>): void {
  const { state } = writer
  const { contentId = '', content } = event
  const open = boundedGet(state.texts, contentId)
  const position =
    state.stepTexts?.findLastIndex((text) => text.type === 'text' && text.key === contentId) ?? -1
  const known = state.stepTexts?.[position]
  if (writer.version === 7 && known !== undefined) {
    const texts = (state.stepTexts ?? []).slice()
    texts[position] = {
      type: 'text',
      id: known.id,
      key: contentId,
      start: known.start,
      text: content,
      end: null,
    }
    if (open === undefined) state.openItems++
    store(writer, contentId, open ?? { id: known.id, order: state.nextItem++ }, content)
    sendAgain(writer, texts)
    return
  }
  if (open !== undefined) {
    writer.send({ type: 'text-end', id: open.id })
    writer.endItem()
    state.texts = boundedDelete(state.texts, contentId)
  }
  writer.changed('content', 'The text that was sent before stays, as its step cannot begin again.')
  const begun = beginText(writer, event)
  if (content !== '') writer.send({ type: 'text-delta', id: begun.id, delta: content })
  store(writer, contentId, begun, content)
}

/** Stores a text whose first delta is `content`. */
function store(
  writer: ChunkWriter,
  key: string,
  { id, order }: Pick<OpenText, 'id' | 'order'>,
  content: string,
): void {
  const { length } = content
  const text = { id, order, length, nextIndex: 1, hash: fnv1a(FNV_OFFSET_BASIS, content) }
  writer.state.texts = writer.store(writer.state.texts, key, text)
}

function sendAgain(writer: ChunkWriter, texts: readonly StepText[]): void {
  writer.send({ type: 'reset-step' })
  writer.state.stepTexts = []
  for (const { type, id, key, start, text, end } of texts) {
    writer.send(start, key)
    if (text !== '') writer.send({ type: `${type}-delta`, id, delta: text })
    if (end !== null) writer.send(end)
  }
}

/** Begins the step again, if nothing in it has to stay; otherwise what was sent stays. */
export function writeIterationReset(writer: ChunkWriter, event: ContextEvent<IterationResetEvent>): void {
  const { state } = writer
  const { kind, iteration } = event
  if (state.stepIteration === null || iteration > state.stepIteration) {
    writer.dropped(kind, 'out-of-order', `Nothing of iteration ${iteration} was sent.`)
    return
  }
  const isStep = iteration === state.stepIteration && writer.version === 7 && !state.stepStays
  if (isStep) writer.send({ type: 'reset-step' })
  else {
    writer.dropped(kind, 'no-equivalent', 'What the response has sent stays, as its step cannot begin again.')
    writer.closeTexts()
  }
  for (const [toolCallId, { toolName, phase, input }] of boundedEntries(state.calls)) {
    if (phase !== 'writing') continue
    if (!isStep) {
      const errorText = 'The response was discarded.'
      writer.send({
        ...{ type: 'tool-input-error', toolCallId, toolName, input, errorText },
        ...writer.dynamic(toolName),
      })
    }
    state.calls = boundedDelete(state.calls, toolCallId)
    writer.endItem()
  }
  if (!isStep) return
  const open = [...boundedEntries(state.texts), ...boundedEntries(state.thoughts)]
  for (const _ of open) writer.endItem()
  state.texts = emptyBoundedMap
  state.thoughts = emptyBoundedMap
  state.stepTexts = []
  state.isStepOver = false
}
