/** The responses of models in a run: their chunks, ids, iterations and tokens. */

import type { Diagnostic, Machine } from '../../core/machine.ts'
import { type Runner, run } from '../../core/machine.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { Usage } from '../../events/usage.ts'
import { addUsage } from '../../events/usage-sum.ts'
import type { ModelEnd } from '../../providers/shared/model-machine.ts'
import { type ModelMachineState, modelTurn } from '../../providers/shared/model-turn.ts'
import type { ModelOptions } from '../../providers/shared/options.ts'
import { UniqueIds } from '../unique-ids.ts'
import type { FrameworkOptions } from './read-framework.ts'
import { type FrameworkTask, type RunMemory, takeMemory } from './run-memory.ts'

type Reader = Machine<ModelMachineState, unknown, EventDraft, ModelEnd>
type NewReader = (options: ModelOptions) => Reader

/** Each function returns drafts. */
export class ModelResponses {
  readonly report: (diagnostic: Diagnostic) => void
  protected readonly memory: RunMemory
  protected readonly task: FrameworkTask | undefined
  /** The ids of the response that is read. */
  #ids: UniqueIds
  readonly #create: NewReader
  readonly #starts: boolean
  #reader: Runner<ModelMachineState, unknown, EventDraft, ModelEnd> | undefined

  /** @param starts - Whether a call that the model wrote starts. Otherwise it does with its result: before, it may wait for an approval. */
  constructor(create: NewReader, { task, onDiagnostic }: FrameworkOptions, starts = false) {
    this.#create = create
    this.#starts = starts
    this.task = task
    this.memory = takeMemory(task)
    this.#ids = new UniqueIds(this.memory.used)
    this.report = onDiagnostic ?? (() => undefined)
  }

  get isReading(): boolean {
    return this.#reader !== undefined
  }

  /** The tokens of the task. */
  get usage(): readonly Usage[] {
    return this.memory.usage
  }

  set usage(usage: readonly Usage[]) {
    this.memory.usage = usage
  }

  /** The call with an id of the framework, which gives several the same one if it counts them anew. */
  idOf(given: string): string {
    return this.memory.idOf(given)
  }

  /** The id of an item of the response that is read. */
  newIdOf(given: string): string {
    const id = this.#ids.idOf(given)
    this.memory.rename(given, id)
    return id
  }

  /** From now on, items are others, whatever their ids. */
  renewIds(): void {
    this.#ids = new UniqueIds(this.memory.used)
  }

  /** Begins a response of the model; ends the one before. */
  begin(): EventDraft[] {
    const drafts = this.endResponse()
    this.renewIds()
    const needsApproval = this.task?.needsApproval
    const options: ModelOptions = {
      iteration: this.memory.iteration++,
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
      else this.memory.waiting.delete(this.newIdOf(toolCallId))
    }
    return drafts
  }

  /** Notes a call that the response has, whole. */
  written(given: string, toolName: string, args: Record<string, unknown> = {}): void {
    const { open, done, waiting, iteration } = this.memory
    const id = this.newIdOf(given)
    if (!open.has(id) && !done.has(id))
      waiting.set(id, { toolName, arguments: args, iteration: iteration - 1 })
  }

  #noted(drafts: readonly EventDraft[]): EventDraft[] {
    return drafts.map((each) => {
      const given =
        each.kind === 'task-error' ? each.error.toolCallId : 'toolCallId' in each && each.toolCallId
      if (!given) return each
      const id = this.newIdOf(given)
      const draft = this.#ids.ofDraft(each)
      if (draft.kind === 'tool-arguments-delta') this.memory.shown.add(id)
      if (draft.kind === 'tool-start') this.memory.startCall(id, draft)
      if (draft.kind === 'tool-complete') this.memory.endCall(id)
      return draft
    })
  }
}
