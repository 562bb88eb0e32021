/** The formats that can be written, each loaded when it is needed. */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Dialect } from '../../inspect/dialects.ts'
import { eventWriter } from '../../inspect/write/event-writer.ts'
import type { EventWriter } from '../../inspect/write/machine-writer.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { jsonText } from '../escape.ts'
import { UsageError } from '../usage-error.ts'

/** The formats that can be written. */
export const targets = [
  'core',
  'a2a',
  'ag-ui',
  'ai-sdk',
  'frames',
  'agent-event',
  'session',
  'openai-chat',
] as const

/** A format that can be written. */
export type Target = (typeof targets)[number] & Dialect

/** What all writers take. */
export interface WriterOptions {
  readonly viewer: Viewer
  readonly extension: boolean
  readonly version?: string
  readonly newId: () => string
}

const writers: Readonly<Record<Target, (options: WriterOptions) => Promise<EventWriter>>> = {
  core: async ({ viewer }) => {
    const { project } = await import('../../streams/access/project.ts')
    return {
      push(event) {
        const visible = project(event, viewer)
        if (visible !== undefined) return { out: [visible] }
        const message = `The ${viewer.audience} may not see this ${event.kind} event.`
        return { out: [], diagnostics: [{ code: `dropped:${event.kind}`, message }] }
      },
      end: () => ({ out: [] }),
    }
  },
  a2a: async ({ viewer, extension, version = '1.0' }) => {
    const { toA2a } = await import('../../dialects/a2a/to/to-a2a.ts')
    if (version !== '1.0' && version !== '0.3') throw wrongVersion('1.0 or 0.3', version)
    return eventWriter('a2a', toA2a({ version, extension, viewer }))
  },
  'ag-ui': async ({ viewer, extension }) => {
    const { toAgUi } = await import('../../dialects/ag-ui/to/to-ag-ui.ts')
    return eventWriter('ag-ui', toAgUi({ extension, viewer }))
  },
  'ai-sdk': async ({ viewer, extension }) => {
    const { toUiMessageStream } = await import('../../dialects/ai-sdk/to/to-ui-message-stream.ts')
    return eventWriter('ai-sdk', toUiMessageStream({ extension, viewer }))
  },
  frames: async ({ viewer, version = 'v1', newId }) => {
    const { toFrames } = await import('../../dialects/frames/to/to-frames.ts')
    if (version !== 'v1' && version !== 'v2') throw wrongVersion('v1 or v2', version)
    return eventWriter('frames', toFrames({ version, viewer, sessionId: newId(), newId }))
  },
  'agent-event': async ({ viewer }) => {
    const { toAgentEvents } = await import('../../dialects/agent-event/to/to-agent-events.ts')
    return eventWriter('agent-event', toAgentEvents({ viewer }))
  },
  session: async ({ viewer, newId }) => {
    const { toSessionEvents } = await import('../../dialects/session/to/to-session.ts')
    return eventWriter('session', toSessionEvents({ viewer, connectionId: newId() }))
  },
  'openai-chat': async ({ viewer }) => {
    const { toChatCompletions } = await import('../../dialects/openai/to/to-chat-completions.ts')
    return eventWriter('openai-chat', toChatCompletions({ viewer, includeUsage: true }))
  },
}

function wrongVersion(expected: string, actual: string): UsageError {
  return new UsageError(`Expected --version ${expected}, got ${actual}.`)
}

/** Loads the writer of a format. */
export function writerOf(target: Target, options: WriterOptions): Promise<EventWriter> {
  return writers[target](options)
}

/** How values are written. */
export interface Encoder {
  readonly value: (value: unknown) => string
  /** What ends the stream. */
  readonly end: string
}

/** JSON Lines, or Server-Sent Events as clients of the format expect them. */
export function encoderOf(target: Target, isSse: boolean): Encoder {
  if (!isSse) return { value: (value) => `${jsonText(value)}\n`, end: '' }
  const isNamed = target === 'core'
  return {
    value: (value) => {
      const name = isNamed ? `event: ${(value as ContextAnyEvent).kind}\n` : ''
      return `${name}data: ${jsonText(value)}\n\n`
    },
    end: target === 'ai-sdk' || target === 'openai-chat' ? 'data: [DONE]\n\n' : '',
  }
}
