/**
 * The events of AG-UI 1.0.
 *
 *     RUN_STARTED → … → RUN_FINISHED | RUN_ERROR
 *     SUBAGENT_STARTED → … → SUBAGENT_FINISHED | SUBAGENT_ERROR      within a run
 *     TEXT_MESSAGE_START → TEXT_MESSAGE_CONTENT* → TEXT_MESSAGE_END
 *     REASONING_START → (REASONING_MESSAGE_START → …CONTENT* → …END)* → REASONING_ENCRYPTED_VALUE? → REASONING_END
 *     TOOL_CALL_START → TOOL_CALL_ARGS* → TOOL_CALL_END → TOOL_CALL_RESULT?
 *
 * A `…_CHUNK` stands for a start, a content and an end: the message ends with the next event of another kind or id.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, maybe, open } from '../../../../events/records/fields.ts'
import type { AgUiEvent } from '../types.generated.ts'
import {
  agUiContentPart,
  agUiEventBase,
  agUiMessage,
  agUiOwnedEvent,
  agUiPatch,
  agUiRunInput,
  agUiRunOutcome,
  agUiTextRole,
  agUiUsage,
  text,
} from './parts.ts'

const ofSubagent = {
  ...agUiEventBase,
  /** The subagent. */
  subagentRunId: text,
}
const ofStep = {
  ...agUiOwnedEvent,
  /** Name of the step. */
  stepName: text,
}
const ofSpan = {
  ...agUiOwnedEvent,
  /** The span. */
  messageId: text,
}
const ofMessage = {
  ...agUiOwnedEvent,
  /** The message. */
  messageId: text,
}
const ofCall = {
  ...agUiOwnedEvent,
  /** The call. */
  toolCallId: text,
}

/** A run starts. The first event of every stream. */
const agUiRunStarted = open({
  type: z.literal('RUN_STARTED'),
  ...agUiEventBase,
  /** The conversation. */
  threadId: text,
  /** The run: one request to the agent and its answer. */
  runId: text,
  /** The version of the protocol, such as `1.0`. Omitted by older servers. */
  protocolVersion: maybe(text),
  /** The run before this one, as after an interrupt. Omitted if unknown. */
  parentRunId: maybe(text),
  /** The request that started the run. Omitted if the server does not repeat it. */
  input: maybe(agUiRunInput),
})

/** A run ended, unless it failed. */
const agUiRunFinished = open({
  type: z.literal('RUN_FINISHED'),
  ...agUiEventBase,
  /** The conversation. */
  threadId: text,
  /** The run. */
  runId: text,
  /** The result: any JSON. Omitted if none. */
  result: maybe(z.unknown()),
  /** How the run ended. Defaults to success. */
  outcome: maybe(agUiRunOutcome),
  /** The tokens of the run, by model. Omitted if unknown. */
  usage: maybe(z.array(agUiUsage)),
})

/** A run failed. */
const agUiRunError = open({
  type: z.literal('RUN_ERROR'),
  ...agUiEventBase,
  /** What went wrong, for people. */
  message: text,
  /** What went wrong, for programs. Omitted if unknown. */
  code: maybe(text),
  /** The tokens of the run, by model. Omitted if unknown. */
  usage: maybe(z.array(agUiUsage)),
})

/** A step of the agent starts. */
const agUiStepStarted = open({ type: z.literal('STEP_STARTED'), ...ofStep })

/** A step of the agent ended. */
const agUiStepFinished = open({ type: z.literal('STEP_FINISHED'), ...ofStep })

/** A subagent starts. */
const agUiSubagentStarted = open({
  type: z.literal('SUBAGENT_STARTED'),
  ...agUiEventBase,
  /** The subagent. Unique in the run. */
  subagentRunId: text,
  /** Name of the subagent. */
  name: text,
  /** What the subagent does. Omitted if unknown. */
  description: maybe(text),
  /** The subagent that started this one. Omitted: the agent of the run. */
  parentSubagentRunId: maybe(text),
  /** The call that started the subagent. Omitted if none. */
  parentToolCallId: maybe(text),
  /** The message that started the subagent. Omitted if none. */
  parentMessageId: maybe(text),
})

/** A subagent ended, unless it failed. */
const agUiSubagentFinished = open({
  type: z.literal('SUBAGENT_FINISHED'),
  ...ofSubagent,
  /** The result: any JSON. Omitted if none. */
  result: maybe(z.unknown()),
  /** How it ended. `suspended`: it waits for the answer to interrupts. Defaults to success. */
  outcome: maybe(
    z.discriminatedUnion('type', [
      open({
        type: z.literal('success'),
      }),
      open({
        type: z.literal('suspended'),
        interruptIds: maybe(z.array(text)),
      }),
    ]),
  ),
})

