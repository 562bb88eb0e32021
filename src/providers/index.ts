/**
 * Providers: the stream of a model → event drafts.
 *
 * @packageDocumentation
 */

export { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
export type { AnthropicMessagesChunk } from './anthropic-messages/chunk.ts'
export { awsEventDecoder } from './aws-events/aws-event-decoder.ts'
export { bedrockConverse } from './bedrock-converse/bedrock-converse.ts'
export type { BedrockConverseChunk } from './bedrock-converse/chunk.ts'
export type { CohereChatChunk } from './cohere-chat/chunk.ts'
export { cohereChat } from './cohere-chat/cohere-chat.ts'
export type { GeminiContentChunk } from './gemini-content/chunk.ts'
export { geminiContent } from './gemini-content/gemini-content.ts'
export type { GeminiInteractionsChunk } from './gemini-interactions/chunk.ts'
export { geminiInteractions } from './gemini-interactions/gemini-interactions.ts'
export type { OllamaChatChunk } from './ollama-chat/chunk.ts'
export { ollamaChat } from './ollama-chat/ollama-chat.ts'
export type { OpenaiChatChunk } from './openai-chat/chunk.ts'
export { openaiChat } from './openai-chat/openai-chat.ts'
export type { OpenaiResponsesChunk } from './openai-responses/chunk.ts'
export { openaiResponses } from './openai-responses/openai-responses.ts'
export type { ModelEnd } from './shared/model-machine.ts'
export { type ModelMachineState, type ModelTurn, modelTurn } from './shared/model-turn.ts'
export type {
  AnthropicContentBlock,
  ChatMessage,
  GeminiContentPart,
  ResponsesItem,
} from './shared/turn-blocks.ts'
