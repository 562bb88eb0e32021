/**
 * Event frames: the log of a runtime for agents and their tools, in both versions of its envelope.
 * Types, decoding, verification, and mapping to and from the core vocabulary.
 *
 * @packageDocumentation
 */

// Mapping
export { type FromFramesOptions, fromFrames } from './from/from-frames.ts'
export { framesCoverage, framesLossyFields } from './to/coverage.ts'
export { type ToFramesOptions, toFrames } from './to/to-frames.ts'
// Verification
export type { FrameViolation } from './verify/report.ts'
export { type FrameRule, type FrameRuleName, frameRules } from './verify/rules.ts'
export { type FrameVerifierOptions, frameVerifier } from './verify/verifier.ts'
// Decoding and encoding
export { decodeFrame } from './wire/decode.ts'
export { type EmbeddedFrame, embeddedFrame, type FrameEvent } from './wire/embedded-frame.ts'
export { encodeFrame } from './wire/encode.ts'
export { type FrameSequencerOptions, frameSequencer } from './wire/sequencer.ts'
// Types
export {
  type AnyFrame,
  type FrameV1,
  type FrameV1Of,
  type FrameV2,
  type FrameV2Of,
  type FrameVersion,
  frameV1Types,
  frameV2Types,
  type UnknownFrame,
} from './wire/types.ts'
export { downgradeFrame, upgradeFrame } from './wire/versions.ts'
