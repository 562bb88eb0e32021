/** The reader of each dialect, loaded when it is needed. */

import { isFields } from '../../validation/predicates.ts'
import type { Dialect } from '../dialects.ts'
import { type EventReader, machineReader, type ReadOptions } from './event-reader.ts'
import { modelReader } from './model-reader.ts'

/** A call is shown with its arguments, also one whose arguments were not streamed. */
const calls = { calls: 'start' } as const

type Load = (options: ReadOptions) => Promise<EventReader>

const readers: Readonly<Record<Dialect, Load>> = {
  core: async () => (await import('./core-reader.ts')).coreReader(),
  a2a: async () => {
    const { fromA2a } = await import('../../dialects/a2a/from/from-a2a.ts')
    return machineReader(({ now }) => fromA2a({ now }))
  },
  'ag-ui': async () => {
    const { fromAgUi } = await import('../../dialects/ag-ui/from/from-ag-ui.ts')
    return machineReader(() => fromAgUi())
  },
  'ai-sdk': async () => {
    const { fromUiMessageStream } = await import('../../dialects/ai-sdk/from/from-ui-message-stream.ts')
    return machineReader((clock) => fromUiMessageStream(clock))
  },
  frames: async () => {
    const { fromFrames } = await import('../../dialects/frames/from/from-frames.ts')
    return machineReader(() => fromFrames())
  },
  'agent-event': async ({ contextId = 'recording', taskId = 'response' }) => {
    const { fromAgentEvents } = await import('../../dialects/agent-event/from/from-agent-events.ts')
    return machineReader(({ now }) => fromAgentEvents({ contextId, taskId, now }))
  },
  session: async () => {
    const { fromSessionEvents } = await import('../../dialects/session/from/from-session.ts')
    return machineReader(() => fromSessionEvents())
  },
  'openai-chat': async (options) => {
    const { openaiChat } = await import('../../providers/openai-chat/openai-chat.ts')
    return modelReader(() => openaiChat(calls), options)
  },
  'openai-responses': async (options) => {
    const { openaiResponses } = await import('../../providers/openai-responses/openai-responses.ts')
    return modelReader(() => openaiResponses(calls), options)
  },
  anthropic: async (options) => {
    const { anthropicMessages } = await import('../../providers/anthropic-messages/anthropic-messages.ts')
    return modelReader(() => anthropicMessages(calls), options)
  },
  gemini: async (options) => {
    const [{ geminiContent }, { geminiInteractions }] = await Promise.all([
      import('../../providers/gemini-content/gemini-content.ts'),
      import('../../providers/gemini-interactions/gemini-interactions.ts'),
    ])
    return modelReader<unknown>(
      (first) =>
        (isFields(first) && typeof first.event_type === 'string'
          ? geminiInteractions(calls)
          : geminiContent(calls)) as never,
      options,
    )
  },
  bedrock: async (options) => {
    const { bedrockConverse } = await import('../../providers/bedrock-converse/bedrock-converse.ts')
    return modelReader(() => bedrockConverse(calls), options)
  },
  cohere: async (options) => {
    const { cohereChat } = await import('../../providers/cohere-chat/cohere-chat.ts')
    return modelReader(() => cohereChat(calls), options)
  },
}

/** Loads the reader of a dialect: recorded values in, events of the core vocabulary out. Never throws on data. */
export function toCoreEvents(dialect: Dialect, options: ReadOptions = {}): Promise<EventReader> {
  return readers[dialect](options)
}
