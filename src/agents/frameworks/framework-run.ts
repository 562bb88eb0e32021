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
import { UniqueIds } from '../unique-ids.ts'
import type { FrameworkOptions, Question } from './read-framework.ts'
import {
  type FrameworkTask,
  type KnownCall,
  leaveMemory,
  Recent,
  type RunMemory,
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
  /** The ids of the response that is read. */
  #ids: UniqueIds
  /** The questions that this run has asked. */
  readonly #asked = new Recent()
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
    this.#ids = new UniqueIds(this.#memory.used)
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

  /** The call with an id of the framework, which gives several the same one if it counts them anew. */
  idOf(given: string): string {
    return this.#memory.idOf(given)
  }

  /** The id of an item of the response that is read. */
  newIdOf(given: string): string {
    const id = this.#ids.idOf(given)
    this.#memory.rename(given, id)
    return id
  }

  /** From now on, items are others, whatever their ids. */
  renewIds(): void {
    this.#ids = new UniqueIds(this.#memory.used)
  }

  /** A call without a result. */
  callOf(given: string): KnownCall | undefined {
    const id = this.idOf(given)
    return this.#memory.open.get(id) ?? this.#memory.waiting.get(id)
  }

  /** Whether a call has its result. */
  hasEnded(given: string): boolean {
    return this.#memory.done.has(this.idOf(given))
  }

  /** The calls that are written and have not started, by the ids that the framework gives them. */
  get waiting(): ReadonlyMap<string, KnownCall & { readonly toolCallId: string }> {
    return this.#memory.waitingByGiven()
  }

  /** Begins a response of the model; ends the one before. */
  begin(): EventDraft[] {
    const drafts = this.endResponse()
    this.renewIds()
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
    for (const { toolCallId, toolName, status, arguments: args } of turn.calls) {
      if (status === 'complete') this.written(toolCallId, toolName, args)
      else this.#memory.waiting.delete(this.newIdOf(toolCallId))
    }
    return drafts
  }

  /** Notes a call that the response has, whole. */
  written(given: string, toolName: string, args: Record<string, unknown> = {}): void {
    const { open, done, waiting, iteration } = this.#memory
    const id = this.newIdOf(given)
    if (!open.has(id) && !done.has(id))
      waiting.set(id, { toolName, arguments: args, iteration: iteration - 1 })
  }

  /** The result of a call; it starts before, if it has not, unless it was refused. */
  result(given: string, toolName: string, outcome: Outcome, value: unknown): EventDraft[] {
    const drafts = this.endResponse()
    const toolCallId = this.idOf(given)
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
  start(given: string, toolName: string, args: Record<string, unknown> = {}): EventDraft[] {
    const toolCallId = this.idOf(given)
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
  isAskedAbout(given: string): boolean {
    return this.#memory.askedCalls.has(this.idOf(given))
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
    this.#asked.add(inputId)
    this.#memory.ask(inputId, question.prompt, question.metadata?.toolCall?.id)
    this.questions.push(draft)
    return [
      ...this.endResponse(),
      ...(isNew ? [draft] : []),
      { kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } },
    ]
  }

  /** The id of a question of a framework that gives several of them the same one: of one that still waits, the one that it has. */
  inputIdOf(given: string, prompt: string): string {
    const { asked, closed } = this.#memory
    let latest = given
    let next = given
    for (let number = 2; asked.has(next); number++) {
      latest = next
      next = `${given}-${number}`
    }
    const { answered } = this.#task ?? {}
    const isOpen = answered !== undefined && !answered.has(latest) && !closed.has(latest)
    return this.#asked.has(latest) || (isOpen && asked.get(latest) === prompt) ? latest : next
  }

  /** Ends what is open: calls without a result fail. */
  close(): EventDraft[] {
    const drafts = this.endResponse()
    const { open, waiting, shown } = this.#memory
    // Of a call without arguments nothing is written before it starts.
    const written = [...waiting].filter(([id]) => shown.has(id))
    for (const [toolCallId, { toolName }] of [...open, ...written]) {
      const error = 'The run ended without a result.'
      drafts.push({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
      this.#memory.endCall(toolCallId)
    }
    leaveMemory(this.#task, this.#memory)
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
    return drafts.map((each) => {
      const given =
        each.kind === 'task-error' ? each.error.toolCallId : 'toolCallId' in each && each.toolCallId
      if (!given) return each
      const id = this.newIdOf(given)
      const draft = this.#ids.ofDraft(each)
      if (draft.kind === 'tool-arguments-delta') this.#memory.shown.add(id)
      if (draft.kind === 'tool-start') this.#memory.startCall(id, draft)
      if (draft.kind === 'tool-complete') this.#memory.endCall(id)
      return draft
    })
  }
}
