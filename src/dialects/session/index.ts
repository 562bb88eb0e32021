/**
 * The session protocol of MyAgent-like servers: 45 documented events and 9 extensions over one connection, in both directions.
 * Types, decoding, delivery, verification, and mapping to and from the core vocabulary.
 *
 * @packageDocumentation
 */

// Commands
export { commandsFromSessionEvent } from './commands/index.ts'
// Confirmation questions
export { answerConfirm, createConfirm, matchConfirm } from './delivery/confirm.ts'
// Delivery
export { type DeliveredEvent, formatSessionEventId, readSessionAck } from './delivery/event-id.ts'
export { sessionOutbox } from './delivery/outbox.ts'
export { sessionReceiver } from './delivery/receiver.ts'
export {
  restampSessionEvent,
  selectReplay,
  upsertSessionEvent,
} from './delivery/replay.ts'
// Mapping
export { fromSessionEvents } from './from/from-session.ts'
export type { SessionInput } from './from/state.ts'
// Signed state
export { encodeReconnectWithState, signedStateIn, signState } from './signed/sign-state.ts'
export { verifySignedState } from './signed/verify-state.ts'
export { toSessionEvents } from './to/to-session.ts'
// Verification
export { sessionRules } from './verify/rules.ts'
export { sessionVerifier } from './verify/verifier.ts'
export { sessionCoverage, sessionLosses } from './wire/coverage.ts'
// Creating and decoding events
export { createSessionEvent } from './wire/create.ts'
export { decodeSessionEvent } from './wire/decode.ts'
// Types
export type { SessionEvent, SessionServerEvent, UnknownSessionEvent } from './wire/event.ts'
export type { LenientSessionEvent } from './wire/lenient.ts'
export { sessionEventNames } from './wire/names.ts'
export { validateSessionPayload } from './wire/payload-rules.ts'
