/** What the readers of frameworks share: the responses of models, the calls that have no result yet, and the tokens. */

import type { Diagnostic, Machine } from '../../core/machine.ts'
import { type Runner, run } from '../../core/machine.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { Usage } from '../../events/usage.ts'
import { addUsage } from '../../events/usage-sum.ts'
import { cleanJson } from '../../json/sanitize.ts'
import type { ModelEnd } from '../../providers/shared/model-machine.ts'
import { type ModelMachineState, modelTurn } from '../../providers/shared/model-turn.ts'
import type { ModelOptions } from '../../providers/shared/options.ts'
import type { FrameworkOptions, Question } from './read-framework.ts'
import {
  type FrameworkTask,
  type KnownCall,
  leaveMemory,
  type RunMemory,
  remember,
  takeMemory,
} from './run-memory.ts'

type Reader = Machine<ModelMachineState, unknown, EventDraft, ModelEnd>
type NewReader = (options: ModelOptions) => Reader

/** So many kinds of losses are reported. */
const MAX_DROPPED = 4096

/** How a call has ended. `refused`: it failed, as nobody has approved it. */
export type Outcome = 'succeeded' | 'failed' | 'refused'

/** One run of an agent. Each function returns drafts. */
export class FrameworkRun {
  readonly report: (diagnostic: Diagnostic) => void
  /** The questions that this run waits for. */
  readonly questions: Question[] = []
  readonly #memory: RunMemory
  readonly #task: FrameworkTask | undefined
  /** The calls of the response that is read. */
  readonly #own = new Set<string>()
  /** The questions that this run has asked. */
  readonly #asked = new Set<string>()
  readonly #dropped = new Set<string>()
  readonly #create: NewReader
  readonly #starts: boolean
  #reader: Runner<ModelMachineState, unknown, EventDraft, ModelEnd> | undefined

  /** @param starts - Whether a call that the model wrote starts. Otherwise it does with its result: before, it may wait for an approval. */
  constructor(create: NewReader, { task, onDiagnostic }: FrameworkOptions, starts = false) {
    this.#create = create
    this.#starts = starts
    this.#task = task
    this.#memory = takeMemory(task)
    this.report = onDiagnostic ?? (() => undefined)
  }

  get isReading(): boolean {
    return this.#reader !== undefined
  }

  /** The tokens of the task. */
  get usage(): readonly Usage[] {
    return this.#memory.usage
  }

  set usage(usage: readonly Usage[]) {
    this.#memory.usage = usage
  }

  /** A call without a result. */
  callOf(toolCallId: string): KnownCall | undefined {
    return this.#memory.open.get(toolCallId) ?? this.#memory.waiting.get(toolCallId)
  }

  /** Whether a call has its result. */
  hasEnded(toolCallId: string): boolean {
    return this.#memory.done.has(toolCallId)
  }

  /** The calls that are written and have not started, by their ids. */
  get waiting(): ReadonlyMap<string, KnownCall> {
    return this.#memory.waiting
  }

  /** Begins a response of the model; ends the one before. */
  begin(): EventDraft[] {
    const drafts = this.endResponse()
    const needsApproval = this.#task?.needsApproval
    const options: ModelOptions = {
      iteration: this.#memory.iteration++,
      calls: this.#starts ? 'start' : 'request',
      ...(needsApproval !== undefined && { needsApproval }),
    }
    this.#reader = run(this.#create(options), { onDiagnostic: this.report })
    return drafts
  }

