/** Serving a stream over SSE. */

export {
  createStream,
  type LoggedStreamOptions,
  type RespondOptions,
  type Stream,
  type StreamOptions,
  type StreamResponse,
} from './stream.ts'
