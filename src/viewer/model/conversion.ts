/** Conversion of a recording to another protocol, as lines of JSON. */
import { type Machine, type Runner, run } from '../../core/machine.ts'
import { demuxTasks, toA2a } from '../../dialects/a2a/index.ts'
import { toAgUi } from '../../dialects/ag-ui/index.ts'
import { toAgentEvents } from '../../dialects/agent-event/index.ts'
import { toUiMessageStream } from '../../dialects/ai-sdk/index.ts'
import { toFrames } from '../../dialects/frames/index.ts'
import { toSessionEvents } from '../../dialects/session/index.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { LossCounts } from './loss-counts.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** The protocols a recording is converted to. */
export const targets = {
  core: { label: 'agentwire (JSON Lines)', suffix: 'core.jsonl' },
  a2a: { label: 'A2A 1.0', suffix: 'a2a.jsonl' },
  'ag-ui': { label: 'AG-UI', suffix: 'ag-ui.jsonl' },
  'ai-sdk': { label: 'AI SDK', suffix: 'ai-sdk.jsonl' },
  frames: { label: 'Event frames v1', suffix: 'frames.jsonl' },
  'agent-event': { label: 'Agent events', suffix: 'agent-event.jsonl' },
  session: { label: 'Session protocol', suffix: 'session.jsonl' },
} as const

export type Target = keyof typeof targets

/** The user. Frames are read by operators unless a viewer is given. */
const viewer = { audience: 'user', subtasks: 'all' } as const

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
  const runner = runnerOf(target, newId, ({ code }) => losses.add(code))
  return {
    push: (event) => lines(runner.push(event as ContextAnyEvent)),
    end: () => lines(runner.end()),
    losses: losses.byCode,
  }
}

function runnerOf(
  target: Target,
  newId: () => string,
  onDiagnostic: (diagnostic: { readonly code: string }) => void,
): Pick<Runner<unknown, ContextAnyEvent, unknown>, 'push' | 'end'> {
  const running = <S, O, E>(machine: Machine<S, ContextAnyEvent, O, E>): Runner<S, ContextAnyEvent, O, E> =>
    run(machine, { onDiagnostic })
  switch (target) {
    case 'a2a': {
      const { push, end } = running(demuxTasks(toA2a({ version: '1.0' }), { awaitResult: true }))
      return {
        push: (input) => push(input).map(({ event }) => event),
        end: () => end().map(({ event }) => event),
      }
    }
    case 'ag-ui':
      return running(toAgUi())
    case 'ai-sdk':
      return running(toUiMessageStream())
    case 'frames':
      return running(toFrames({ version: 'v1', sessionId: newId(), newId, viewer }))
    case 'agent-event':
      return running(toAgentEvents())
    case 'session':
      return running(toSessionEvents({ connectionId: newId() }))
    default:
      return { push: (event) => [event], end: () => [] }
  }
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
