/**
 * Event frames: the log of a runtime that runs agents and their tools, in both versions of its
 * envelope. Types, validators, rules, and the way to the core vocabulary and back.
 *
 * @packageDocumentation
 */

// To the core vocabulary and back
export type { Coverage } from '../shared/coverage.ts'
export { type FromFramesOptions, type FromFramesState, fromFrames } from './from/from-frames.ts'
export type { SourceStream, SourceTool } from './from/source-stream.ts'
export { framesCoverage, framesLossyFields } from './to/coverage.ts'
export type { TargetStream } from './to/target-stream.ts'
export { type ToFramesOptions, type ToFramesState, toFrames } from './to/to-frames.ts'
// Rules
export { type FrameRule, type FrameRuleName, type FrameViolation, frameRules } from './verify/rules.ts'
export type {
  FrameVerifierState,
  VerifiedArtifact,
  VerifiedCheckpoint,
  VerifiedMore,
  VerifiedStream,
  VerifiedTool,
} from './verify/state.ts'
export { type FrameVerifierOptions, frameVerifier } from './verify/verifier.ts'
// Reading and writing
export { decodeFrame } from './wire/decode.ts'
export { type CarriedFrame, carriedFrame, type FrameEvent } from './wire/embedded-frame.ts'
export { encodeFrame } from './wire/encode.ts'
// Validators
export {
  frameBodySchemas,
  frameV1EnvelopeSchema,
  frameV1Schema,
  frameV1Schemas,
  frameV2EnvelopeSchema,
  frameV2Schema,
  frameV2Schemas,
} from './wire/schemas.ts'
export {
  type FrameSequencerOptions,
  type FrameSequencerState,
  type FrameStream,
  frameSequencer,
} from './wire/sequencer.ts'
// The vocabulary
export type {
  CheckpointCreatedFrame,
  CheckpointFailedFrame,
  CheckpointRewoundFrame,
  OutputTextDeltaFrame,
  ProviderEventFrame,
  SessionEndedFrame,
  SessionStartedFrame,
} from './wire/session-types.ts'
export type {
  ArtifactWrittenFrame,
  SkillCatalogUpdatedFrame,
  SkillInvokedFrame,
  SkillLoadedFrame,
  SkillWarningFrame,
} from './wire/store-types.ts'
export type { Streams } from './wire/stream-map.ts'
export type {
  ToolEndedFrame,
  ToolFailedFrame,
  ToolStartedFrame,
  ToolStderrFrame,
  ToolStdoutFrame,
  ToolTaskCancelledFrame,
  ToolTaskCancelRequestedFrame,
  ToolTaskOutputDeltaFrame,
  ToolTaskResizedFrame,
  ToolTaskSignalledFrame,
  ToolTaskSpawnedFrame,
  ToolTaskStatusFrame,
  ToolTaskStdinWrittenFrame,
} from './wire/tool-types.ts'
export {
  type AnyFrame,
  type FrameBodyByVersion,
  type FrameBodyOf,
  type FrameByVersion,
  type FrameV1,
  type FrameV1Body,
  type FrameV1Envelope,
  type FrameV1Of,
  type FrameV1Type,
  type FrameV2,
  type FrameV2Body,
  type FrameV2Envelope,
  type FrameV2Of,
  type FrameV2Type,
  type FrameVersion,
  frameV1Types,
  frameV2Types,
  type UnknownFrame,
} from './wire/types.ts'
// From one version to the other
export { downgradeFrame, upgradeFrame } from './wire/versions.ts'
