/**
 * The SSE codec: bytes or text ⇄ messages, and events → text. Contains no validators; `eventDecoder` and
 * `readEvents`, which validate, are in `turnstream`.
 *
 * @packageDocumentation
 */

export { sseDecoder } from './decoder.ts'
export {
  type EncodeEventOptions,
  encodeComment,
  encodeEvent,
  encodeJson,
  encodeMessage,
  type SseMessageInit,
} from './encode.ts'
export { eventStream } from './event-stream.ts'
export { eventStreamHeaders } from './headers.ts'
export { type JsonMessage, jsonDecoder } from './json-decoder.ts'
export type { SseMessage, SseOptions } from './state.ts'
