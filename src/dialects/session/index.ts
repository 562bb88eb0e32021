/**
 * The session protocol of MyAgent-like servers: 45 events over one connection, in both directions.
 * Types, decoding, delivery, verification, and mapping to and from the core vocabulary.
 *
 * @packageDocumentation
 */

// Confirmation questions
export {
  answerConfirm,
  type ConfirmQuestion,
  createConfirm,
  matchConfirm,
} from './delivery/confirm.ts'
// Delivery
export {
  type DeliveredEvent,
  formatSessionEventId,
  parseSessionEventId,
  readSessionAck,
  type SessionEventId,
} from './delivery/event-id.ts'
export { type SessionOutboxOptions, sessionOutbox } from './delivery/outbox.ts'
export { type SessionReceiverOptions, sessionReceiver } from './delivery/receiver.ts'
export {
  restampSessionEvent,
  selectReplay,
  upsertSessionEvent,
} from './delivery/replay.ts'
// Mapping
export { type FromSessionOptions, fromSessionEvents } from './from/from-session.ts'
export type { SessionInput } from './from/state.ts'
export { type ToSessionOptions, toSessionEvents } from './to/to-session.ts'
// Verification
export {
  type SessionRule,
  type SessionRuleName,
  type SessionViolation,
  sessionRules,
} from './verify/rules.ts'
export { type SessionVerifierOptions, sessionVerifier } from './verify/verifier.ts'
export { sessionCoverage, sessionMappedFields } from './wire/coverage.ts'
// Creating and decoding events
export {
  type CreateSessionOptions,
  createSessionEvent,
  type SessionContentOf,
  type SessionMetadataOf,
} from './wire/create.ts'
export { type DecodedLeniently, type DecodeSessionOptions, decodeSessionEvent } from './wire/decode.ts'
// Types
export type {
  SessionClientEvent,
  SessionEvent,
  SessionEventOf,
  SessionServerEvent,
  UnknownSessionEvent,
} from './wire/event.ts'
export type { LenientSessionEvent } from './wire/lenient.ts'
export {
  isSessionEventName,
  type SessionDirection,
  type SessionEventName,
  sessionClientEventNames,
  sessionEventNames,
  sessionServerEventNames,
} from './wire/names.ts'
export { sessionPayloadRules, validateSessionPayload } from './wire/payload-rules.ts'
