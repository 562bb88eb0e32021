// The smallest agent loop around one model call: emits the drafts as a task, and answers the calls.

import {
  type ContextAnyEvent,
  createEmitter,
  type Diagnostic,
  type EventDraft,
  type Machine,
  run,
} from 'turnstream'
import { type ModelEnd, type ModelMachineState, type ModelTurn, modelTurn } from 'turnstream/providers'
import { verifier } from 'turnstream/streams'

/** A machine that reads the stream of a model. */
export type Provider = Machine<ModelMachineState, unknown, EventDraft, ModelEnd>

/** What a stream was read as. */
export interface ReadStream {
  readonly drafts: readonly EventDraft[]
  readonly diagnostics: readonly Diagnostic[]
  /** Of the diagnostics. */
  readonly codes: readonly string[]
  readonly turn: ModelTurn
  readonly state: ModelMachineState
}

/** Reads a stream to its end, with the state sent through JSON after every chunk. */
export function readStream(machine: Provider, chunks: readonly unknown[], end?: ModelEnd): ReadStream {
  let last: ReadStream | undefined
  for (const read of readPrefixes(machine, chunks, end, chunks.length)) last = read
  return last as ReadStream
}

/** Reads a stream to its end, and before as if it ended after each number of chunks from `from` on. */
export function* readPrefixes(
  machine: Provider,
  chunks: readonly unknown[],
  end?: ModelEnd,
  from = 0,
): Generator<ReadStream & { readonly streamed: number }> {
  const drafts: EventDraft[] = []
  const reported: Diagnostic[] = []
  let state = machine.initial
  // The state is stored and read back after each chunk; of a long stream that costs the square of its length.
  const stored = (next: ModelMachineState): ModelMachineState =>
    chunks.length > 500 ? next : (JSON.parse(JSON.stringify(next)) as ModelMachineState)
  for (let length = 0; ; length++) {
    if (length >= from) {
      const { state: last, out, diagnostics = [] } = machine.end(state, end)
      const all = [...reported, ...diagnostics]
      const codes = all.map(({ code }) => code)
      const ended = stored(last)
      yield {
        ...{ drafts: [...drafts, ...out], streamed: drafts.length, diagnostics: all, codes },
        ...{ turn: modelTurn(ended), state: ended },
      }
    }
    if (length === chunks.length) return
    const { state: next, out, diagnostics = [] } = machine.step(state, chunks[length])
    drafts.push(...out)
    reported.push(...diagnostics)
    state = stored(next)
  }
}

/** The events of the task that an agent makes of a model call, whose tools all answer. */
export function taskOf({ drafts, turn }: Pick<ReadStream, 'drafts' | 'turn'>): ContextAnyEvent[] {
  let count = 0
  const emitter = createEmitter({
    contextId: 'ctx-1',
    taskId: 'task-1',
    now: () => Date.UTC(2026, 0) + count++,
    newId: () => `id-${count++}`,
  })
  const events: ContextAnyEvent[] = []
  const emit = (draft: EventDraft): void => {
    events.push(emitter.emit(draft))
  }
  emit({ kind: 'task-created', initiator: 'user' })
  emit({ kind: 'task-status', status: 'working' })
  for (const draft of drafts) emit(draft)
  // A stream may have several responses, and the turn is the last one.
  const named = new Map<string, string>()
  for (const draft of drafts) {
    if (draft.kind === 'tool-start') named.set(draft.toolCallId, draft.toolName)
    if (draft.kind === 'tool-complete') named.delete(draft.toolCallId)
  }
  for (const { toolCallId, toolName, status, arguments: args = {} } of turn.calls) {
    if (status !== 'complete' || named.has(toolCallId)) continue
    emit({ kind: 'tool-start', toolCallId, toolName, arguments: args })
    named.set(toolCallId, toolName)
  }
  for (const [toolCallId, toolName] of named) {
    emit({ kind: 'tool-complete', toolCallId, toolName, success: true, result: 'done' })
  }
  const fatal = drafts.find(
    (draft) =>
      draft.kind === 'task-error' && draft.error.scope !== 'tool' && draft.error.retry === 'terminal',
  )
  if (fatal?.kind === 'task-error') emit({ kind: 'task-status', status: 'failed', error: fatal.error })
  else {
    emit({ kind: 'task-complete' })
    emit({ kind: 'task-status', status: 'completed' })
  }
  return events
}

/** What is wrong with the task, in the strictest mode. */
export function violationsOf(events: readonly ContextAnyEvent[]): string[] {
  const { push, end } = run(verifier({ mode: 'strict' }))
  return [...events.flatMap((event) => [...push(event)]), ...end()].map(
    ({ rule, message }) => `${rule}: ${message}`,
  )
}
