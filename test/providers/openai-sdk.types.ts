// Proves, when it compiles, that the chunks of the `openai` package are what the library reads.

import type { OpenaiChatChunk, OpenaiResponsesChunk } from 'agentwire/providers'
import type OpenAI from 'openai'

export const chat = (chunk: OpenAI.Chat.Completions.ChatCompletionChunk): OpenaiChatChunk => chunk
export const responses = (event: OpenAI.Responses.ResponseStreamEvent): OpenaiResponsesChunk => event
