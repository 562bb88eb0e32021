/** What a step has sent, as far as it is needed to begin the step again. */

import type { Mutable } from '../../../core/mutable.ts'
import type { UiMessageChunk } from '../wire/types.ts'
import type { ToUiState } from './state.ts'

/** A step with more texts, or longer ones, is not sent again. */
const MAX_TEXTS = 64
const MAX_LENGTH = 1 << 20

/** Takes a chunk of the step. */
export function recordChunk(state: Mutable<ToUiState>, chunk: UiMessageChunk, key: string): void {
  switch (chunk.type) {
    case 'message-metadata':
    case 'reset-step':
      return
    case 'text-start':
    case 'reasoning-start': {
      const type = chunk.type === 'text-start' ? 'text' : 'reasoning'
      const text = { type, id: chunk.id, key, start: chunk, text: '', end: null } as const
      const texts = state.stepTexts
      state.stepTexts = texts === null || texts.length >= MAX_TEXTS ? null : [...texts, text]
      return
    }
    case 'text-delta':
    case 'reasoning-delta':
      changeText(state, chunk.type === 'text-delta' ? 'text' : 'reasoning', chunk.id, chunk.delta, null)
      return
    case 'text-end':
    case 'reasoning-end':
      changeText(state, chunk.type === 'text-end' ? 'text' : 'reasoning', chunk.id, '', chunk)
      return
    case 'tool-input-start':
    case 'tool-input-delta':
    case 'tool-input-error':
    case 'source-url':
    case 'source-document':
      state.stepTexts = null
      return
    default:
      if ('transient' in chunk && chunk.transient === true) return
      state.stepTexts = null
      state.stepStays = true
  }
}

/** Appends to the open text with an id, and ends it. */
function changeText(
  state: Mutable<ToUiState>,
  type: 'text' | 'reasoning',
  id: string,
  delta: string,
  end: UiMessageChunk | null,
): void {
  const { stepTexts } = state
  const position = stepTexts?.findLastIndex((text) => text.type === type && text.id === id) ?? -1
  const known = stepTexts?.[position]
  if (stepTexts === null || known === undefined) return
  const text = known.text + delta
  const texts = stepTexts.slice()
  texts[position] = { ...known, text, end }
  state.stepTexts = text.length > MAX_LENGTH ? null : texts
}
