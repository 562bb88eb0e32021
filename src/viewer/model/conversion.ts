/** Conversion of a recording to another protocol, as lines of JSON. */
import { demuxTasks, toA2a } from '../../dialects/a2a/index.ts'
import { toAgUi } from '../../dialects/ag-ui/index.ts'
import { toAgentEvents } from '../../dialects/agent-event/index.ts'
import { toUiMessageStream } from '../../dialects/ai-sdk/index.ts'
import { toFrames } from '../../dialects/frames/index.ts'
import { toChatCompletions } from '../../dialects/openai/index.ts'
import { toSessionEvents } from '../../dialects/session/index.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { eventWriter } from '../../inspect/write/event-writer.ts'
import { type EventWriter, machineWriter, type Written } from '../../inspect/write/machine-writer.ts'
import { LossCounts } from './loss-counts.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** The protocols a recording is converted to. */
export const targets = {
  core: { label: 'turnstream (JSON Lines)', suffix: 'core.jsonl' },
  a2a: { label: 'A2A 1.0', suffix: 'a2a.jsonl' },
  'ag-ui': { label: 'AG-UI', suffix: 'ag-ui.jsonl' },
  'ai-sdk': { label: 'AI SDK', suffix: 'ai-sdk.jsonl' },
  frames: { label: 'Event frames v1', suffix: 'frames.jsonl' },
  'agent-event': { label: 'Agent events', suffix: 'agent-event.jsonl' },
  session: { label: 'Session protocol', suffix: 'session.jsonl' },
  'openai-chat': { label: 'OpenAI Chat Completions', suffix: 'openai-chat.jsonl' },
} as const

export type Target = keyof typeof targets

/** The user. Frames are read by operators unless a viewer is given. */
const viewer = { audience: 'user' } as const

/** A conversion in progress. */
export interface Conversion {
  /** The lines of the next event. */
  push(event: RecordedEvent): string
  /** The lines that end the conversion. */
  end(): string
  /** How often each diagnostic was reported, also those of reading the recording. */
  readonly losses: ReadonlyMap<string, number>
}

/**
 * Starts a conversion.
 *
 * @param newId - Makes ids of sessions, connections and frames: UUIDs.
 * @param before - What was lost when the recording was read.
 */
export function conversion(target: Target, newId: () => string, before?: LossCounts): Conversion {
  const losses = new LossCounts(before)
  const writer = writerOf(target, newId)
  const write = ({ out, diagnostics = [] }: Written): string => {
    for (const { code } of diagnostics) losses.add(code)
    return out.map((value) => `${JSON.stringify(value)}\n`).join('')
  }
  return {
    push: (event) => write(writer.push(event as ContextAnyEvent)),
    end: () => write(writer.end()),
    losses: losses.byCode,
  }
}

function writerOf(target: Target, newId: () => string): EventWriter {
  switch (target) {
    case 'a2a': {
      const { push, end } = machineWriter(demuxTasks(toA2a({ version: '1.0' }), { awaitResult: true }))
      const events = (written: Written): Written => ({
        ...written,
        out: written.out.map((each) => (each as { readonly event: unknown }).event),
      })
      return { push: (event) => events(push(event)), end: () => events(end()) }
    }
    case 'ag-ui':
      return eventWriter(target, toAgUi())
    case 'ai-sdk':
      return eventWriter(target, toUiMessageStream())
    case 'frames':
      return eventWriter(target, toFrames({ version: 'v1', sessionId: newId(), newId, viewer }))
    case 'agent-event':
      return eventWriter(target, toAgentEvents())
    case 'session':
      return eventWriter(target, toSessionEvents({ connectionId: newId() }))
    case 'openai-chat':
      return eventWriter(target, toChatCompletions({ includeUsage: true }))
    default:
      return { push: (event) => ({ out: [event] }), end: () => ({ out: [] }) }
  }
}
