/**
 * The session protocol of MyAgent-like servers: 45 documented events and 9 extensions over one connection, in both directions.
 * Types, decoding, delivery, verification, and mapping to and from the core vocabulary.
 *
 * @packageDocumentation
 */

// Commands
export { commandsFromSessionEvent } from './commands/index.ts'
// Confirmation questions
export {
  type AskedQuestion,
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
// Signed state
export type { StateKey } from './signed/hmac.ts'
export {
  encodeReconnectWithState,
  type SignedStateVersion,
  type SignStateOptions,
  signedStateIn,
  signState,
} from './signed/sign-state.ts'
export {
  type SignedStateFault,
  type SignedStateVerdict,
  type VerifiedState,
  type VerifyStateOptions,
  verifySignedState,
} from './signed/verify-state.ts'
export { type ToSessionOptions, toSessionEvents } from './to/to-session.ts'
// Verification
export type { SessionRuleName, SessionViolation } from './verify/rule-names.ts'
export { type SessionRule, sessionRules } from './verify/rules.ts'
export { type SessionVerifierOptions, sessionVerifier } from './verify/verifier.ts'
export { sessionCoverage, sessionLosses } from './wire/coverage.ts'
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
  SessionExtensionEvent,
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
  sessionExtensionEventNames,
  sessionServerEventNames,
} from './wire/names.ts'
export { sessionPayloadRules, validateSessionPayload } from './wire/payload-rules.ts'