  /** Reads a chunk of the response, which it begins. */
  push(chunk: unknown): EventDraft[] {
    const drafts = this.#reader === undefined ? this.begin() : []
    return [...drafts, ...this.#noted(this.#reader?.push(chunk) ?? [])]
  }

  /** Ends the response, if one is read. */
  endResponse(end: ModelEnd = {}): EventDraft[] {
    const reader = this.#reader
    if (reader === undefined) return []
    this.#reader = undefined
    const drafts = this.#noted(reader.end(end))
    const turn = modelTurn(reader.state)
    this.usage = addUsage(this.usage, turn.usage)
    for (const { toolCallId: id, toolName, status, arguments: args } of turn.calls) {
      if (status === 'complete') this.written(id, toolName, args)
      else if (!this.#memory.before.has(id)) this.#memory.waiting.delete(id)
    }
    for (const id of this.#own) remember(this.#memory.before, id)
    this.#own.clear()
    return drafts
  }

  /** Notes a call that the response has, whole. */
  written(toolCallId: string, toolName: string, args: Record<string, unknown> = {}): void {
    const { before, open, done, waiting, iteration } = this.#memory
    const isKnown = before.has(toolCallId) || open.has(toolCallId) || done.has(toolCallId)
    if (!isKnown) waiting.set(toolCallId, { toolName, arguments: args, iteration: iteration - 1 })
  }

  /** The result of a call; it starts before, if it has not, unless it was refused. */
  result(toolCallId: string, toolName: string, outcome: Outcome, value: unknown): EventDraft[] {
    const drafts = this.endResponse()
    const { done, open, waiting } = this.#memory
    if (toolCallId === '' || done.has(toolCallId)) {
      const message = 'Expected the result of a call that has none, got another one.'
      this.report({ code: 'dropped:result', message })
      return drafts
    }
    const { toolName: known = toolName } = open.get(toolCallId) ?? waiting.get(toolCallId) ?? {}
    const call = { toolCallId, toolName: known || 'tool' }
    // What nobody has written starts, so that it can fail.
    if (outcome !== 'refused' || !waiting.has(toolCallId)) drafts.push(...this.start(toolCallId, toolName))
    this.#memory.endCall(toolCallId)
    const result = cleanJson(value) ?? null
    if (outcome === 'succeeded') return [...drafts, { kind: 'tool-complete', ...call, success: true, result }]
    const error = (typeof value === 'string' ? value : JSON.stringify(result)) || 'The tool failed.'
    return [...drafts, { kind: 'tool-complete', ...call, success: false, error }]
  }

  /** Starts a call, if it has not started. One that no response has is inferred. */
  start(toolCallId: string, toolName: string, args: Record<string, unknown> = {}): EventDraft[] {
    const { open, done, waiting, iteration: next } = this.#memory
    if (open.has(toolCallId) || done.has(toolCallId)) return []
    const inferred: KnownCall = { toolName: toolName || 'tool', arguments: args }
    const { iteration, ...call } = waiting.get(toolCallId) ?? inferred
    this.#memory.startCall(toolCallId, call)
    // Iterations do not go back.
    const isLatest = iteration !== undefined && iteration >= next - 1
    return [{ kind: 'tool-start', toolCallId, ...call, ...(isLatest && { iteration }) }]
  }

  /** Whether a call was asked about. */
  isAskedAbout(toolCallId: string): boolean {
    return this.#memory.askedCalls.has(toolCallId)
  }

  /** A question, which the task waits for. One that a run before has asked is not repeated. */
  ask(question: Omit<Question, 'kind' | 'requireUser'>): EventDraft[] {
    const { inputId } = question
    if (this.#asked.has(inputId)) {
      const message = 'Expected a question that was not asked, got one again.'
      this.report({ code: 'dropped:input-required', message, detail: { inputId } })
      return []
    }
    const isNew = !this.#memory.asked.has(inputId)
    const draft: Question = { kind: 'input-required', requireUser: true, ...question }
    remember(this.#asked, inputId)
    this.#memory.ask(inputId, question.metadata?.toolCall?.id)
    this.questions.push(draft)
    return [
      ...this.endResponse(),
      ...(isNew ? [draft] : []),
      { kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } },
    ]
  }

  /** An id for a question of a framework that gives several of them the same one. */
  newInputId(id: string): string {
    const { asked } = this.#memory
    if (this.#asked.has(id) || !asked.has(id)) return id
    let number = 2
    while (asked.has(`${id}-${number}`)) number++
    return `${id}-${number}`
  }

  /** Ends what is open: calls without a result fail. */
  close(): EventDraft[] {
    const drafts = this.endResponse()
    const { open, waiting, before } = this.#memory
    // Of a call without arguments nothing is written before it starts.
    const written = [...waiting].filter(([id]) => before.has(id))
    for (const [toolCallId, { toolName }] of [...open, ...written]) {
      const error = 'The run ended without a result.'
      drafts.push({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
      this.#memory.endCall(toolCallId)
    }
    return drafts
  }

  /** Ends the task, unless it was asked something: it waits for the answer then, and what is open stays open. */
  end(error?: ErrorInfo, metadata: Record<string, never> | object = {}): EventDraft[] {
    if (this.questions.length > 0) {
      const drafts = this.endResponse()
      leaveMemory(this.#task, this.#memory)
      return [...drafts, { kind: 'task-status', status: 'waiting-input' }]
    }
    const drafts = this.close()
    if (error !== undefined) return [...drafts, { kind: 'task-status', status: 'failed', error }]
    const usage = this.usage.length > 0 && { usage: [...this.usage] }
    return [...drafts, { kind: 'task-complete', metadata: { ...usage, ...metadata } }]
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

  #noted(drafts: readonly EventDraft[]): EventDraft[] {
    const { before } = this.#memory
    return drafts.filter((draft) => {
      const { kind } = draft
      const id = kind === 'task-error' ? draft.error.toolCallId : 'toolCallId' in draft && draft.toolCallId
      if (!id) return true
      if (before.has(id) && !this.#own.has(id)) {
        this.dropped('repeated-call')
        return false
      }
      this.#own.add(id)
      if (kind === 'tool-start') this.#memory.startCall(id, draft)
      if (kind === 'tool-complete') this.#memory.endCall(id)
      return true
    })
  }
}
