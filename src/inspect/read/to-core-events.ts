/** The reader of each dialect, loaded when it is needed. */

import { isFields } from '../../validation/predicates.ts'
import type { Dialect } from '../dialects.ts'
import type { RecordedValue } from '../recording/recorded.ts'
import { type CoreOutput, type EventReader, machineReader, type NextResponse } from './event-reader.ts'
import { CONTEXT, type ModelMachine, modelReader } from './model-reader.ts'
import { type IsStart, responseStarts } from './response-starts.ts'

/** What readers of providers take. */
interface ModelSettings {
  readonly calls: 'start'
  readonly iteration: number
  readonly newId: () => string
}

type Load = (next: NextResponse) => Promise<EventReader>

/** The name of a task or message, by the number of the response: `response`, `response-2`. */
function numbered(name: string, response: number): string {
  return response === 1 ? name : `${name}-${response}`
}

/** Reads the responses of a model, each as a task. */
function modelResponses<State>(
  dialect: Dialect,
  machineFor: (settings: ModelSettings, first: unknown) => ModelMachine<State>,
  next: NextResponse,
): EventReader {
  const open = ({ value }: RecordedValue): EventReader => {
    const response = next()
    // A call is shown with its arguments, also one whose arguments were not streamed.
    const taskId = numbered('response', response)
    const settings: ModelSettings = { calls: 'start', iteration: response - 1, newId: () => taskId }
    return modelReader(machineFor(settings, value), taskId)
  }
  return responseReader(open, responseStarts(dialect) ?? (() => false))
}

const readers: Readonly<Record<Dialect, Load>> = {
  core: async () => (await import('./core-reader.ts')).coreReader(),
  a2a: async () => {
    const { fromA2a } = await import('../../dialects/a2a/from/from-a2a.ts')
    return machineReader(({ now }) => fromA2a({ now, showErrors: true }))
  },
  'ag-ui': async () => {
    const { fromAgUi } = await import('../../dialects/ag-ui/from/from-ag-ui.ts')
    return machineReader(({ now }) => fromAgUi({ now, raw: true, showErrors: true }))
  },
  'ai-sdk': async (next) => {
    const { fromUiMessageStream } = await import('../../dialects/ai-sdk/from/from-ui-message-stream.ts')
    let last: unknown
    const open = ({ value }: RecordedValue): EventReader => {
      const response = next()
      const messageId = isFields(value) ? value.messageId : undefined
      const name = typeof messageId === 'string' && messageId !== '' ? messageId : 'message'
      const isNamed = response === 1 || (messageId === name && messageId !== last)
      last = messageId
      const ids = isNamed ? {} : { taskId: numbered(name, response), contextId: name }
      return machineReader(({ now }) => fromUiMessageStream({ now, showErrors: true, ...ids }))
    }
    return responseReader(open, responseStarts('ai-sdk') ?? (() => false))
  },
  frames: async () => {
    const { fromFrames } = await import('../../dialects/frames/from/from-frames.ts')
    return machineReader(() => fromFrames())
  },
  'agent-event': async (next) => {
    const { fromAgentEvents } = await import('../../dialects/agent-event/from/from-agent-events.ts')
    const open = (): EventReader => {
      const taskId = numbered('response', next())
      return machineReader(({ now }) =>
        fromAgentEvents({ contextId: CONTEXT, taskId, now, showErrors: true }),
      )
    }
    return responseReader(open, responseStarts('agent-event') ?? (() => false))
  },
  session: async () => {
    const { fromSessionEvents } = await import('../../dialects/session/from/from-session.ts')
    return machineReader(() => fromSessionEvents({ showErrors: true }))
  },
  'openai-chat': async (next) => {
    const { openaiChat } = await import('../../providers/openai-chat/openai-chat.ts')
    return modelResponses('openai-chat', openaiChat, next)
  },
  'openai-responses': async (next) => {
    const { openaiResponses } = await import('../../providers/openai-responses/openai-responses.ts')
    return modelResponses('openai-responses', openaiResponses, next)
  },
  anthropic: async (next) => {
    const { anthropicMessages } = await import('../../providers/anthropic-messages/anthropic-messages.ts')
    return modelResponses('anthropic', anthropicMessages, next)
  },
  gemini: async (next) => {
    const [{ geminiContent }, { geminiInteractions }] = await Promise.all([
      import('../../providers/gemini-content/gemini-content.ts'),
      import('../../providers/gemini-interactions/gemini-interactions.ts'),
    ])
    return modelResponses<unknown>(
      'gemini',
      (settings, first) =>
        (isFields(first) && typeof first.event_type === 'string'
          ? geminiInteractions(settings)
          : geminiContent(settings)) as never,
      next,
    )
  },
  bedrock: async (next) => {
    const { bedrockConverse } = await import('../../providers/bedrock-converse/bedrock-converse.ts')
    return modelResponses('bedrock', bedrockConverse, next)
  },
  cohere: async (next) => {
    const { cohereChat } = await import('../../providers/cohere-chat/cohere-chat.ts')
    return modelResponses('cohere', cohereChat, next)
  },
}

/**
 * Loads the reader of a dialect: recorded values in, events of the core vocabulary out. Never throws on data.
 *
 * @param next - Shared by the readers of a recording, so that no two responses have the same name.
 */
export function toCoreEvents(dialect: Dialect, next: NextResponse = responseCounter()): Promise<EventReader> {
  return readers[dialect](next)
}

/** Counts the responses of one recording. */
export function responseCounter(): NextResponse {
  let count = 0
  return () => ++count
}

/**
 * Reads several responses.
 *
 * @param open - The reader of one response, by its first value.
 * @param isStart - Whether a value begins another response.
 */
function responseReader(open: (first: RecordedValue) => EventReader, isStart: IsStart): EventReader {
  let reader: EventReader | undefined
  return {
    push(recorded) {
      const ended: CoreOutput[] = []
      if (isFields(recorded.value) && isStart(recorded.value) && reader !== undefined) {
        ended.push(...reader.end())
        reader = undefined
      }
      reader ??= open(recorded)
      return [...ended, ...reader.push(recorded)]
    },
    end: () => reader?.end() ?? [],
  }
}
