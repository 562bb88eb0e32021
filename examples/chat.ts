/** The state of a chat stream while it is read, and the events that one chunk leads to. */
import type { Diagnostic, EventDraft, MachineState, Step } from 'agentwire'
import type { Fields } from './loose-json.ts'
import type { ToolCall } from './tool-calls.ts'

/** The state between two chunks: plain JSON. */
export interface ChatState {
  /** `finished` once a finish reason or an error was received. */
  readonly phase: 'waiting' | 'speaking' | 'finished'
  readonly text: MachineState<'thoughtEvents'>
  /** Reasoning that has not been emitted as a `thought-stream` yet. */
  readonly reasoning: string
  readonly calls: readonly ToolCall[]
}

/** A mutable copy of the state for one step, with its outputs. */
export type ChatStep = { -readonly [K in keyof ChatState]: ChatState[K] } & {
  readonly out: EventDraft[]
  readonly diagnostics: Diagnostic[]
}

/** Runs one step: `action` changes the copy of the state. */
export function stepFrom(state: ChatState, action: (chat: ChatStep) => void): Step<ChatState, EventDraft> {
  const chat: ChatStep = { ...state, out: [], diagnostics: [] }
  action(chat)
  const { out, diagnostics, ...next } = chat
  return diagnostics.length === 0 ? { state: next, out } : { state: next, out, diagnostics }
}

/** Adds the result of a step of the thought extractor. */
export function addText(chat: ChatStep, step: Step<MachineState<'thoughtEvents'>, EventDraft>): void {
  chat.text = step.state
  chat.out.push(...step.out)
  chat.diagnostics.push(...(step.diagnostics ?? []))
}

/** Emits the reasoning so far as one thought, if there is any. */
export function endReasoning(chat: ChatStep, isWhole: boolean): void {
  if (chat.reasoning === '') return
  const metadata = isWhole ? {} : { metadata: { complete: false } }
  chat.out.push({
    kind: 'thought-stream',
    thoughtType: 'reasoning',
    verbosity: 'detailed',
    content: chat.reasoning,
    ...metadata,
  })
  chat.reasoning = ''
}

/** Reports a part of a chunk that has no equivalent event. `path` is a JSON Pointer into the chunk. */
export function reportIgnored(chat: ChatStep, path: string, detail: unknown): void {
  chat.diagnostics.push({ code: 'left-out', message: 'No equivalent event.', path, detail })
}

/** Emits an error of the provider. */
export function fail(chat: ChatStep, error: Fields): void {
  const message = typeof error.message === 'string' ? error.message : 'The provider failed.'
  chat.out.push({
    kind: 'task-error',
    error: { code: 'provider_error', message, retry: 'retryable', details: error },
  })
}
