/** Bytes in, validated events out. */

export { type DecodedMessage, type EventDecoderOptions, eventDecoder } from './event-decoder.ts'
export { type ReadEventsOptions, readEvents } from './read-events.ts'
