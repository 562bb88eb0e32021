/**
 * The SSE codec: bytes or text ⇄ messages, and events → text. The codec of messages contains no validators;
 * `eventDecoder` and `readEvents`, which validate, are in `turnstream`.
 *
 * @packageDocumentation
 */

export type { JsonMessage } from '../core/json-message.ts'
export { sseDecoder } from './decoder.ts'
export { encodeComment, encodeJson, encodeMessage } from './encode.ts'
export { encodeEvent } from './events/encode-event.ts'
export { eventStream } from './events/event-stream.ts'
export { eventStreamHeaders } from './headers.ts'
export { jsonDecoder } from './json-decoder.ts'
export type { ReconnectFields, SseMessage } from './state.ts'
