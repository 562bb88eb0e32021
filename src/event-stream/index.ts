/** Bytes to validated events. */

export { type DecodedMessage, eventDecoder } from './event-decoder.ts'
export { readEvents } from './read-events.ts'
export { ResponseError } from './response-error.ts'
