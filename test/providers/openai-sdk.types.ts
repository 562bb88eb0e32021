// Proves, when it compiles, that the chunks of the `openai` package are what the library reads, and that the content of a
// turn is what its next request takes.

import type OpenAI from 'openai'
import type { ModelTurn, OpenaiChatChunk, OpenaiResponsesChunk } from 'turnstream/providers'
import type { ChatMessage, ResponsesItem } from '../../src/providers/shared/turn-blocks.ts'

export const chat = (chunk: OpenAI.Chat.Completions.ChatCompletionChunk): OpenaiChatChunk => chunk
export const responses = (event: OpenAI.Responses.ResponseStreamEvent): OpenaiResponsesChunk => event

export const messages = ({ content }: ModelTurn<ChatMessage>): OpenAI.ChatCompletionMessageParam[] => content
export const input = ({ content }: ModelTurn<ResponsesItem>): OpenAI.Responses.ResponseInput => content
