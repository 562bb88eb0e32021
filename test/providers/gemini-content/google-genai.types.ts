// Proves, when it compiles, that the chunks of the `@google/genai` package are what the library reads.

import type { GenerateContentResponse } from '@google/genai'
import type { GeminiContentChunk } from 'agentwire/providers'

export const gemini = (chunk: GenerateContentResponse): GeminiContentChunk => chunk
