/**
 * Event frames: the log of a runtime that runs agents and their tools, in both versions of its
 * envelope. Types, validators, rules, and the way to the core vocabulary and back.
 *
 * @packageDocumentation
 */

// To the core vocabulary and back
export type { Coverage } from '../../coverage.ts'
export { type CarriedFrame, carriedFrame, type FrameEvent } from './carried.ts'
export { framesCoverage, framesLosses } from './coverage.ts'
// Reading and writing
export { decodeFrame } from './decode.ts'
export { encodeFrame } from './encode.ts'
export { type FromFramesOptions, type FromFramesState, fromFrames } from './from-frames.ts'
// Rules
export { type FrameRule, type FrameRuleName, type FrameViolation, frameRules } from './rules.ts'
// Validators
export {
  frameBodySchemas,
  frameV1EnvelopeSchema,
  frameV1Schema,
  frameV1Schemas,
  frameV2EnvelopeSchema,
  frameV2Schema,
  frameV2Schemas,
} from './schemas.ts'
export {
  type FrameSequencerOptions,
  type FrameSequencerState,
  type FrameStream,
  frameSequencer,
} from './sequencer.ts'
// The vocabulary
export type {
  CheckpointCreatedFrame,
  CheckpointFailedFrame,
  CheckpointRewoundFrame,
  OutputTextDeltaFrame,
  ProviderEventFrame,
  SessionEndedFrame,
  SessionStartedFrame,
} from './session-types.ts'
export type { SourceStream, SourceTool } from './source-stream.ts'
export type {
  ArtifactWrittenFrame,
  SkillCatalogUpdatedFrame,
  SkillInvokedFrame,
  SkillLoadedFrame,
  SkillWarningFrame,
} from './store-types.ts'
export type { Streams } from './streams.ts'
export type { TargetStream } from './target-stream.ts'
export { type ToFramesOptions, type ToFramesState, toFrames } from './to-frames.ts'
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
} from './tool-types.ts'
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
} from './types.ts'
export { type FrameVerifierOptions, frameVerifier } from './verifier.ts'
export type {
  FrameVerifierState,
  VerifiedArtifact,
  VerifiedCheckpoint,
  VerifiedMore,
  VerifiedStream,
  VerifiedTool,
} from './verifier-state.ts'
// From one version to the other
export { downgradeFrame, upgradeFrame } from './versions.ts'
