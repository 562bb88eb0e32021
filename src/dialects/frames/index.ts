/**
 * Event frames: the log of a runtime for agents and their tools, in both versions of its envelope.
 * Types, decoding, receiving, verification, and mapping to and from the core vocabulary.
 *
 * @packageDocumentation
 */

// Mapping
export { fromFrames } from './from/from-frames.ts'
export { framesCoverage, framesLosses } from './to/coverage.ts'
export { toFrames } from './to/to-frames.ts'
// Verification
export { frameRules } from './verify/rules/index.ts'
export { frameVerifier } from './verify/verifier.ts'
// Decoding and encoding
export { decodeFrame } from './wire/codec/decode.ts'
export { encodeFrame } from './wire/codec/encode.ts'
export { embeddedFrame, type FrameEvent } from './wire/embedded-frame.ts'
// Streams
export { frameReceiver } from './wire/stream/receiver.ts'
export { frameSequencer } from './wire/stream/sequencer.ts'
export { downgradeFrame, upgradeFrame } from './wire/stream/versions.ts'
// Types
export type { AnyFrame, FrameV1, FrameV2, UnknownFrame } from './wire/types.ts'
