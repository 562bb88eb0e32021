/** An answer while it is read from a chat stream: what is known so far, and what came out of it. */
import type { Diagnostic, EventDraft, MachineState, Step } from 'agentwire'
import type { Fields } from './loose-json.ts'
import type { ToolCall } from './tool-calls.ts'

/** What is remembered between two chunks. Plain JSON. */
export interface ChatState {
  /** `finished`: a finish reason has come, or an error. */
  readonly phase: 'waiting' | 'speaking' | 'finished'
  readonly text: MachineState<'thoughtEvents'>
  /** Reasoning that no `thought-stream` has repeated yet. */
  readonly reasoning: string
  readonly calls: readonly ToolCall[]
}

/** A copy of the state that one step writes to, and its outputs. */
export type Chat = { -readonly [K in keyof ChatState]: ChatState[K] } & {
  readonly out: EventDraft[]
  readonly diagnostics: Diagnostic[]
}

/** One step: what `action` makes of a state. */
export function stepFrom(state: ChatState, action: (chat: Chat) => void): Step<ChatState, EventDraft> {
  const chat: Chat = { ...state, out: [], diagnostics: [] }
  action(chat)
  const { out, diagnostics, ...next } = chat
  return diagnostics.length === 0 ? { state: next, out } : { state: next, out, diagnostics }
}

/** Takes what became of a piece of content. */
export function addText(chat: Chat, step: Step<MachineState<'thoughtEvents'>, EventDraft>): void {
  chat.text = step.state
  chat.out.push(...step.out)
  chat.diagnostics.push(...(step.diagnostics ?? []))
}

/** Repeats the reasoning as one thought, if there was any. */
export function endReasoning(chat: Chat, isWhole: boolean): void {
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

/** Remarks on a part of a chunk that no event tells of. `path` is a JSON pointer into the chunk. */
export function leaveOut(chat: Chat, path: string, detail: unknown): void {
  chat.diagnostics.push({ code: 'left-out', message: 'No event tells of this.', path, detail })
}

/** Reports an error of the provider's. */
export function fail(chat: Chat, error: Fields): void {
  const message = typeof error.message === 'string' ? error.message : 'The provider failed.'
  chat.out.push({
    kind: 'task-error',
    error: { code: 'provider_error', message, retry: 'retryable', details: error },
  })
}
