/** The formats that can be written, each loaded when it is needed. */
import type { Diagnostic, Machine } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import type { Dialect } from '../../inspect/dialects.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { jsonText } from '../escape.ts'
import { UsageError } from '../usage-error.ts'

/** The formats that can be written. */
export const targets = ['core', 'a2a', 'ag-ui', 'ai-sdk', 'frames', 'agent-event', 'session'] as const

/** A format that can be written. */
export type Target = (typeof targets)[number] & Dialect

/** What all writers take. */
export interface WriterOptions {
  readonly viewer: Viewer
  readonly extension: boolean
  readonly version?: string
  readonly newId: () => string
}

/** What one event is written as. */
interface Written {
  readonly out: readonly unknown[]
  readonly diagnostics?: readonly Diagnostic[]
}

/** Writes events. */
export interface Writer {
  push(event: ContextAnyEvent): Written
  end(): Written
}

function writer<State, Out>(machine: Machine<State, ContextAnyEvent, Out, never>): Writer {
  let state = machine.initial
  const keep = (step: ReturnType<typeof machine.end>): Written => {
    state = step.state
    return step
  }
  return {
    push: (event) => keep(machine.step(state, event)),
    end: () => keep(machine.end(state)),
  }
}

/**
 * Writes one message for each task of a user, one after the other. Events of a task that begins before the one before it has
 * ended are dropped by the machine, which reports them.
 */
function messageWriter<State, Out>(machine: Machine<State, ContextAnyEvent, Out, never>): Writer {
  let current = writer(machine)
  let task: string | undefined
  let isEnded = false
  return {
    push(event) {
      const isRoot = event.parentTaskId === undefined
      let before: Written = { out: [] }
      if (isRoot && isEnded && event.taskId !== task) {
        before = current.end()
        current = writer(machine)
        task = undefined
      }
      task ??= isRoot ? event.taskId : undefined
      if (event.taskId === task) isEnded = isEndOf(event)
      return joined(before, current.push(event))
    },
    end: () => current.end(),
  }
}

/** Whether an event is the last of its task, or the last but its result. */
function isEndOf(event: ContextAnyEvent): boolean {
  return event.kind === 'task-complete' || (event.kind === 'task-status' && isTerminalStatus(event.status))
}

function joined(a: Written, b: Written): Written {
  return { out: [...a.out, ...b.out], diagnostics: [...(a.diagnostics ?? []), ...(b.diagnostics ?? [])] }
}

const writers: Readonly<Record<Target, (options: WriterOptions) => Promise<Writer>>> = {
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
    return writer(toA2a({ version, extension, viewer }))
  },
  'ag-ui': async ({ viewer, extension }) => {
    const { toAgUi } = await import('../../dialects/ag-ui/to/to-ag-ui.ts')
    return writer(toAgUi({ extension, viewer }))
  },
  'ai-sdk': async ({ viewer, extension }) => {
    const { toUiMessageStream } = await import('../../dialects/ai-sdk/to/to-ui-message-stream.ts')
    return messageWriter(toUiMessageStream({ extension, viewer }))
  },
  frames: async ({ viewer, version = 'v1', newId }) => {
    const { toFrames } = await import('../../dialects/frames/to/to-frames.ts')
    if (version !== 'v1' && version !== 'v2') throw wrongVersion('v1 or v2', version)
    return writer(toFrames({ version, viewer, sessionId: newId(), newId }))
  },
  'agent-event': async ({ viewer }) => {
    const { toAgentEvents } = await import('../../dialects/agent-event/to/to-agent-events.ts')
    return writer(toAgentEvents({ viewer }))
  },
  session: async ({ viewer, newId }) => {
    const { toSessionEvents } = await import('../../dialects/session/to/to-session.ts')
    return writer(toSessionEvents({ viewer, connectionId: newId() }))
  },
}

function wrongVersion(expected: string, actual: string): UsageError {
  return new UsageError(`Expected --version ${expected}, got ${actual}.`)
}

/** Loads the writer of a format. */
export function writerOf(target: Target, options: WriterOptions): Promise<Writer> {
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
    end: target === 'ai-sdk' ? 'data: [DONE]\n\n' : '',
  }
}
