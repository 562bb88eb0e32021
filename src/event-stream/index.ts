/** Bytes to validated events. */

export { type DecodedMessage, type EventDecoderOptions, eventDecoder } from './event-decoder.ts'
export { type ReadEventsOptions, readEvents } from './read-events.ts'
export { ResponseError } from './response-error.ts'
