/** Serving a stream over SSE. */

export { createStream, type Stream, type StreamResponse } from './stream.ts'
