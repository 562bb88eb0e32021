/**
 * OpenAI's Chat Completions as an output: any client of it shows an agent.
 *
 * @packageDocumentation
 */

export type { Coverage } from '../shared/coverage.ts'
export { type ChatCompletionsOptions, chatCompletions } from './serve/chat-completions.ts'
export { openaiCoverage, openaiLosses } from './to/losses.ts'
export { type ToChatCompletionsOptions, toChatCompletions } from './to/to-chat-completions.ts'
export type {
  ChatCompletionChoice,
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChatCompletionError,
  ChatCompletionEvent,
  ChatCompletionToolCall,
  ChatCompletionUsage,
  ChatFinishReason,
} from './wire/chunk.ts'
