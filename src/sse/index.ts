/**
 * The wire: SSE text and bytes ⇄ messages, by the WHATWG rules, and events to text. Free of
 * validators; `eventDecoder` and `readEvents`, which validate, are in `agentwire`.
 *
 * @packageDocumentation
 */

export { sseDecoder } from './decoder.ts'
export {
  type EncodeEventOptions,
  encodeComment,
  encodeEvent,
  encodeMessage,
  type SseMessageInit,
} from './encode.ts'
export type { SseMessage, SseOptions, SseState } from './state.ts'
