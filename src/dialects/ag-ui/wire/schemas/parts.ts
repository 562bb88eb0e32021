/** The parts of events, and the request of a client. */
import * as z from 'zod/mini'
import { type FieldsOf, type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, maybe, open } from '../../../../events/records/fields.ts'
import { usage } from '../../../../events/records/model-fields.ts'
import type { AgUiMetadata, AgUiPatch, AgUiUsage } from '../types/shared.ts'
import type {
  AgUiContentPart,
  AgUiEventBase,
  AgUiMessage,
  AgUiOwnedEvent,
  AgUiRunInput,
  AgUiRunOutcome,
  AgUiTextRole,
} from '../types.generated.ts'

/** Any string. */
export const text: z.ZodMiniString = z.string()

/** {@link AgUiMetadata} as a schema. */
const metadataFields = anyObject as unknown as z.ZodMiniType<AgUiMetadata>

/** {@link AgUiPatch} as a schema. Of each operation only what all have: the others are checked as they apply. */
export const agUiPatch: z.ZodMiniType<AgUiPatch> = z.array(
  open({ op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']), path: text }),
) as unknown as z.ZodMiniType<AgUiPatch>

/** {@link AgUiUsage} as a schema. */
export const agUiUsage: z.ZodMiniType<AgUiUsage> = usage

/** The fields that every event may have. */
export const agUiEventBase: FieldsOf<AgUiEventBase> = {
  /** When the event was created, in milliseconds since 1970: an integer. Omitted if unknown. */
  timestamp: maybe(z.int()),
  /** The event of the provider that this one was made from: any JSON but `null`. Omitted if none. */
  rawEvent: maybe(z.unknown()),
  /** Additional information. Omitted if there is none. */
  metadata: maybe(metadataFields),
}

/** The fields that every event of an agent or a subagent may have. */
export const agUiOwnedEvent: FieldsOf<AgUiOwnedEvent> = {
  ...agUiEventBase,
  /** The subagent the event is from. Omitted: the agent of the run. */
  subagentRunId: maybe(text),
}

/** Where the bytes of a part are: in `value`, at the URL in `value`, or at a provider under the handle in `value`. */
const agUiPartSource = z.discriminatedUnion('type', [
  open({
    type: z.literal('data'),
    value: text,
    mimeType: text,
  }),
  open({
    type: z.literal('url'),
    value: text,
    mimeType: maybe(text),
  }),
  open({
    type: z.literal('file'),
    value: text,
    provider: maybe(text),
    mimeType: maybe(text),
  }),
])

/** A part of the content of a message of a user or a tool. */
export const agUiContentPart: Schema<AgUiContentPart> = schemaOf<AgUiContentPart>()(
  z.discriminatedUnion('type', [
    open({
      type: z.literal('text'),
      id: maybe(text),
      text: text,
      metadata: maybe(z.unknown()),
    }),
    open({
      type: z.enum(['image', 'audio', 'video', 'document']),
      id: maybe(text),
      source: agUiPartSource,
      metadata: maybe(z.unknown()),
    }),
  ]),
)

const messageBase = {
  /** The subagent that the message is from. Omitted: the agent of the run. */
  subagentRunId: maybe(text),
  /** The message. */
  id: text,
  /** Additional information. Omitted if there is none. */
  metadata: maybe(metadataFields),
}

const namedMessage = {
  ...messageBase,
  /** The name of the author. Omitted if unknown. */
  name: maybe(text),
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue: maybe(text),
}

/** A call in a message of the assistant. */
const agUiToolCall = open({
  /** The call. */
  id: text,
  type: z.literal('function'),
  /** The tool, and the arguments as JSON text. */
  function: open({
    name: text,
    arguments: text,
  }),
  /** The provider's opaque value of the call. Omitted if there is none. */
  encryptedValue: maybe(text),
  /** Additional information. Omitted if there is none. */
  metadata: maybe(metadataFields),
})

/** Instructions of the developer or the system. */
const agUiInstructionMessage = open({
  role: z.enum(['developer', 'system']),
  ...namedMessage,
  content: text,
})

/** A message of the agent. */
const agUiAssistantMessage = open({
  role: z.literal('assistant'),
  ...namedMessage,
  /** The text. Omitted if the message consists of calls. */
  content: maybe(text),
  /** The calls. Omitted if none. */
  toolCalls: maybe(z.array(agUiToolCall)),
})

/** A message of the user. */
const agUiUserMessage = open({
  role: z.literal('user'),
  ...namedMessage,
  content: z.union([text, z.array(agUiContentPart)]),
})

/** The result of a call. */
const agUiToolMessage = open({
  role: z.literal('tool'),
  ...messageBase,
  content: z.union([text, z.array(agUiContentPart)]),
  /** The call. */
  toolCallId: text,
  /** Why the call failed. Omitted if it succeeded. */
  error: maybe(text),
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue: maybe(text),
})

/** What an activity shows. */
const agUiActivityMessage = open({
  role: z.literal('activity'),
  ...messageBase,
  activityType: text,
  content: anyObject,
})

/** Reasoning of the model. */
const agUiReasoningMessage = open({
  role: z.literal('reasoning'),
  ...messageBase,
  content: text,
  /** The provider's opaque value of the message. Omitted if there is none. */
  encryptedValue: maybe(text),
})

/** A message of a conversation, discriminated by `role`. */
export const agUiMessage: Schema<AgUiMessage> = schemaOf<AgUiMessage>()(
  z.discriminatedUnion('role', [
    agUiInstructionMessage,
    agUiAssistantMessage,
    agUiUserMessage,
    agUiToolMessage,
    agUiActivityMessage,
    agUiReasoningMessage,
  ]),
)

/** A tool that the client offers to the agent and executes itself. */
const agUiTool = open({
  name: text,
  description: text,
  /** JSON Schema of the arguments. Omitted if it has none. */
  parameters: maybe(z.unknown()),
  /** Additional information. Omitted if there is none. */
  metadata: maybe(metadataFields),
})

/** What the agent should know: a piece of the state of the application. */
const agUiContext = open({
  description: text,
  value: text,
})

/** The answer to an interrupt. */
const agUiResume = open({
  /** The `id` of the interrupt. */
  interruptId: text,
  /** Whether it was answered or refused. */
  status: z.enum(['resolved', 'cancelled']),
  /** The answer: any JSON. Omitted if there is none. */
  payload: maybe(z.unknown()),
  /** Additional information. Omitted if there is none. */
  metadata: maybe(metadataFields),
})

/** The body that a client posts to start a run. */
export const agUiRunInput: Schema<AgUiRunInput> = schemaOf<AgUiRunInput>()(
  open({
    /** The conversation. */
    threadId: text,
    /** The run that the request starts. */
    runId: text,
    /** The version of the protocol, such as `1.0`. Omitted by older clients. */
    protocolVersion: maybe(text),
    /** The run before this one. Omitted if unknown. */
    parentRunId: maybe(text),
    /** The state that client and agent share: any JSON. Omitted if there is none. */
    state: maybe(z.unknown()),
    /** The conversation so far, with the new message. */
    messages: z.array(agUiMessage),
    /** The tools of the client. */
    tools: z.array(agUiTool),
    /** What the agent should know. */
    context: z.array(agUiContext),
    /** Further values for the agent: any JSON. Omitted if none. */
    forwardedProps: maybe(z.unknown()),
    /** The answers to the interrupts of the last run. Omitted if it had none. */
    resume: maybe(z.array(agUiResume)),
  }),
)

/** Something that only a person or the client can do. The next run answers it in `resume`. */
const agUiInterrupt = open({
  /** The subagent that asks. Omitted: the agent of the run. */
  subagentRunId: maybe(text),
  /** The question. The answer names it as `interruptId`. */
  id: text,
  /** Why the run stops, such as `approval_required`, for programs. */
  reason: text,
  /** The question, for people. Omitted if `reason` is sufficient. */
  message: maybe(text),
  /** The call that waits for the answer. Omitted if none. */
  toolCallId: maybe(text),
  /** JSON Schema of the answer. Omitted if any answer is valid. */
  responseSchema: maybe(anyObject),
  /** When the question expires: RFC 3339. Omitted if it does not. */
  expiresAt: maybe(text),
  /** Additional information. Omitted if there is none. */
  metadata: maybe(metadataFields),
})

/** How a run ended. */
export const agUiRunOutcome: Schema<AgUiRunOutcome> = schemaOf<AgUiRunOutcome>()(
  z.discriminatedUnion('type', [
    open({
      type: z.literal('success'),
      /** The calls that the client is to execute. Omitted if none. */
      pendingToolCallIds: maybe(z.array(text)),
    }),
    open({
      type: z.literal('interrupt'),
      /** What the next run has to answer. */
      interrupts: z.array(agUiInterrupt),
    }),
    open({
      type: z.literal('cancelled'),
    }),
  ]),
)

/** Who a text is from. */
export const agUiTextRole: Schema<AgUiTextRole> = schemaOf<AgUiTextRole>()(
  z.enum(['developer', 'system', 'assistant', 'user']),
)
