/**
 * The AI SDK: the UI message streams that `useChat` reads and `streamText` writes, in versions 5, 6 and 7. Types, decoding,
 * and mapping to and from turnstream events.
 *
 * @packageDocumentation
 */

// Commands
export { commandsFromChatRequest } from './commands/index.ts'
// Mapping
export { fromUiMessageStream } from './from/from-ui-message-stream.ts'
// Messages
export { uiMessages } from './messages/ui-messages.ts'
// Over HTTP
export { aiSdk, chatTransport } from './serve/index.ts'
export { aiSdkCoverage, aiSdkLosses } from './to/coverage.ts'
export { toUiMessageStream } from './to/to-ui-message-stream.ts'
export type { ChatRequest } from './wire/chat-request.ts'
export { decodeUiMessageChunk } from './wire/decode.ts'
export { encodeUiMessageChunk, uiMessageStreamEnd, uiMessageStreamHeaders } from './wire/encode.ts'
// Decoding and encoding
export type { UiMessage } from './wire/message.ts'
export type { UiMessageChunk } from './wire/types.ts'
