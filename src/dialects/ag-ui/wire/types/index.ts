/** The events of AG-UI 1.0. */

import type * as message from './message-events.ts'
import type * as run from './run-events.ts'
import type * as state from './state-events.ts'

export type * from './message-events.ts'
export type * from './messages.ts'
export type * from './run-events.ts'
export type * from './run-input.ts'
export type * from './shared.ts'
export type * from './state-events.ts'

/**
 * Any event of AG-UI 1.0, discriminated by `type`.
 *
 * `@ag-ui/core` types `type` as an enumeration, to which TypeScript assigns no texts: to pass an event to it, state
 * `event as BaseEvent`. Its events can be passed to functions of this package as they are.
 */
export type AgUiEvent =
  | run.AgUiRunStarted
  | run.AgUiRunFinished
  | run.AgUiRunError
  | run.AgUiStepStarted
  | run.AgUiStepFinished
  | run.AgUiSubagentStarted
  | run.AgUiSubagentFinished
  | run.AgUiSubagentError
  | message.AgUiTextMessageStart
  | message.AgUiTextMessageContent
  | message.AgUiTextMessageEnd
  | message.AgUiTextMessageChunk
  | message.AgUiReasoningStart
  | message.AgUiReasoningMessageStart
  | message.AgUiReasoningMessageContent
  | message.AgUiReasoningMessageEnd
  | message.AgUiReasoningMessageChunk
  | message.AgUiReasoningEnd
  | message.AgUiReasoningEncryptedValue
  | message.AgUiToolCallStart
  | message.AgUiToolCallArgs
  | message.AgUiToolCallEnd
  | message.AgUiToolCallChunk
  | message.AgUiToolCallResult
  | state.AgUiStateSnapshot
  | state.AgUiStateDelta
  | state.AgUiActivitySnapshot
  | state.AgUiActivityDelta
  | state.AgUiMessagesSnapshot
  | state.AgUiRaw
  | state.AgUiCustom

/** The type of an event, such as `RUN_STARTED`. */
export type AgUiEventType = AgUiEvent['type']

/** The event of a type. */
export type AgUiEventOf<Type extends AgUiEventType> = Extract<AgUiEvent, { type: Type }>

/** An event of a type that this version does not know. Its fields are as received. */
export interface UnknownAgUiEvent {
  type: string
  [field: string]: unknown
}