/** A subagent failed. */
const agUiSubagentError = open({
  type: z.literal('SUBAGENT_ERROR'),
  ...ofSubagent,
  /** What went wrong, for people. */
  message: text,
  /** What went wrong, for programs. Omitted if unknown. */
  code: maybe(text),
})

/** A text begins. */
const agUiTextMessageStart = open({
  type: z.literal('TEXT_MESSAGE_START'),
  ...agUiOwnedEvent,
  /** The message. Unique in the thread. */
  messageId: text,
  /** Who the text is from. Defaults to `assistant`. */
  role: maybe(agUiTextRole),
  /** The name of the author, for display. Omitted if unknown. */
  name: maybe(text),
})

/** A piece of a text, to be appended. */
const agUiTextMessageContent = open({
  type: z.literal('TEXT_MESSAGE_CONTENT'),
  ...ofMessage,
  /** The text to append. Not empty. */
  delta: text,
})

/** A text is complete. */
const agUiTextMessageEnd = open({ type: z.literal('TEXT_MESSAGE_END'), ...ofMessage })

/** A piece of a text that begins with its first chunk. */
const agUiTextMessageChunk = open({
  type: z.literal('TEXT_MESSAGE_CHUNK'),
  ...agUiOwnedEvent,
  /** The message. Required on the first chunk; omitted on others: the same message. */
  messageId: maybe(text),
  /** Who the text is from. Defaults to `assistant`. */
  role: maybe(agUiTextRole),
  /** The text to append. Omitted if none. */
  delta: maybe(text),
  /** The name of the author, for display. Omitted if unknown. */
  name: maybe(text),
})

/** A span of reasoning begins, with any number of reasoning messages in it. */
const agUiReasoningStart = open({ type: z.literal('REASONING_START'), ...ofSpan })

/** A reasoning message begins. */
const agUiReasoningMessageStart = open({
  type: z.literal('REASONING_MESSAGE_START'),
  ...agUiOwnedEvent,
  /** The message. Often that of its span. */
  messageId: text,
  /** Always `reasoning`. */
  role: z.literal('reasoning'),
})

/** A piece of a reasoning message, to be appended. */
const agUiReasoningMessageContent = open({
  type: z.literal('REASONING_MESSAGE_CONTENT'),
  ...ofMessage,
  /** The text to append. Not empty. */
  delta: text,
})

/** A reasoning message is complete. */
const agUiReasoningMessageEnd = open({ type: z.literal('REASONING_MESSAGE_END'), ...ofMessage })

/** A piece of a reasoning message that begins with its first chunk. */
const agUiReasoningMessageChunk = open({
  type: z.literal('REASONING_MESSAGE_CHUNK'),
  ...agUiOwnedEvent,
  /** The message. Required on the first chunk; omitted on others: the same message. */
  messageId: maybe(text),
  /** The text to append. Omitted if none. */
  delta: maybe(text),
})

/** A span of reasoning is complete. */
const agUiReasoningEnd = open({ type: z.literal('REASONING_END'), ...ofSpan })

/** The provider's opaque value of a message or a call, to be sent back with the next request. */
const agUiReasoningEncryptedValue = open({
  type: z.literal('REASONING_ENCRYPTED_VALUE'),
  ...agUiOwnedEvent,
  /** What the value belongs to. */
  subtype: z.enum(['tool-call', 'message']),
  /** The message, span or call. */
  entityId: text,
  /** The opaque value. */
  encryptedValue: text,
})

/** A tool call begins. */
const agUiToolCallStart = open({
  type: z.literal('TOOL_CALL_START'),
  ...ofCall,
  /** Name of the tool. */
  toolCallName: text,
  /** The message that the call is part of. Omitted: none. */
  parentMessageId: maybe(text),
})

/** A piece of the arguments, to be appended. */
const agUiToolCallArgs = open({
  type: z.literal('TOOL_CALL_ARGS'),
  ...ofCall,
  /** The text to append. The joined deltas are JSON. */
  delta: text,
})

/** The arguments of a call are complete. */
const agUiToolCallEnd = open({ type: z.literal('TOOL_CALL_END'), ...ofCall })

