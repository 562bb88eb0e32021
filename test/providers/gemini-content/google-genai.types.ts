// Proves, when it compiles, that the chunks of the `@google/genai` package are what the library reads, and that the
// content of a turn is what its next request takes.

import type { Content, GenerateContentResponse } from '@google/genai'
import type { GeminiContentChunk, ModelTurn } from 'turnstream/providers'
import type { GeminiContentPart } from '../../../src/providers/shared/turn-blocks.ts'

export const gemini = (chunk: GenerateContentResponse): GeminiContentChunk => chunk
export const reply = ({ content }: ModelTurn<GeminiContentPart>): Content => ({
  role: 'model',
  parts: content,
})
