/** What the readers of frameworks share beside responses: calls without a result, questions, and the end of the task. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import { cleanJson } from '../../json/sanitize.ts'
import { ModelResponses } from './model-responses.ts'
import type { Question } from './read-framework.ts'
import { type KnownCall, leaveMemory, Recent } from './run-memory.ts'

/** So many kinds of losses are reported. */
const MAX_DROPPED = 4096

/** How a call has ended. `refused`: it failed, as nobody has approved it. */
export type Outcome = 'succeeded' | 'failed' | 'refused'

/** One run of an agent. Each function returns drafts. */
export class FrameworkRun extends ModelResponses {
  /** The questions that this run waits for. */
  readonly questions: Question[] = []
  /** The questions that this run has asked. */
  readonly #asked = new Recent()
  readonly #dropped = new Set<string>()

  /** A call without a result. */
  callOf(given: string): KnownCall | undefined {
    const id = this.idOf(given)
    return this.memory.open.get(id) ?? this.memory.waiting.get(id)
  }

  /** Whether a call has its result. */
  hasEnded(given: string): boolean {
    return this.memory.done.has(this.idOf(given))
  }

  /** The calls that are written and have not started, by the ids that the framework gives them. */
  get waiting(): ReadonlyMap<string, KnownCall & { readonly toolCallId: string }> {
    return this.memory.waitingByGiven()
  }

  /** The result of a call; it starts before, if it has not, unless it was refused. */
  result(given: string, toolName: string, outcome: Outcome, value: unknown): EventDraft[] {
    const drafts = this.endResponse()
    const toolCallId = this.idOf(given)
    const { done, open, waiting } = this.memory
    if (toolCallId === '' || done.has(toolCallId)) {
      const message = 'Expected the result of a call that has none, got another one.'
      this.report({ code: 'dropped:result', message })
      return drafts
    }
    const { toolName: known = toolName } = open.get(toolCallId) ?? waiting.get(toolCallId) ?? {}
    const call = { toolCallId, toolName: known || 'tool' }
    // What nobody has written starts, so that it can fail.
    if (outcome !== 'refused' || !waiting.has(toolCallId)) drafts.push(...this.start(toolCallId, toolName))
    this.memory.endCall(toolCallId)
    const result = cleanJson(value) ?? null
    if (outcome === 'succeeded') return [...drafts, { kind: 'tool-complete', ...call, success: true, result }]
    const error = (typeof value === 'string' ? value : JSON.stringify(result)) || 'The tool failed.'
    return [...drafts, { kind: 'tool-complete', ...call, success: false, error }]
  }

  /** Starts a call, if it has not started. One that no response has is inferred. */
  start(given: string, toolName: string, args: Record<string, unknown> = {}): EventDraft[] {
    const toolCallId = this.idOf(given)
    const { open, done, waiting, iteration: next } = this.memory
    if (open.has(toolCallId) || done.has(toolCallId)) return []
    const inferred: KnownCall = { toolName: toolName || 'tool', arguments: args }
    const { iteration, ...call } = waiting.get(toolCallId) ?? inferred
    this.memory.startCall(toolCallId, call)
    // Iterations do not go back.
    const isLatest = iteration !== undefined && iteration >= next - 1
    return [{ kind: 'tool-start', toolCallId, ...call, ...(isLatest && { iteration }) }]
  }

  /** Whether a call was asked about. */
  isAskedAbout(given: string): boolean {
    return this.memory.askedCalls.has(this.idOf(given))
  }

  /** A question, which the task waits for. One that a run before has asked is not repeated. */
  ask(question: Omit<Question, 'kind' | 'requireUser'>): EventDraft[] {
    const { inputId } = question
    if (this.#asked.has(inputId)) {
      const message = 'Expected a question that was not asked, got one again.'
      this.report({ code: 'dropped:input-required', message, detail: { inputId } })
      return []
    }
    const isNew = !this.memory.asked.has(inputId)
    const draft: Question = { kind: 'input-required', requireUser: true, ...question }
    this.#asked.add(inputId)
    this.memory.ask(inputId, question.prompt, question.metadata?.toolCall?.id)
    this.questions.push(draft)
    return [
      ...this.endResponse(),
      ...(isNew ? [draft] : []),
      { kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } },
    ]
  }

  /** A question whether a tool may be called. */
  askAbout(
    inputId: string,
    { id, ...called }: { readonly id: string; readonly name: string; readonly arguments: string },
    prompt = '',
    more: object = {},
  ): EventDraft[] {
    const toolCall = { id, type: 'function', function: called } as const
    return this.ask({
      inputId,
      inputType: 'tool-execution',
      prompt: prompt || `May the agent call the tool ${called.name}?`,
      metadata: { ...more, toolCall },
    })
  }

  hasAsked(inputId: string): boolean {
    return this.#asked.has(inputId)
  }

  /** The id of a question of a framework that gives several of them the same one: of one that still waits, the one that it has. */
  inputIdOf(given: string, prompt: string): string {
    const { asked, closed } = this.memory
    let latest = given
    let next = given
    for (let number = 2; asked.has(next); number++) {
      latest = next
      next = `${given}-${number}`
    }
    const { answered } = this.task ?? {}
    const isOpen = answered !== undefined && !answered.has(latest) && !closed.has(latest)
    return this.#asked.has(latest) || (isOpen && asked.get(latest) === prompt) ? latest : next
  }

  /** Ends what is open: calls without a result fail. */
  close(): EventDraft[] {
    const drafts = this.endResponse()
    const { open, waiting, shown } = this.memory
    // Of a call without arguments nothing is written before it starts.
    const written = [...waiting].filter(([id]) => shown.has(id))
    for (const [toolCallId, { toolName }] of [...open, ...written]) {
      const error = 'The run ended without a result.'
      drafts.push({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
      this.memory.endCall(toolCallId)
    }
    leaveMemory(this.task, this.memory)
    return drafts
  }

  /** Ends the task, unless it was asked something: it waits for the answer then, and what is open stays open. */
  end(error?: ErrorInfo, metadata: Record<string, never> | object = {}): EventDraft[] {
    if (this.questions.length > 0) {
      const drafts = this.endResponse()
      leaveMemory(this.task, this.memory)
      return [...drafts, { kind: 'task-status', status: 'waiting-input' }]
    }
    const drafts = this.close()
    if (error !== undefined) return [...drafts, { kind: 'task-status', status: 'failed', error }]
    const usage = this.usage.length > 0 && { usage: [...this.usage] }
    return [...drafts, { kind: 'task-complete', metadata: { ...usage, ...metadata } }]
  }

  /** An error that ends the task. What the framework states of it is reported alone: it may not be for users. */
  failure(message: string, detail: object, code: ErrorInfo['code'] = 'provider_error'): ErrorInfo {
    this.report({ code: 'provider-error', message, detail })
    return { code, message, retry: 'terminal' }
  }

  /** Ends the task of a run that does not state its end. */
  cutOff(name: string): EventDraft[] {
    this.report({ code: 'ended-early', message: `The stream ended before the run of ${name} did.` })
    return this.end({ code: 'provider_error', message: 'The run was cut off.', retry: 'retryable' })
  }

  /** Reports what has no equivalent, once. */
  dropped(what: string): void {
    if (this.#dropped.has(what) || this.#dropped.size >= MAX_DROPPED) return
    this.#dropped.add(what)
    this.report({
      code: `dropped:${what.slice(0, 64)}`,
      message: `Events have no equivalent of ${what.slice(0, 64)}.`,
    })
  }
}