/** A piece of the arguments of a call that begins with its first chunk. */
const agUiToolCallChunk = open({
  type: z.literal('TOOL_CALL_CHUNK'),
  ...agUiOwnedEvent,
  /** The call. Required on the first chunk; omitted on others: the same call. */
  toolCallId: maybe(text),
  /** Name of the tool. Required on the first chunk. */
  toolCallName: maybe(text),
  /** The message that the call is part of. Omitted: none. */
  parentMessageId: maybe(text),
  /** The text to append. Omitted if none. */
  delta: maybe(text),
})

/** The result of a call. AG-UI has no field for failures. */
const agUiToolCallResult = open({
  type: z.literal('TOOL_CALL_RESULT'),
  ...agUiOwnedEvent,
  /** The message of the tool that the result is. */
  messageId: text,
  /** The call. */
  toolCallId: text,
  /** The result: text, which may be JSON, or parts. */
  content: z.union([text, z.array(agUiContentPart)]),
  /** Always `tool`. Omitted: the same. */
  role: maybe(z.literal('tool')),
})

/** The state that agent and client share, whole. */
const agUiStateSnapshot = open({
  type: z.literal('STATE_SNAPSHOT'),
  ...agUiOwnedEvent,
  /** The state: any JSON. */
  snapshot: z.unknown(),
})

/** A change of the state. */
const agUiStateDelta = open({
  type: z.literal('STATE_DELTA'),
  ...agUiOwnedEvent,
  /** The change, from the state so far. */
  delta: agUiPatch,
})

/** What an activity shows, whole. */
const agUiActivitySnapshot = open({
  type: z.literal('ACTIVITY_SNAPSHOT'),
  ...agUiOwnedEvent,
  /** The message of the activity. */
  messageId: text,
  /** The type of the activity, by which a client chooses how to show it. */
  activityType: text,
  /** What to show. */
  content: anyObject,
  /** `false`: does nothing if the message exists. Defaults to `true`. */
  replace: maybe(z.boolean()),
})

/** A change of what an activity shows. */
const agUiActivityDelta = open({
  type: z.literal('ACTIVITY_DELTA'),
  ...agUiOwnedEvent,
  /** The message of the activity. */
  messageId: text,
  /** The type of the activity. */
  activityType: text,
  /** The change of its content. */
  patch: agUiPatch,
})

/** All messages of the conversation. Replaces those of the client. */
const agUiMessagesSnapshot = open({
  type: z.literal('MESSAGES_SNAPSHOT'),
  ...agUiEventBase,
  /** The messages, oldest first. */
  messages: z.array(agUiMessage),
})

/** An event of another system, unchanged. */
const agUiRaw = open({
  type: z.literal('RAW'),
  ...agUiOwnedEvent,
  /** The event: any JSON. */
  event: z.unknown(),
  /** Where it comes from. Omitted if unknown. */
  source: maybe(text),
})

/** An event of the application. */
const agUiCustom = open({
  type: z.literal('CUSTOM'),
  ...agUiOwnedEvent,
  /** What the event is. */
  name: text,
  /** The content: any JSON. */
  value: z.unknown(),
})

/**
 * Any event of AG-UI 1.0, discriminated by `type`.
 *
 * `@ag-ui/core` types `type` as an enumeration, to which TypeScript assigns no texts: to pass an event to it, state
 * `event as BaseEvent`. Its events can be passed to functions of this package as they are.
 */
export const agUiEvent: Schema<AgUiEvent> = schemaOf<AgUiEvent>()(
  z.discriminatedUnion('type', [
    agUiRunStarted,
    agUiRunFinished,
    agUiRunError,
    agUiStepStarted,
    agUiStepFinished,
    agUiSubagentStarted,
    agUiSubagentFinished,
    agUiSubagentError,
    agUiTextMessageStart,
    agUiTextMessageContent,
    agUiTextMessageEnd,
    agUiTextMessageChunk,
    agUiReasoningStart,
    agUiReasoningMessageStart,
    agUiReasoningMessageContent,
    agUiReasoningMessageEnd,
    agUiReasoningMessageChunk,
    agUiReasoningEnd,
    agUiReasoningEncryptedValue,
    agUiToolCallStart,
    agUiToolCallArgs,
    agUiToolCallEnd,
    agUiToolCallChunk,
    agUiToolCallResult,
    agUiStateSnapshot,
    agUiStateDelta,
    agUiActivitySnapshot,
    agUiActivityDelta,
    agUiMessagesSnapshot,
    agUiRaw,
    agUiCustom,
  ]),
)
