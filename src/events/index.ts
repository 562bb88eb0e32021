/** The vocabulary: event kinds, types and decoders. */

export { isSafeAuthUrl } from './auth-url.ts'
export type { CustomEvents } from './custom.ts'
export { decodeAnyEvent, decodeEvent } from './decode.ts'
export type { ErrorInfo } from './error.ts'
export type {
  AnyEvent,
  ContextAnyEvent,
  ContextEvent,
  ContextEventOf,
  EventContext,
  EventKind,
  EventOf,
} from './event.ts'
export type { ToolCall } from './input.ts'
export { eventKinds } from './kinds.ts'
export type { JsonSchema, Metadata } from './metadata.ts'
export type { CitedSource } from './source.ts'
export { isTaskEnd } from './task-end.ts'
export { isTerminalStatus, type TaskStatus } from './task-status.ts'
export type { ThoughtType, ThoughtVerbosity } from './thought.ts'
export type { Usage } from './usage.ts'
export { PROTOCOL_VERSION } from './version.ts'
