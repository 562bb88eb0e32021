/**
 * A2A (Agent2Agent) 0.3 and 1.0, in both directions.
 *
 * @see https://a2a-protocol.org
 * @packageDocumentation
 */

// The stream around the events
export type { Coverage } from '../../coverage.ts'
// Several tasks
export { type DemuxState, demuxTasks, type TaskOutput } from './demux.ts'
// The extension
export { a2aExtensionUri } from './extension.ts'
// From A2A
export { type FromA2aOptions, fromA2a } from './from-a2a.ts'
export type { FromA2aState } from './from-a2a-state.ts'
export { type JsonRpcResponse, wrapJsonRpc } from './json-rpc.ts'
export { a2aCoverage } from './said.ts'
export { isA2aStreamEnd } from './stream-end.ts'
// To A2A
export { type ToA2aEnd, type ToA2aOptions, toA2a } from './to-a2a.ts'
export { a2aSnapshot, type ToA2aState } from './to-a2a-state.ts'
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
} from './types-v0-3.ts'
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
} from './types-v1.ts'
// Validators
export { validateA2aEvent } from './validate-event.ts'
export { validateA2aStream } from './validate-stream.ts'
export type { A2aEvent, A2aTask, A2aVersion } from './version.ts'
