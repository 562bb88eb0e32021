/**
 * The AI SDK: the UI message streams that `useChat` reads and `streamText` writes, in versions 5, 6 and 7. Types, decoding,
 * and mapping to and from turnstream events.
 *
 * @packageDocumentation
 */

// Commands
export { commandsFromChatRequest, type ReadChatOptions } from './commands/index.ts'
// Mapping
export { type FromUiMessageStreamOptions, fromUiMessageStream } from './from/from-ui-message-stream.ts'
// Messages
export { uiMessages } from './messages/ui-messages.ts'
// Over HTTP
export {
  type AiSdkOptions,
  aiSdk,
  type ChatTransportOptions,
  chatTransport,
  type SendRequest,
} from './serve/index.ts'
export { aiSdkCoverage, aiSdkLosses } from './to/coverage.ts'
export {
  type ToUiMessageStreamEnd,
  type ToUiMessageStreamOptions,
  toUiMessageStream,
} from './to/to-ui-message-stream.ts'
export type { ChatRequest } from './wire/chat-request.ts'
export { decodeUiMessageChunk } from './wire/decode.ts'
export { encodeUiMessageChunk, uiMessageStreamEnd, uiMessageStreamHeaders } from './wire/encode.ts'
// Decoding and encoding
export type { UiMessage, UiMessagePart, UiToolPart } from './wire/message.ts'
export type {
  AiSdkVersion,
  UiFinishReason,
  UiMessageChunk,
  UnknownUiMessageChunk,
} from './wire/types.ts'
