/**
 * A2A (Agent2Agent) 0.3 and 1.0, in both directions.
 *
 * @see https://a2a-protocol.org
 * @packageDocumentation
 */

// The stream around the events
export type { Coverage } from '../shared/coverage.ts'
// Several tasks
export { type DemuxState, demuxTasks, type TaskOutput } from './demux.ts'
// From A2A
export { type FromA2aOptions, fromA2a } from './from/from-a2a.ts'
export type { FromA2aState } from './from/state.ts'
export { a2aCoverage } from './to/coverage.ts'
export { a2aSnapshot, type ToA2aState } from './to/state.ts'
// To A2A
export { type ToA2aEnd, type ToA2aOptions, toA2a } from './to/to-a2a.ts'
export { isA2aStreamEnd } from './verify/stream-end.ts'
// Validators
export { validateA2aEvent } from './verify/validate-event.ts'
export { validateA2aStream } from './verify/validate-stream.ts'
// The extension
export { a2aExtensionUri } from './wire/extension.ts'
export { type JsonRpcResponse, wrapJsonRpc } from './wire/json-rpc.ts'
// The words of A2A 0.3
export type {
  A2aV03Artifact,
  A2aV03DataPart,
  A2aV03FilePart,
  A2aV03FileWithBytes,
  A2aV03FileWithUri,
  A2aV03Message,
  A2aV03Part,
  A2aV03StreamEvent,
  A2aV03Task,
  A2aV03TaskArtifactUpdateEvent,
  A2aV03TaskState,
  A2aV03TaskStatus,
  A2aV03TaskStatusUpdateEvent,
  A2aV03TextPart,
} from './wire/types-v0-3.ts'
// The words of A2A 1.0
export type {
  A2aV1Artifact,
  A2aV1DataPart,
  A2aV1Message,
  A2aV1Part,
  A2aV1RawPart,
  A2aV1StreamResponse,
  A2aV1Task,
  A2aV1TaskArtifactUpdateEvent,
  A2aV1TaskState,
  A2aV1TaskStatus,
  A2aV1TaskStatusUpdateEvent,
  A2aV1TextPart,
  A2aV1UrlPart,
} from './wire/types-v1.ts'
export type { A2aEvent, A2aTask, A2aVersion } from './wire/version.ts'
