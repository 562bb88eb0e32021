/**
 * OpenAI's Chat Completions as an output: any client of it shows an agent.
 *
 * @packageDocumentation
 */

export { chatCompletions } from './serve/chat-completions.ts'
export { openaiCoverage, openaiLosses } from './to/losses.ts'
export { toChatCompletions } from './to/to-chat-completions.ts'
export type { ChatCompletionChunk, ChatCompletionEvent } from './wire/chunk.ts'
